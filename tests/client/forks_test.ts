/** Forks and checkpoints: what the client sends, and what it makes of answers. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  type Checkpoint,
  type CodeContext,
  ContextNotFoundError,
  getSandbox,
  type Interpreter,
  SandboxError,
  ValidationFailedError,
} from "../../client/mod.ts";
import { SANDBOX_ORIGIN } from "../../client/protocol/paths.ts";
import type { JsonValue } from "../../client/protocol/types.ts";
import { startService } from "../support/service.ts";
import { connect } from "../../client/connect.ts";
import { failing, recorder } from "./recording.ts";

const DATE = "2026-01-02T03:04:05.006Z";
const CONTEXT = {
  id: "c-1",
  binding: "PYTHON",
  language: "python",
  cwd: "/workspace",
  createdAt: DATE,
  lastUsed: DATE,
};
const CHECKPOINT = { id: "k/1", name: null, createdAt: DATE };

/** A sandbox that gets one answer after the other. */
function answering(...answers: readonly (readonly [number, JsonValue])[]) {
  const binding = recorder((_request, count) => {
    const [status, body] = answers[count - 1] ?? [500, null];
    return Response.json(body, { status });
  });
  return { sandbox: getSandbox(binding.namespace, "ada", { retry: false }), binding };
}

Deno.test("client forks: a context is forked by its route, and so is the fork", async () => {
  const { sandbox, binding } = answering(
    [201, CONTEXT],
    [201, { ...CONTEXT, id: "c 2" }],
    [201, { ...CONTEXT, id: "c-3" }],
  );
  const context = await sandbox.interpreter.createCodeContext({ binding: "PYTHON" });
  const third = await (await context.fork()).fork();
  assertEquals(third.id, "c-3");
  assertEquals(third.createdAt, new Date(DATE));
  assertEquals(binding.seen.slice(1).map(({ route, body }) => [route, body]), [
    [`POST ${SANDBOX_ORIGIN}/contexts/c-1/fork`, {}],
    [`POST ${SANDBOX_ORIGIN}/contexts/c%202/fork`, {}],
  ]);
});

Deno.test("client forks: a context is plain data besides", async () => {
  const { sandbox } = answering([200, { contexts: [CONTEXT] }]);
  const [context] = await sandbox.interpreter.listCodeContexts();
  assertEquals(JSON.parse(JSON.stringify(context)), CONTEXT);
  assertEquals(Object.keys(context ?? {}).sort(), Object.keys(CONTEXT).sort());
});

Deno.test("client forks: a sandbox is forked under a name, with the options of its source", async () => {
  const { sandbox, binding } = answering([201, { id: "copy" }], [200, { success: true }]);
  const copy = await sandbox.fork("copy");
  assertEquals(copy.id, "copy");
  await copy.setEnvVars({ A: "1" });
  assertEquals(binding.seen.map(({ route, body }) => [route, body]), [
    [`POST ${SANDBOX_ORIGIN}/fork`, { to: "copy" }],
    [`POST ${SANDBOX_ORIGIN}/env`, { envVars: { A: "1" } }],
  ]);
  assertEquals(binding.seen.map(({ headers }) => headers.get("x-sandbox-id")), ["ada", "copy"]);
  await assertRejects(() => sandbox.fork("no/name"), ValidationFailedError, "no/name");
  assertEquals(binding.seen.length, 2);
});

Deno.test("client forks: a checkpoint is forked by its id", async () => {
  const { sandbox, binding } = answering([201, { id: "copy" }]);
  const copy = await sandbox.fork("copy", { checkpoint: "k/1" });
  assertEquals(copy.id, "copy");
  assertEquals(binding.seen.map(({ route, body }) => [route, body]), [
    [`POST ${SANDBOX_ORIGIN}/fork`, { to: "copy", checkpoint: "k/1" }],
  ]);
  const missing = () => sandbox.fork("copy", { checkpoint: "" });
  assertEquals((await assertRejects(missing, SandboxError)).code, "CHECKPOINT_NOT_FOUND");
  assertEquals(binding.seen.length, 1);
});

