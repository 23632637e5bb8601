/**
 * A runtime on another machine that was taken over, or is something else: whatever it answers,
 * callers get a clean 502, and nothing of it is believed.
 */
import { assert, assertEquals } from "@std/assert";
import { encodeNeed, encodeOutcome } from "../../runtimes/remote/protocol.ts";
import { contentHash } from "../../wire/content_hash.ts";
import type { InterpreterExecuteResponse } from "../../wire/run_in_context.ts";
import { encodeMessage } from "../../wire/message.ts";
import { SECURITY_HEADERS } from "../../wire/responses.ts";
import { NearEnd, runArgs, serveHttp, TOKEN } from "./ends.ts";

type Answer = () => Response;

const DATA = new TextEncoder().encode("data");

/** What an honest runtime could say of the run `x`. */
const HONEST: InterpreterExecuteResponse = {
  code: "x",
  language: "python",
  engine: "Fake 1",
  durationMs: 1,
  logs: { stdout: [], stderr: [] },
  results: [{ text: "1" }],
  executionCount: 1,
  context: { id: "c", cwd: "/workspace", executions: 1, snapshot: null },
  workspace: {
    dirs: ["/workspace/d"],
    files: [{ path: "/workspace/d/f", data: DATA, updatedAt: 1 }],
    deleted: [],
  },
  snapshotRef: "s1",
};

const { workspace } = HONEST;
const file = (path: string, updatedAt = 1) => ({ path, data: DATA, updatedAt });
const message = (body: Uint8Array<ArrayBuffer>) => () => new Response(body);
const outcome = (change: Partial<InterpreterExecuteResponse>) =>
  message(encodeOutcome({ ok: true, result: { ...HONEST, ...change } }));
const inContext = (change: Partial<InterpreterExecuteResponse["context"]>) =>
  outcome({ context: { ...HONEST.context, ...change } });
const inWorkspace = (change: Partial<InterpreterExecuteResponse["workspace"]>) =>
  outcome({ workspace: { ...workspace, ...change } });
const failed = (status: number, code: string) =>
  message(encodeMessage({
    failed: {
      code,
      message: "m",
      context: {},
      httpStatus: status,
      timestamp: "2026-01-01T00:00:00.000Z",
    },
  }));

