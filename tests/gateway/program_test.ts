// test: slow
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { exchange } from "./raw_exchange.ts";
import { jsonPost } from "../support/json_post.ts";

const FIXTURE = new URL("./program_fixture.ts", import.meta.url);
const CONFIG = new URL("../../deno.json", import.meta.url);

/** The program as a process, and its output. */
class Program {
  readonly #process: Deno.ChildProcess;
  readonly #stdout: ReadableStreamDefaultReader<string>;
  readonly #stderr: ReadableStreamDefaultReader<string>;
  #out = "";
  #err = "";

  constructor(env: Record<string, string>, words: readonly string[] = []) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", `--config=${CONFIG.pathname}`, FIXTURE.pathname, ...words],
      clearEnv: true,
      env: { PORT: "0", NO_COLOR: "1", ...denoEnv(), ...env },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#stdout = this.#process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#stderr = this.#process.stderr.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The URL, once the program listens. */
  async url(): Promise<string> {
    while (!this.#out.includes("\n")) {
      const { done, value } = await this.#stdout.read();
      assert(!done, "the program ended before it listened");
      this.#out += value;
    }
    return /\S+(?=\n$)/.exec(this.#out)?.[0] ?? "";
  }

  /** Waits until the log holds an event. */
  async logged(event: string): Promise<void> {
    while (!this.#err.includes(`"event":"${event}"`)) {
      const { done, value } = await this.#stderr.read();
      assert(!done, `the program ended without ${event}: ${this.#err}`);
      this.#err += value;
    }
  }

  kill(signal: Deno.Signal): void {
    this.#process.kill(signal);
  }

  /** Waits for the end. Returns the whole output. */
  async ended(): Promise<{ code: number; out: string; err: string }> {
    const rest = async (reader: ReadableStreamDefaultReader<string>) => {
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
    };
    const [out, err] = await Promise.all([rest(this.#stdout), rest(this.#stderr)]);
    const { code } = await this.#process.status;
    return { code, out: this.#out + out, err: this.#err + err };
  }
}

function run(url: string, code: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/execute`, jsonPost({ code }, headers));
}

/** The variables that Deno itself needs to find its cache. */
function denoEnv(): Record<string, string> {
  const entries = Object.entries(Deno.env.toObject());
  return Object.fromEntries(
    entries.filter(([name]) => ["HOME", "PATH", "DENO_DIR"].includes(name)),
  );
}

/** The lines of the log. Deno itself may add a notice about `request.signal`. */
function logEntries(err: string): { event: string; signal?: string }[] {
  const lines = err.split("\n").filter((line) => line !== "" && !line.startsWith("Deno.serve: "));
  return lines.map((line) => JSON.parse(line));
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`program: one line with the URL, and ${signal} ends it in order`, async () => {
    const program = new Program({});
    const url = await program.url();
    assertMatch(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assertEquals((await (await run(url, "1")).json()).code, "1");
    program.kill(signal);
    const { code, out, err } = await program.ended();
    assertEquals([code, out], [0, `Belljar listening on ${url}\n`]);
    const entries = logEntries(err);
    assertEquals(entries.map(({ event }) => event), [
      "service.started",
      "stopping",
      "runtime closed",
    ]);
    assertEquals(entries[1]?.signal, signal);
  });
}

Deno.test("program: an endless run is abandoned when the program stops", async () => {
  const program = new Program({});
  const url = await program.url();
  const answer = run(url, "hang");
  await program.logged("hanging");
  program.kill("SIGTERM");
  const response = await answer;
  assertEquals([response.status, (await response.json()).code], [503, "OVERLOADED"]);
  assertEquals((await program.ended()).code, 0);
});

Deno.test("program: a second signal ends it immediately", async () => {
  const program = new Program({});
  const answer = run(await program.url(), "hang").then(
    (response) => response.body?.cancel(),
    () => undefined,
  );
  await program.logged("hanging");
  program.kill("SIGINT");
  await program.logged("stopping");
  program.kill("SIGINT");
  const { code, err } = await program.ended();
  await answer;
  assert(code !== 0);
  assert(!err.includes("runtime closed"));
});

Deno.test("program: a bad configuration ends the start and names the variables", async () => {
  const { code, out, err } = await new Program({ PORT: "none", WALL_MS: "0" }).ended();
  assertEquals([code, out], [1, ""]);
  assertMatch(err, /^Belljar cannot start:\n {2}PORT must .*\n {2}WALL_MS must .*\n$/);
});

Deno.test("program: build builds the enabled languages and ends, even where serving is not allowed", async () => {
  const { code, out } = await new Program({ CACHE_DIR: "/x", DENO_DEPLOY: "1" }, ["build"]).ended();
  assertEquals([code, out], [0, "/x javascript\n"]);
});

Deno.test("program: unknown arguments end it with a hint", async () => {
  for (const words of [["bild"], ["build", "javascript"]]) {
    const { code, out, err } = await new Program({}, words).ended();
    assertEquals([code, out], [2, ""]);
    assertStringIncludes(err, "build");
  }
});

Deno.test("program: another address bound through DENO_SERVE_ADDRESS is refused without tokens", async () => {
  const { code, err } = await new Program({ DENO_SERVE_ADDRESS: "tcp:0.0.0.0:0" }).ended();
  assertEquals(code, 1);
  assertStringIncludes(err, "TOKENS must be set because DENO_SERVE_ADDRESS is set");
});

Deno.test("program: with tokens it serves where the platform binds it, under any Host", async () => {
  const program = new Program({ DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0", TOKENS: "a:secret" });
  const url = await program.url();
  const unauthorized = await run(url, "1");
  assertEquals(unauthorized.status, 401);
  await unauthorized.body?.cancel();
  const answer = await exchange(
    url,
    "GET /languages HTTP/1.1\r\nhost: service.example\r\nauthorization: Bearer secret\r\n\r\n",
  );
  assert(answer.startsWith("HTTP/1.1 200 "), answer);
  program.kill("SIGTERM");
  const { err } = await program.ended();
  assert(!err.includes("secret"));
});

Deno.test("program: on loopback a foreign Host is refused", async () => {
  const program = new Program({ AUTH: "none" });
  const url = await program.url();
  const answer = await exchange(url, "GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n");
  assert(answer.startsWith("HTTP/1.1 403 "), answer);
  program.kill("SIGTERM");
  assertEquals((await program.ended()).code, 0);
});