Deno.test("client checkpoints: each call has its route, and dates are dates", async () => {
  const { sandbox: { checkpoints }, binding } = answering(
    [201, { ...CHECKPOINT, name: "first" }],
    [201, CHECKPOINT],
    [200, { checkpoints: [CHECKPOINT] }],
    [200, { success: true }],
    [200, { success: true }],
  );
  const read: Checkpoint = { ...CHECKPOINT, createdAt: new Date(DATE) };
  assertEquals(await checkpoints.create({ name: "first" }), { ...read, name: "first" });
  assertEquals(await checkpoints.create(), read);
  assertEquals(await checkpoints.list(), [read]);
  await checkpoints.restore("k/1");
  await checkpoints.delete("k/1");
  assertEquals(binding.seen.map(({ route, body }) => [route, body]), [
    [`POST ${SANDBOX_ORIGIN}/checkpoints`, { name: "first" }],
    [`POST ${SANDBOX_ORIGIN}/checkpoints`, {}],
    [`GET ${SANDBOX_ORIGIN}/checkpoints`, undefined],
    [`POST ${SANDBOX_ORIGIN}/checkpoints/k%2F1/restore`, undefined],
    [`DELETE ${SANDBOX_ORIGIN}/checkpoints/k%2F1`, undefined],
  ]);
});

Deno.test("client checkpoints: an id that none can have is not found, and nothing is sent", async () => {
  const { sandbox: { checkpoints }, binding } = answering();
  for (const id of ["", ".", "..", "\ud800"]) {
    for (const call of [() => checkpoints.restore(id), () => checkpoints.delete(id)]) {
      const { code, httpStatus } = await assertRejects(call, SandboxError);
      assertEquals([code, httpStatus], ["CHECKPOINT_NOT_FOUND", 404]);
    }
  }
  assertEquals(binding.seen, []);
});

Deno.test("client forks: a broken connection is not repeated, a refusal for lack of a place is", async () => {
  let count = 0;
  const binding = recorder(() => {
    if (++count === 1) {
      return failing("RATE_LIMITED", 429, { headers: { "retry-after": "0" } });
    }
    throw new TypeError("broken");
  });
  const sandbox = getSandbox(binding.namespace, "ada", { retry: { attempts: 4 } });
  await assertRejects(() => sandbox.fork("copy"), SandboxError, "could not be called");
  assertEquals(count, 2);
});

Deno.test("client forks, real service: forks diverge, a restore returns to the checkpoint, a copy is independent", async () => {
  await using service = await startService({ LANGUAGES: "javascript" });
  const env = connect(service.url);
  const sandbox = getSandbox(env.Sandbox, "ada");
  const { interpreter, checkpoints, files } = sandbox;
  const value = async (code: string, context: CodeContext, of: Interpreter = interpreter) =>
    (await of.runCode(code, { context })).results[0]?.text;
  const context = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
  await value("globalThis.list = [1]", context);
  const one = await context.fork();
  const two = await one.fork();
  for (const [index, fork] of [one, two].entries()) await value(`list.push(${index})`, fork);
  const all = [context, one, two];
  const states = () => Promise.all(all.map((each) => value("Number(list.join(''))", each)));
  assertEquals(await states(), ["1", "10", "11"]);
  await files.write("notes.txt", "before");

  const { id, name } = await checkpoints.create({ name: "three ways" });
  assertEquals(name, "three ways");
  await value("list.length = 0", context);
  await interpreter.deleteCodeContext(one.id);
  await files.write("notes.txt", "after");
  const copy = await sandbox.fork("copy");
  await checkpoints.restore(id);
  assertEquals(await states(), ["1", "10", "11"]);
  assertEquals(await files.read("notes.txt"), "before");
  assertEquals((await checkpoints.list()).map((each) => each.id), [id]);

  assertEquals(await value("list.length", context, copy.interpreter), "0");
  assertEquals(await copy.files.read("notes.txt"), "after");
  assertEquals(await copy.checkpoints.list(), []);
  await assertRejects(() => value("1", one, copy.interpreter), ContextNotFoundError);
  const conflict = await assertRejects(() => sandbox.fork("copy"), SandboxError);
  assertEquals(conflict.code, "CONFLICT");
  await checkpoints.delete(id);
  const gone = await assertRejects(() => checkpoints.restore(id), SandboxError);
  assertEquals([gone.code, gone.context], ["CHECKPOINT_NOT_FOUND", { checkpointId: id }]);
});