/** Gzip of many zeros: small on its way, huge when read. */
async function bomb(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const zeros = new Blob([new Uint8Array(bytes)]).stream();
  return new Uint8Array(
    await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
}
const BOMB = await bomb(256 * 1024 * 1024);

/** Bytes without end, and without a length. */
function endless(): Response {
  const chunk = new Uint8Array(1024 * 1024);
  return new Response(new ReadableStream({ pull: (out) => out.enqueue(chunk) }));
}

/** Answers to any request. */
const ANYWHERE: Readonly<Record<string, Answer>> = {
  "garbage": () => new Response("\u0000\u0001garbage"),
  "nothing": () => new Response(null),
  "a page": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  "a proxy's 503": () => new Response("<html>", { status: 503 }),
  "401": () => new Response(null, { status: 401 }),
  "204": () => new Response(null, { status: 204 }),
  "418": () => Response.json({ code: "TEAPOT" }, { status: 418 }),
  "no end": endless,
  "a bomb": () => new Response(BOMB, { headers: { "content-encoding": "gzip" } }),
  "bad gzip": () => new Response("x", { headers: { "content-encoding": "gzip" } }),
  "an error of gateways": () =>
    Response.json({
      code: "UNAUTHORIZED",
      message: "m",
      context: {},
      httpStatus: 400,
      timestamp: "2026-01-01T00:00:00.000Z",
    }, { status: 400 }),
};

/** Answers to a run in a context. */
const RUNS: Readonly<Record<string, Answer>> = {
  "an array": message(encodeMessage([])),
  "a cut message": message(encodeMessage({ need: [], ticket: "t" }).slice(0, -3)),
  "a length too far": message(new Uint8Array([255, 255, 255, 255, 0])),
  "a file that is not there": message(encodeNeed(["/workspace/other"], "t")),
  "a file twice": message(encodeNeed(["/workspace/in", "/workspace/in"], "t")),
  "a key of every object": message(encodeNeed(["constructor"], "t")),
  "files again and again": message(encodeNeed(["/workspace/in"], "t")),
  "the ticket lost, always": () => new Response(null, { status: 410 }),
  "another code": outcome({ code: "y" }),
  "another language": outcome({ language: "perl" }),
  "another context": inContext({ id: "d" }),
  "an error and a value": outcome({ error: { name: "E", message: "", traceback: [] } }),
  "a cwd outside": inContext({ cwd: "/etc" }),
  "a cwd that is no directory": inContext({ cwd: "/workspace/d/f" }),
  "no reference": outcome({ snapshotRef: null }),
  "a long reference": outcome({ snapshotRef: "s".repeat(100_000) }),
  "a rollback without a reason": inContext({ rolledBack: true }),
  "a negative time": outcome({ durationMs: -1 }),
  "a file outside": inWorkspace({ files: [file("/etc/passwd")] }),
  "a file above": inWorkspace({ files: [file("/workspace/../x")] }),
  "a file without a directory": inWorkspace({ files: [file("/workspace/e/f")] }),
  "a path twice": inWorkspace({ files: [file("/workspace/f"), file("/workspace/f")] }),
  "a file as a directory": inWorkspace({ files: [file("/workspace/d")] }),
  "a file of no time": inWorkspace({ files: [file("/workspace/f", 1e300)] }),
  "a removal outside": inWorkspace({ deleted: ["/etc/passwd"] }),
  "a large file": inWorkspace({
    files: [{ ...file("/workspace/f"), data: new Uint8Array(5 * 1024 * 1024) }],
  }),
  "many directories": inWorkspace({
    dirs: ["/workspace/d", ...Array.from({ length: 5_000 }, (_, n) => `/workspace/${n}`)],
  }),
  "a code without a meaning": failed(400, "NO_SUCH_CODE"),
  "a code of objects": failed(400, "constructor"),
  "a status of another code": failed(200, "CONFLICT"),
  "an invalid status": failed(99, "INTERNAL_ERROR"),
  "an error of gateways": failed(401, "UNAUTHORIZED"),
  "a value that is no JSON": message(encodeMessage(
    {
      result: { ...HONEST, results: undefined, workspace: undefined },
      values: ["json"],
      dirs: [],
      files: [],
      deleted: [],
    },
    [DATA],
  )),
  "parts missing": message(encodeMessage(
    {
      result: { ...HONEST, results: undefined, workspace: undefined },
      values: ["text"],
      dirs: [],
      files: [],
      deleted: [],
    },
  )),
};

/** Answers to a stateless run. */
const STATELESS: Readonly<Record<string, Answer>> = {
  "an empty object": () => Response.json({}),
  "another language": () => Response.json({ ...stateless(), language: "perl" }),
  "two values": () => Response.json({ ...stateless(), results: [{ text: "1" }, { text: "2" }] }),
  "a value of two kinds": () =>
    Response.json({ ...stateless(), results: [{ text: "1", json: 1 }] }),
  "a context": () => Response.json({ ...stateless(), context: {} }),
  "no logs": () => Response.json({ ...stateless(), logs: { stdout: "x", stderr: [] } }),
  "201": () => Response.json(stateless(), { status: 201 }),
  "a status of another code": () =>
    Response.json({
      code: "CONFLICT",
      message: "m",
      context: {},
      httpStatus: 409,
      timestamp: "2026-01-01T00:00:00.000Z",
    }, { status: 400 }),
};

function stateless() {
  const { code, language, engine, durationMs, logs, results } = HONEST;
  return { code, language, engine, durationMs, logs, results };
}

function executeRequest(): Request {
  return new Request("http://runtime.internal/execute", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: "x" }),
  });
}

async function refusalOf(call: Promise<unknown>): Promise<unknown[]> {
  try {
    await call;
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error("no error");
    return [Reflect.get(error, "status"), error.message];
  }
  return ["no error"];
}

const REFUSAL = [502, "Binding 'PYTHON' could not be called"];

for (const [name, answer] of Object.entries({ ...ANYWHERE, ...RUNS })) {
  Deno.test(`remote: a run in a context that is answered with ${name} is 502`, async () => {
    await using far = serveHttp(answer);
    using near = new NearEnd(far.url);
    const manifest = Object.assign(Object.create(null), { "/workspace/in": contentHash(DATA) });
    const args = { ...runArgs("x"), workspace: { dirs: ["/workspace/d"], manifest } };
    const got = await near.binding.executeInContext(
      "k",
      args,
      (paths) => Promise.resolve(paths.map((path) => file(path))),
    );
    assertEquals(got.ok ? [] : [got.status, got.body.message], REFUSAL);
    assertEquals(near.lines.filter((line) => line.includes(TOKEN)), []);
  });
}

