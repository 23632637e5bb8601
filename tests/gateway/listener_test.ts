import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../support/wait.ts";

const PROGRAM = new URL("listener_program.ts", import.meta.url).pathname;
const DESCRIPTORS = 64;
/** More connections than a process with that many descriptors can have. */
const CONNECTIONS = 2 * DESCRIPTORS;
const HALF_A_HEAD = new TextEncoder().encode("GET / HTTP/1.1\r\nhost: 127");
const PATIENCE_MS = 20_000;
/** How a connection fails whose listener closes, before it is open, while it opens and later. */
const REFUSALS = [
  Deno.errors.ConnectionRefused,
  Deno.errors.ConnectionReset,
  Deno.errors.ConnectionAborted,
  Deno.errors.NotConnected,
  Deno.errors.BrokenPipe,
];

interface Limited extends AsyncDisposable {
  readonly port: number;
  /** Its output so far. */
  output(): string;
  /** Ends it as a service is ended. Returns its exit code. */
  end(): Promise<number>;
}

/** The program with few file descriptors. */
async function startLimited(kind: string): Promise<Limited> {
  const child = new Deno.Command("sh", {
    args: [
      "-c",
      `ulimit -n ${DESCRIPTORS}; exec "$0" run --allow-all "$1" ${kind}`,
      Deno.execPath(),
      PROGRAM,
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let written = "";
  const listening = Promise.withResolvers<number>();
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      written += text;
      const port = /^port (\d+)$/m.exec(written)?.[1];
      if (port !== undefined) listening.resolve(Number(port));
    }
    listening.reject(new Error("The program ended before it listened"));
  })();
  const end = async () => {
    child.kill("SIGTERM");
    await reading;
    return (await child.status).code;
  };
  const port = await listening.promise;
  return {
    port,
    output: () => written,
    end,
    [Symbol.asyncDispose]: async () => {
      try {
        child.kill("SIGKILL");
      } catch (thrown) {
        if (!(thrown instanceof TypeError)) throw thrown; // it has already ended
      }
      await Promise.all([reading, child.status]);
    },
  };
}

/** Opens connections and sends half a request on each, until one is refused. */
async function flood(port: number): Promise<Deno.TcpConn[]> {
  const open: Deno.TcpConn[] = [];
  try {
    while (open.length < CONNECTIONS) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      open.push(connection);
      await connection.write(HALF_A_HEAD);
    }
  } catch (thrown) {
    if (!REFUSALS.some((refusal) => thrown instanceof refusal)) throw thrown;
  }
  return open;
}

/** The answer, as soon as it arrives. */
async function answerOf(url: string): Promise<string> {
  const until = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      return await (await fetch(url)).text();
    } catch (thrown) {
      if (performance.now() > until) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

for (const kind of ["deno", "node", "watched"]) {
  Deno.test(`listener (${kind}): without free file descriptors the server finishes its requests and then listens again`, async () => {
    await using program = await startLimited(kind);
    const url = `http://127.0.0.1:${program.port}`;
    const slow = fetch(`${url}/slow`).then((response) => response.text());
    slow.catch(() => {}); // else its failure hides the one that ended the program
    await until(() => /^slow$/m.test(program.output()));
    assertEquals(await answerOf(`${url}/first`), "/first");
    const failures = () => program.output().match(/^failed/gm)?.length ?? 0;
    for (const round of ["/second", "/third"]) {
      const before = failures();
      const flooding = await flood(program.port);
      await until(() => failures() > before); // a connection from before can answer earlier
      assertEquals(await answerOf(`${url}${round}`), round);
      for (const connection of flooding) connection.close();
    }
    assertEquals(await slow, "/slow");
    assertMatch(program.output(), /^failed: .*Too many open files/m);
    assertEquals(await program.end(), 0);
  });
}
