// test: slow
/** E2B's commands: start, follow, list and end, in messages of the Connect protocol. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startService } from "../../support/service.ts";
import { shellTest } from "../../support/shell_engine.ts";

const ENV = { LANGUAGES: "python,shell", ISOLATES: "2" };

interface Message {
  readonly event?: {
    readonly start?: { readonly pid: number };
    readonly data?: { readonly stdout?: string; readonly stderr?: string };
    readonly end?: { readonly exitCode: number; readonly exited: boolean; readonly status: string };
  };
  readonly error?: { readonly code: string; readonly message: string };
}

function enveloped(value: unknown): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(value));
  const bytes = new Uint8Array(5 + json.length);
  new DataView(bytes.buffer).setUint32(1, json.length);
  bytes.set(json, 5);
  return bytes;
}

/** The messages of a stream as they arrive. */
async function* messagesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Message> {
  let held = new Uint8Array();
  for await (const chunk of body ?? []) {
    held = Uint8Array.from([...held, ...chunk]);
    while (held.length >= 5) {
      const length = new DataView(held.buffer).getUint32(1);
      if (held.length < 5 + length) break;
      yield JSON.parse(new TextDecoder().decode(held.subarray(5, 5 + length)));
      held = held.slice(5 + length);
    }
  }
}

class Box {
  constructor(readonly url: string, readonly id: string) {}

  static async create(url: string): Promise<Box> {
    const response = await fetch(`${url}/e2b/sandboxes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ templateID: "base", timeout: 60 }),
    });
    const { sandboxID } = await response.json();
    return new Box(url, sandboxID);
  }

  async stream(name: string, value: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.url}/e2b/process.Process/${name}`, {
      method: "POST",
      headers: {
        "content-type": "application/connect+json",
        "e2b-sandbox-id": this.id,
        ...headers,
      },
      body: enveloped(value),
    });
    assertEquals(response.headers.get("content-type"), "application/connect+json");
    return messagesOf(response.body);
  }

  start(command: string, more: object = {}, headers: Record<string, string> = {}) {
    const process = { cmd: "/bin/bash", args: ["-l", "-c", command], envs: {}, ...more };
    return this.stream("Start", { process, stdin: false }, headers);
  }

  async unary(name: string, value: unknown): Promise<Response> {
    return await fetch(`${this.url}/e2b/process.Process/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "e2b-sandbox-id": this.id },
      body: JSON.stringify(value),
    });
  }
}

/** The output of a command, its exit code, and the error of its stream. */
async function outcome(messages: AsyncGenerator<Message>) {
  const written = { stdout: "", stderr: "" };
  let exitCode: number | undefined;
  let error: string | undefined;
  for await (const { event, error: failure } of messages) {
    for (const name of ["stdout", "stderr"] as const) {
      written[name] += new TextDecoder().decode(Uint8Array.fromBase64(event?.data?.[name] ?? ""));
    }
    exitCode = event?.end?.exitCode ?? exitCode;
    error = failure?.code ?? error;
  }
  return { ...written, exitCode, error };
}

shellTest("E2B's commands over the protocol", async (t) => {
  await using service = await startService(ENV);
  const box = await Box.create(service.url);
  await t.step("streams, exit code, directory and variables", async () => {
    const ran = await outcome(
      await box.start('mkdir -p src; cd src; printf "$A $PWD"; echo err >&2; exit 3', {
        envs: { A: "it's" },
      }),
    );
    assertEquals(ran, {
      stdout: "it's /home/user/src",
      stderr: "err\n",
      exitCode: 3,
      error: undefined,
    });
    const { stdout } = await outcome(await box.start("pwd; ls ..; echo ~", { cwd: "src" }));
    assertEquals(stdout, "/home/user/src\nsrc\n/home/user\n");
  });
  await t.step("a missing directory, and input, are told", async () => {
    const { exitCode, stderr } = await outcome(await box.start("ls", { cwd: "/nope" }));
    assertEquals(exitCode, 1);
    assertStringIncludes(stderr, "/nope");
    const process = { cmd: "/bin/bash", args: ["-c", "cat"] };
    const refused = await outcome(await box.stream("Start", { process, stdin: true }));
    assertEquals(refused.error, "unimplemented");
  });
  await t.step("a command that runs is listed, followed and ended", async () => {
    const messages = await box.start("echo first; while :; do :; done");
    const { value: started } = await messages.next();
    const pid = started?.event?.start?.pid ?? 0;
    const listed = await (await box.unary("List", {})).json();
    assertEquals(listed.processes.map((process: { pid: number }) => process.pid), [pid]);
    assertEquals(listed.processes[0].config.args.at(-1), "echo first; while :; do :; done");
    const follower = await box.stream("Connect", { process: { pid } });
    assertEquals((await follower.next()).value?.event?.start?.pid, pid);
    const order = { process: { pid }, signal: "SIGNAL_SIGKILL" };
    const signalled = await box.unary("SendSignal", order);
    assertEquals([signalled.status, await signalled.json()], [200, {}]);
    assertEquals((await outcome(messages)).exitCode, 137);
    assertEquals((await outcome(follower)).exitCode, 137);
    assertEquals((await (await box.unary("List", {})).json()).processes, []);
    const again = await box.unary("SendSignal", order);
    assertEquals([again.status, (await again.json()).code], [404, "not_found"]);
    const gone = await outcome(await box.stream("Connect", { process: { pid } }));
    assertEquals(gone.error, "not_found");
  });
  await t.step("a time-out of the caller ends a command", async () => {
    const ran = await outcome(
      await box.start("while :; do :; done", {}, { "connect-timeout-ms": "300" }),
    );
    assertEquals([ran.exitCode, ran.error], [undefined, "deadline_exceeded"]);
  });
  await t.step("a limit ends a command as a signal does, and says why", async () => {
    const ran = await outcome(await box.start("echo so far; sleep 100000"));
    assertEquals([ran.stdout, ran.exitCode], ["so far\n", 137]);
    assertStringIncludes(ran.stderr, "Wall clock limit");
  });
  await t.step("a body that is no message is refused", async () => {
    const response = await box.unary("Start", { process: { cmd: "ls" } });
    assert(!response.ok);
    assertStringIncludes((await response.json()).message, "Connect protocol");
  });
});
