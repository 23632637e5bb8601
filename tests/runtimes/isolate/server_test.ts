import { assertEquals, assertRejects } from "@std/assert";
import type { Engine, RunOutcome } from "../../../runtimes/engine/engine.ts";
import { LIMITS_HEADER } from "../../../runtimes/isolate/protocol.ts";
import { IsolateServer, type IsolateServerOptions } from "../../../runtimes/isolate/server.ts";
import { encodeMessage } from "../../../shared/message.ts";

const TOKEN = "token";
const OUTCOME: RunOutcome = {
  ending: { kind: "none" },
  fuelConsumed: 0,
  memoryBytes: 0,
  durationMs: 0,
  intact: true,
};
const ENGINE: Engine = {
  language: "perl",
  healthy: true,
  run: () => OUTCOME,
  reset: () => undefined,
};

function serverOf(
  createEngine: () => Promise<Engine>,
  options: Partial<IsolateServerOptions> = {},
): IsolateServer {
  return new IsolateServer({
    token: TOKEN,
    createEngine,
    writeFrame: () => undefined,
    nextDelivery: () => undefined,
    readInput: (length) => new Uint8Array(length),
    random: (target) => void target.fill(0),
    monotonic: () => 0,
    defer: (task) => task(),
    ...options,
  });
}

const LIMITS = JSON.stringify({ memoryBytes: 65_536, fileBytes: 1, workspaceBytes: 1 });

function post(path: string, body: Uint8Array<ArrayBuffer>, token = TOKEN): Request {
  const headers = { authorization: `Bearer ${token}`, [LIMITS_HEADER]: LIMITS };
  return new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body });
}

const ENGINE_MESSAGE = encodeMessage({ language: "perl" });
const RUN_MESSAGE = encodeMessage({ run: 1, env: [], typescript: false, limits: {} }, [
  new Uint8Array(),
  new Uint8Array(),
]);

Deno.test("isolate server: a caller without the token gets no answer", async () => {
  const server = serverOf(() => Promise.reject(new Error("secret")));
  const answer = await server.handle(post("/engine", ENGINE_MESSAGE, "other"));
  assertEquals([answer.status, await answer.text()], [401, ""]);
});

Deno.test("isolate server: an engine that cannot be loaded is reported in one capped line", async () => {
  const server = serverOf(() => Promise.reject(new RangeError(`no\nmemory${"!".repeat(1_000)}`)));
  const answer = await server.handle(post("/engine", ENGINE_MESSAGE));
  const text = await answer.text();
  assertEquals([answer.status, text.length], [500, 512]);
  assertEquals(text.slice(0, 24), "RangeError: no memory!!!");
});

Deno.test("isolate server: a message that cannot be read is reported as well", async () => {
  const server = serverOf(() => Promise.resolve(ENGINE));
  const answer = await server.handle(post("/engine", new Uint8Array([9, 0, 0, 0])));
  assertEquals(await answer.text(), "ProtocolError: the message is cut short");
});

Deno.test("isolate server: once a guest has run, a failed load reports nothing", async () => {
  let fails = false;
  const server = serverOf(() =>
    fails ? Promise.reject(new Error("secret")) : Promise.resolve(ENGINE)
  );
  assertEquals((await server.handle(post("/engine", ENGINE_MESSAGE))).status, 204);
  assertEquals((await server.handle(post("/run", RUN_MESSAGE))).status, 200);
  fails = true;
  await assertRejects(() => server.handle(post("/engine", ENGINE_MESSAGE)), Error, "secret");
});

Deno.test("isolate server: standard input is a part of its own, absent when it is empty", async () => {
  const given: (Uint8Array | undefined)[] = [];
  const engine: Engine = {
    ...ENGINE,
    run: ({ stdin }) => {
      given.push(stdin?.slice());
      return OUTCOME;
    },
  };
  const server = serverOf(() => Promise.resolve(engine));
  await server.handle(post("/engine", ENGINE_MESSAGE));
  const head = { run: 1, env: [], typescript: false, limits: {} };
  const bytes = new Uint8Array([0, 0xff, 10]);
  for (const stdin of [bytes, new Uint8Array()]) {
    await server.handle(post("/run", encodeMessage(head, [new Uint8Array(), stdin])));
  }
  const lacking = await server.handle(post("/run", encodeMessage(head, [new Uint8Array()])));
  assertEquals([given, lacking.status], [[bytes, undefined], 409]);
});

Deno.test("isolate server: memory is put back at once between runs without pauses, later after others", async () => {
  let now = 1_000;
  const soon: boolean[] = [];
  const options: Partial<IsolateServerOptions> = {
    monotonic: () => now,
    defer: (_task, isSoon) => void soon.push(isSoon),
  };
  const server = serverOf(() => Promise.resolve(ENGINE), options);
  await server.handle(post("/engine", ENGINE_MESSAGE));
  for (const pause of [0, 1, 15, 100, 1, 30]) {
    now += pause;
    assertEquals((await server.handle(post("/run", RUN_MESSAGE))).status, 200);
  }
  assertEquals(soon, [false, true, true, false, true, false]);
});