for (const [name, answer] of Object.entries({ ...ANYWHERE, ...STATELESS })) {
  Deno.test(`remote: a stateless run that is answered with ${name} is 502`, async () => {
    await using far = serveHttp(answer);
    using near = new NearEnd(far.url);
    assertEquals(await refusalOf(near.binding.fetch(executeRequest())), REFUSAL);
  });
}

/** What is no HTTP, or too little of it; each connection gets it and is closed. */
const BYTES: Readonly<Record<string, string>> = {
  "nothing": "",
  "another protocol": "SSH-2.0-OpenSSH_9.9\r\n",
  "a head cut short": "HTTP/1.1 200 OK\r\ncontent-le",
  "a body cut short": "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc",
};

for (const [name, bytes] of Object.entries(BYTES)) {
  Deno.test(`remote: ${name} on the wire is 502`, async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const serving = serveBytes(listener, bytes);
    {
      using near = new NearEnd(`http://127.0.0.1:${listener.addr.port}`);
      assertEquals(await refusalOf(near.binding.fetch(executeRequest())), REFUSAL);
      const run = await near.run("x");
      assertEquals(run.ok ? [] : [run.status, run.body.message], REFUSAL);
    }
    listener.close();
    await serving;
  });
}

async function serveBytes(listener: Deno.Listener, bytes: string): Promise<void> {
  try {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(64 * 1024));
      await connection.write(new TextEncoder().encode(bytes));
      connection.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.BadResource)) throw thrown;
  }
}

Deno.test("remote: the honest answer that those are made from is taken", async () => {
  await using far = serveHttp((request) =>
    new URL(request.url).pathname === "/execute" ? Response.json(stateless()) : outcome({})()
  );
  using near = new NearEnd(far.url);
  assertEquals(await near.run("x"), { ok: true, result: HONEST });
  assertEquals(await (await near.binding.fetch(executeRequest())).json(), stateless());
});

Deno.test("remote: writes to the gateway's own store do not pass", async () => {
  const set = { kind: "set", key: ["sandbox", "acme", "box"], value: "x" };
  const writes = { kind: "store writes", checks: [], mutations: [set] } as const;
  await using far = serveHttp(outcome({ writes }));
  using near = new NearEnd(far.url);
  assertEquals(await near.run("x"), { ok: true, result: HONEST });
});

Deno.test("remote: headers that are not a runtime's to set do not pass", async () => {
  const headers = {
    "set-cookie": "a=b",
    "access-control-allow-origin": "*",
    "location": "https://example.com",
    "server-timing": "run;dur=1.000",
    "content-security-policy": "default-src *",
  };
  await using far = serveHttp(() => Response.json(stateless(), { headers }));
  using near = new NearEnd(far.url);
  const answer = await near.binding.fetch(executeRequest());
  assertEquals(
    [...answer.headers.keys()].sort(),
    [
      "cache-control",
      "content-type",
      "server-timing",
      ...Object.keys(SECURITY_HEADERS),
    ].sort(),
  );
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    assertEquals(answer.headers.get(name), value);
  }
  await answer.body?.cancel();
});

Deno.test("remote: a redirection is not followed, and no other host gets the token", async () => {
  const seen: string[] = [];
  await using other = serveHttp((request) => {
    seen.push(request.url);
    return Response.json(stateless());
  });
  for (const status of [301, 302, 303, 307, 308]) {
    await using far = serveHttp(() => Response.redirect(`${other.url}/execute`, status));
    using near = new NearEnd(far.url);
    assertEquals(await refusalOf(near.binding.fetch(executeRequest())), REFUSAL);
    const run = await near.run("x");
    assertEquals(run.ok ? [] : [run.status, run.body.message], REFUSAL);
  }
  assertEquals(seen, []);
});

Deno.test("remote: the log of a failure has no token and no body", async () => {
  await using far = serveHttp(() => new Response("canary-body-1b2c"));
  using near = new NearEnd(far.url);
  await near.run("canary_code_9d8e");
  await refusalOf(near.binding.fetch(executeRequest()));
  assert(near.lines.length > 0);
  assertEquals(near.lines.filter((line) => /canary/.test(line)), []);
});
