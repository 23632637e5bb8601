import { assert, assertEquals } from "@std/assert";
import { leave } from "../support/leavers.ts";
import { atWork, atWorkBelow, isAlive, processTree } from "../support/process.ts";
import { callJson, type Program, startOnPort, startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";

const TOKEN = "canary-runtime-token-3d";
const CALLER = { headers: { authorization: "Bearer canary-caller-token-9a" } };
/** An endless loop is still going on when it is killed, on any machine. */
const NO_FUEL_LIMIT = { FUEL_PYTHON: String(2 ** 50), WALL_MS: "300000" };

function startRuntime(data: string, port = "0"): Promise<Program> {
  return startProgram({
    args: ["runtime", "python"],
    env: { ...NO_FUEL_LIMIT, KV_PATH: data, PORT: port, TOKENS: `gateway:${TOKEN}` },
  });
}

Deno.test("remote: a gateway survives the kill and the return of a runtime in another process", async (t) => {
  const folder = await Deno.makeTempDir();
  let runtime = await startRuntime(`${folder}/runtime.sqlite3`);
  const gateway = await startProgram({
    env: {
      ...NO_FUEL_LIMIT,
      LANGUAGES: "python,javascript",
      PYTHON_URL: runtime.url,
      PYTHON_TOKEN: TOKEN,
      TOKENS: "someone:canary-caller-token-9a",
      KV_PATH: `${folder}/gateway.sqlite3`,
    },
  });
  const box = `${gateway.url}/languages/python/sandboxes/box`;
  const run = (code: string) => callJson(`${box}/execute`, { code }, CALLER);
  const results = async (code: string) => (await run(code)).body["results"];
  const health = async () => (await callJson(`${gateway.url}/healthz`)).body["status"];

  await t.step("stateless runs", async () => {
    const answer = await callJson(`${gateway.url}/execute/python`, { code: "6 * 7" }, CALLER);
    assertEquals(answer.body["results"], [{ text: "42" }]);
  });
  await t.step("standard input, of this run alone", async () => {
    const body = { code: "input()", stdin: "one\ntwo" };
    const rest = { code: "import sys; sys.stdin.read()" };
    for (const url of [`${gateway.url}/execute/python`, `${box}/execute`]) {
      assertEquals((await callJson(url, body, CALLER)).body["results"], [{ text: "'one'" }]);
      assertEquals((await callJson(url, rest, CALLER)).body["results"], [{ text: "''" }]);
    }
  });
  await t.step("contexts, with files both ways", async () => {
    const written = { op: "write", path: "in.txt", content: "hello" };
    assertEquals((await callJson(`${box}/files`, written, CALLER)).status, 200);
    await run("text = open('in.txt').read(); _ = open('out.txt', 'w').write(text * 2)");
    const read = await callJson(`${box}/files`, { op: "read", path: "out.txt" }, CALLER);
    assertEquals(read.body["content"], "hellohello");
    assertEquals(await results("text"), [{ text: "'hello'" }]);
  });
  await t.step("health of both, by GET and HEAD", async () => {
    for (const { url } of [gateway, runtime]) {
      assertEquals((await callJson(`${url}/healthz`)).body["status"], "ok");
      const head = await fetch(`${url}/healthz`, { method: "HEAD" });
      assertEquals([head.status, await head.text()], [200, ""]);
    }
  });
  await t.step(
    "a runtime that is served alone wants its token, and has no gateway's routes",
    async () => {
      assertEquals((await callJson(`${runtime.url}/interpreter`)).status, 401);
      const own = { headers: { authorization: `Bearer ${TOKEN}` } };
      assertEquals(
        (await callJson(`${runtime.url}/interpreter`, undefined, own)).body["contexts"],
        true,
      );
      assertEquals((await callJson(`${runtime.url}/languages`, undefined, own)).status, 404);
    },
  );
  const keyed = (code: string) => {
    const headers = { ...CALLER.headers, "idempotency-key": "canary-key" };
    return callJson(`${box}/execute`, { code }, { headers });
  };
  const COUNT = "n = globals().get('n', 0) + 1\nn";
  const counted = await keyed(COUNT);
  await t.step("a run with a key runs once", async () => {
    assertEquals(counted.body["results"], [{ text: "1" }]);
    assertEquals(await keyed(COUNT), counted);
    assertEquals(await results("n"), [{ text: "1" }]);
  });
  await t.step("gone: 502 that names the binding, while other languages continue", async () => {
    const running = run("text = 'lost'; \nwhile True: pass");
    await atWorkBelow(runtime.pid);
    await runtime.end("SIGKILL");
    const gone = await running;
    assertEquals([gone.status, gone.body["message"]], [
      502,
      "Binding 'PYTHON' could not be called",
    ]);
    assertEquals((await run("text")).status, 502);
    assertEquals(await keyed(COUNT), counted);
    assertEquals(await health(), "degraded");
    const other = await callJson(`${gateway.url}/execute/javascript`, { code: "1 + 1" }, CALLER);
    assertEquals(other.body["results"], [{ text: "2" }]);
  });
  await t.step("back: the committed state is there, and nothing else", async () => {
    const { port } = new URL(runtime.url);
    runtime = await startOnPort(() => startRuntime(`${folder}/runtime.sqlite3`, port));
    assertEquals(await results("text"), [{ text: "'hello'" }]);
    assertEquals(await results("open('out.txt').read()"), [{ text: "'hellohello'" }]);
    assertEquals(await health(), "ok");
  });
  await t.step("deleting the sandbox deletes it over there", async () => {
    const gone = await callJson(box, undefined, { ...CALLER, method: "DELETE" });
    assertEquals(gone.status, 200);
    assertEquals(await results("'text' in globals()"), [{ text: "False" }]);
  });
  await gateway.end("SIGTERM");
  await runtime.end("SIGTERM");
  const written = gateway.output() + runtime.output();
  assert(written.includes("runtime.unreachable"));
  assertEquals(written.match(/canary[\w-]*/g), null);
  await Deno.remove(folder, { recursive: true });
});

/** Longer than any step waits: a run that is not ended holds the one isolate for as long. */
const WALL_MS = "300000";
/** As long as ordinary programs are. */
const COMMENT = `\n// ${"x".repeat(3_000)}`;

Deno.test("remote: a caller that leaves the gateway ends its run at the runtime, and it changes nothing", async (t) => {
  const endless = { WALL_MS, FUEL_JAVASCRIPT: String(2 ** 50), MAX_KILLS_PER_MINUTE: "1000" };
  await using runtime = await startProgram({
    args: ["runtime", "javascript"],
    env: { ...endless, ISOLATES: "1", TOKENS: `gateway:${TOKEN}` },
  });
  await using gateway = await startProgram({
    env: {
      ...endless,
      LANGUAGES: "javascript",
      JAVASCRIPT_URL: runtime.url,
      JAVASCRIPT_TOKEN: TOKEN,
    },
  });
  const box = "/languages/javascript/sandboxes/box/execute";
  const value = async (path: string, code: string) => {
    const { status, body } = await callJson(gateway.url + path, { code });
    assertEquals([status, body["error"]], [200, undefined]);
    return [body["results"], body["executionCount"]];
  };
  await value(box, "var n = 1");
  for (const path of ["/execute", box]) {
    await t.step(path, async () => {
      const [, isolate = 0] = await processTree(runtime.pid);
      const code = `n = 2\nfor (;;);${COMMENT}`;
      await leave(gateway.url, path, { code }, "fetch", () => atWork([isolate], 100));
      await until(async () => !await isAlive(isolate));
      await value("/execute", "1");
      assertEquals((await value(box, "n"))[0], [{ text: "1" }]);
    });
  }
  assertEquals(await value(box, "n"), [[{ text: "1" }], 4]);
});
