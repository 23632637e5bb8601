/**
 * The requests of the client (docs/contract.md#runtime-routes), and those that it refuses to send.
 */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type CodeContext,
  ContextNotFoundError,
  getSandbox,
  runCode,
  type Sandbox,
  ValidationFailedError,
} from "../../client/mod.ts";
import { quoted } from "../../client/protocol/text.ts";
import type {
  ExecutionContext,
  ExecutionError,
  ExecutionResult,
  Usage,
} from "../../client/protocol/types.ts";
import { quoted as serviceQuoted } from "../../client/protocol/text.ts";
import { contextNotFound } from "../../shared/errors.ts";
import { sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { createFakeService } from "./fake_service.ts";
import { type Recorder, recorder, RESULT } from "./recording.ts";

const AT = "https://sandbox.internal";
const CONTEXT = {
  id: "c 1/x",
  binding: "PYTHON",
  language: "python",
  cwd: "/workspace",
  createdAt: "2026-01-02T03:04:05.006Z",
  lastUsed: "2026-01-02T03:04:06.007Z",
};

function answering(body: unknown, status = 200): [Sandbox, Recorder] {
  const binding = recorder(() => Response.json(body, { status }));
  return [getSandbox(binding.namespace, "ada.1"), binding];
}

Deno.test("client: requests to a sandbox carry its id and JSON", async () => {
  const [sandbox, { seen }] = answering(RESULT);
  await sandbox.interpreter.runCode("1", { binding: "PYTHON" });
  assertEquals(seen[0]?.route, `POST ${AT}/execute`);
  assertEquals(seen[0]?.headers.get("x-sandbox-id"), "ada.1");
  assertEquals(seen[0]?.headers.get("content-type"), "application/json");
});

Deno.test("client: runCode sends code and contextId, or code and binding", async () => {
  const [{ interpreter }, { seen }] = answering(RESULT);
  const dates = { createdAt: new Date(), lastUsed: new Date() };
  await interpreter.runCode("1", { context: { ...CONTEXT, ...dates }, binding: "RUBY" });
  await interpreter.runCode("1", { binding: "RUBY", envVars: { A: "b", C: undefined } });
  await interpreter.runCode("1", { binding: "RUBY", timeout: 60_000, stdin: undefined });
  await interpreter.runCode("1", { binding: "RUBY", stdin: "in" });
  assertEquals(seen.map(({ body }) => body), [
    { code: "1", contextId: "c 1/x" },
    { code: "1", binding: "RUBY", envVars: { A: "b", C: null } },
    { code: "1", binding: "RUBY" },
    { code: "1", binding: "RUBY", stdin: "in" },
  ]);
});

Deno.test("client: contexts are made, listed and deleted by their routes", async () => {
  const [{ interpreter }, { seen, routes: none }] = answering(CONTEXT, 201);
  assertEquals(none, []);
  const envVars = { A: "b", C: undefined };
  const made = await interpreter.createCodeContext({
    binding: "PYTHON",
    cwd: "/workspace/x",
    envVars,
  });
  assertEquals<CodeContext>(made, {
    ...CONTEXT,
    createdAt: new Date(CONTEXT.createdAt),
    lastUsed: new Date(CONTEXT.lastUsed),
  });
  await interpreter.createCodeContext({ binding: "PYTHON" });
  assertEquals(seen.map(({ route, body }) => [route, body]), [
    [`POST ${AT}/contexts`, { binding: "PYTHON", cwd: "/workspace/x", envVars: { A: "b" } }],
    [`POST ${AT}/contexts`, { binding: "PYTHON" }],
  ]);
  const [other, binding] = answering({ contexts: [CONTEXT], success: true });
  assertEquals(await other.interpreter.listCodeContexts(), [made]);
  await other.interpreter.deleteCodeContext(made.id);
  assertEquals(binding.routes, [`GET ${AT}/contexts`, `DELETE ${AT}/contexts/c%201%2Fx`]);
});

Deno.test("client: setEnvVars sends undefined as null", async () => {
  const [sandbox, { seen }] = answering({ success: true });
  await sandbox.setEnvVars({ A: "b", C: undefined });
  assertEquals(seen.map(({ route, body }) => [route, body]), [
    [`POST ${AT}/env`, { envVars: { A: "b", C: null } }],
  ]);
});

Deno.test("client: files send op, path and only the options that were given", async () => {
  const [{ files }, { seen }] = answering({ success: true, exists: true, content: "", files: [] });
  await files.exists("a");
  await files.write("a", "text");
  await files.write("a", Uint8Array.of(0, 255), { recursive: true });
  await files.read("a");
  await files.readBytes("a");
  await files.list();
  await files.delete("a", { force: true });
  await files.rename("a", "b");
  assertEquals(seen.map(({ body }) => body), [
    { op: "exists", path: "a" },
    { op: "write", path: "a", content: "text", encoding: "utf-8" },
    { op: "write", path: "a", content: "AP8=", encoding: "base64", recursive: true },
    { op: "read", path: "a", encoding: "utf-8" },
    { op: "read", path: "a", encoding: "base64" },
    { op: "list", path: "/workspace" },
    { op: "delete", path: "a", force: true },
    { op: "rename", path: "a", newPath: "b" },
  ]);
});

Deno.test("client: the free runCode posts to /execute, without id, nulls or probe", async () => {
  const binding = recorder(() => Response.json(RESULT));
  await runCode(binding, "1", { envVars: { A: "b", C: undefined } });
  assertEquals(binding.seen.map(({ body }) => body), [{ code: "1", envVars: { A: "b" } }]);
  assertEquals(binding.routes.map((route) => new URL(route.slice(5)).pathname), ["/execute"]);
  assertEquals(binding.seen[0]?.headers.has("x-sandbox-id"), false);
});

Deno.test("client: Binding 'X' is not a runtime worker", async () => {
  const { interpreter } = getSandbox(createFakeService().env.Sandbox, "ada");
  const calls = [
    () => interpreter.createCodeContext({ binding: "MAIL" }),
    () => interpreter.runCode("1", { binding: "MAIL" }),
  ];
  for (const call of calls) {
    const { message } = await assertRejects(call, ValidationFailedError);
    assertEquals(message, "Binding 'MAIL' is not a runtime worker");
  }
});

Deno.test("client: an entry of the environment without fetch is an unknown binding", async () => {
  const { interpreter } = getSandbox(createFakeService().env.Sandbox, "ada");
  const create = () => interpreter.createCodeContext({ binding: "REGION" });
  assertEquals(
    (await assertRejects(create, ValidationFailedError)).message,
    "Unknown binding 'REGION'",
  );
});

Deno.test("client: invalid arguments are refused before anything is sent", async () => {
  const [sandbox, { seen }] = answering(RESULT);
  const { interpreter, files } = sandbox;
  const here = { binding: "PYTHON" };
  const refused: (readonly [() => Promise<unknown>, string])[] = [
    [() => interpreter.runCode("1"), "Pass a context or a binding"],
    [() => interpreter.runCode("", here), "code must not be empty"],
    [() => Reflect.apply(interpreter.runCode, undefined, [1, here]), "code must be a string"],
    [() => interpreter.runCode("1", { binding: "a-b" }), "Unknown binding 'a-b'"],
    [
      () => Reflect.apply(interpreter.runCode, undefined, ["1", { ...here, stdin: 1 }]),
      "stdin must be a string",
    ],
    [
      () => interpreter.runCode("1", { ...here, envVars: { A: "\0" } }),
      "The value of environment variable 'A' must not contain NUL",
    ],
    [
      () => interpreter.runCode("1", { ...here, timeout: -1 }),
      "timeout must be a number of milliseconds, 0 or more",
    ],
    [
      () => Reflect.apply(interpreter.createCodeContext, undefined, []),
      "Pass a binding or a language",
    ],
    [() => Reflect.apply(interpreter.createCodeContext, undefined, [{ language: "lua" }]), "lua"],
    [() => Reflect.apply(interpreter.createCodeContext, undefined, [{ language: 1 }]), "a string"],
    [
      () => Reflect.apply(interpreter.createCodeContext, undefined, [{ ...here, language: "py" }]),
      "Pass a binding or a language, not both",
    ],
    [() => Reflect.apply(sandbox.setEnvVars, sandbox, [null]), "envVars must be an object"],
    [() => Reflect.apply(sandbox.setEnvVars, sandbox, [{ A: 1 }]), "The value of environment"],
    [() => files.rename("a", ""), "newPath must not be empty"],
    [() => Reflect.apply(files.write, files, ["a", 1]), "content must be a string or a Uint8Array"],
    [() => Reflect.apply(runCode, undefined, [{}, "1"]), "Pass a service binding as the target"],
    [
      () => Reflect.apply(runCode, undefined, [undefined, "1"]),
      "JAVASCRIPT, PYTHON, PERL, RUBY or SHELL",
    ],
  ];
  for (const [call, message] of refused) {
    await assertRejects(call, ValidationFailedError, message);
  }
  assertEquals(seen, []);
});

Deno.test("client: a sandbox id that cannot be one is refused at once", () => {
  const { namespace } = recorder(() => Response.json({}));
  for (const id of ["", "-a", "a-", ".", "..", "a/b", "ä", "a".repeat(64), "a\n"]) {
    assertThrows(() => getSandbox(namespace, id), ValidationFailedError);
  }
  for (const id of ["a", "a.b_c-d", "...", "a".repeat(63)]) getSandbox(namespace, id);
  assertThrows(() => Reflect.apply(getSandbox, undefined, [{}, "a"]), ValidationFailedError);
});

Deno.test("client: its own refusals have the messages of the service", async () => {
  const names = ["", "..", "a/b", "é".repeat(80), "x".repeat(65), "\u{1f600}".repeat(70)];
  for (const name of names) assertEquals(quoted(name), serviceQuoted(name));
  const [{ interpreter }] = answering({ success: true });
  for (const id of ["", "..", "\ud800"]) {
    const error = await assertRejects(
      () => interpreter.deleteCodeContext(id),
      ContextNotFoundError,
    );
    assertEquals(error.message, contextNotFound(id).message);
    assertEquals(error.context, contextNotFound(id).context);
  }
  await withStore(async (store) => {
    const namespace = sandboxProcess(store).forTenant("default");
    for (const id of ["-a", "..", "x".repeat(65)]) {
      const answer = await namespace.get(id).fetch(new Request(AT));
      const { message } = await answer.json();
      assertThrows(() => getSandbox(namespace, id), ValidationFailedError, message);
    }
  });
});

Deno.test("client: a callback that throws rejects the run with its error", async () => {
  const binding = recorder(() => {
    return Response.json({ ...RESULT, logs: { stdout: ["a", "b"], stderr: [] } });
  });
  const seen: string[] = [];
  const run = () =>
    runCode(binding, "1", {
      onStdout: ({ text }) => {
        seen.push(text);
        throw new RangeError("mine");
      },
    });
  await assertRejects(run, RangeError, "mine");
  assertEquals(seen, ["a"]);
});

Deno.test("client: every field of a result is passed on, and nothing else", async () => {
  // `Required`: a new field does not compile until it is here, however optional it is
  const error: Required<ExecutionError> = {
    name: "E",
    message: "m",
    traceback: ["t"],
    lineNumber: 3,
  };
  const usage: Required<Usage> = { fuelConsumed: 1, fuelLimit: 2, memoryBytes: 3 };
  const context: Required<ExecutionContext> = {
    id: "c",
    cwd: "/workspace",
    executions: 4,
    snapshotMs: 0.5,
    expiresAt: 1_790_000_000_000,
    rolledBack: true,
  };
  const whole: Required<ExecutionResult> = {
    ...RESULT,
    logs: { stdout: ["a"], stderr: ["b"] },
    displays: [{
      data: { "text/html": "<b>", "a/b": { ["__proto__"]: [1, null] } },
      metadata: { width: 1 },
      main: true,
    }],
    results: [{ text: "1", json: { deep: [1, null, { a: false }] } }],
    exitCode: 0,
    unterminated: ["stdout"],
    error,
    executionCount: 4,
    usage,
    context,
    waiting: {
      run: "r1",
      calls: [{ key: "r1/1", name: "crm.find", arguments: { q: "x" } }],
      input: { key: "r1/input-1", prompt: "? " },
      until: 1_790_000_000_000,
      expiresAt: 1_790_000_000_000,
    },
  };
  const binding = recorder(() => Response.json({ ...whole, later: "field" }));
  const result = await runCode(binding, "1");
  assertEquals(JSON.parse(JSON.stringify(result)), whole);
  assertEquals(result.results[0]?.formats(), ["text", "json"]);
  const { results, ...rest } = whole;
  assertEquals(Object.keys(result).sort(), Object.keys({ ...rest, results }).sort());
});

Deno.test("client: the description of a sandbox has dates and nulls where they belong", async () => {
  const snapshot = { build: "b", pages: 2, bytes: 8192, storedBytes: 99, takenAt: 1 };
  const used = { ...CONTEXT, engine: "e", executions: 3, snapshot };
  const [sandbox] = answering({
    id: "ada.1",
    createdAt: CONTEXT.createdAt,
    lastUsed: CONTEXT.lastUsed,
    envVars: ["A"],
    contexts: [used, { ...used, snapshot: null }],
    workspace: { files: 1, bytes: 2 },
    expiresAt: 5,
  });
  const info = await sandbox.info();
  assertEquals(info.createdAt, new Date(CONTEXT.createdAt));
  assertEquals(info.contexts.map((context) => context.snapshot), [snapshot, null]);
  assertEquals(info.contexts[0]?.lastUsed, new Date(CONTEXT.lastUsed));
  assertEquals([info.expiresAt, info.workspace], [5, { files: 1, bytes: 2 }]);
});
