/** The error table of the client, and answers that cannot be trusted. */
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  connect,
  ContextNotFoundError,
  ERROR_STATUSES,
  FileExistsError,
  FileNotFoundError,
  FileSystemError,
  FileTooLargeError,
  getSandbox,
  PermissionDeniedError,
  runCode,
  SandboxError,
  ValidationFailedError,
} from "../../client/mod.ts";
import { failing, recorder, RESULT } from "./recording.ts";

const OWN_CLASS: Readonly<Record<string, unknown>> = {
  VALIDATION_FAILED: ValidationFailedError,
  CONTEXT_NOT_FOUND: ContextNotFoundError,
  FILE_NOT_FOUND: FileNotFoundError,
  FILE_EXISTS: FileExistsError,
  PERMISSION_DENIED: PermissionDeniedError,
  IS_DIRECTORY: FileSystemError,
  NOT_DIRECTORY: FileSystemError,
  FILE_TOO_LARGE: FileTooLargeError,
  NO_SPACE: FileSystemError,
  FILESYSTEM_ERROR: FileSystemError,
};

/** The error of a call that is answered so. */
async function errorOf(answer: () => Response | Promise<Response>): Promise<SandboxError> {
  return await assertRejects(
    () => runCode(recorder(answer), "1", { retry: false }),
    SandboxError,
  );
}

Deno.test("client errors: every code of the table has its class, and all five fields", async () => {
  for (const [code, statuses] of Object.entries(ERROR_STATUSES)) {
    for (const status of statuses) {
      const error = await errorOf(() => failing(code, status, { context: { limit: "x" } }));
      assertEquals(error.constructor, OWN_CLASS[code] ?? SandboxError, code);
      assertEquals(error.name, error.constructor.name);
      assertEquals([error.code, error.httpStatus, error.message], [code, status, `it is ${code}`]);
      assertEquals(error.context, { limit: "x" });
      assertEquals(error.timestamp, "2026-01-02T03:04:05.006Z");
      assertEquals(error.retryable, code === "RATE_LIMITED" || code === "OVERLOADED");
      assertInstanceOf(error, Error);
    }
  }
});

Deno.test("client errors: a code that is not in the table is a SandboxError with it", async () => {
  for (const code of ["BRAND_NEW", "toString", "__proto__", "constructor"]) {
    const error = await errorOf(() => failing(code, 418));
    assertEquals([error.constructor, error.code, error.httpStatus], [SandboxError, code, 418]);
  }
});

Deno.test("client errors: an error that is not the service's has its status", async () => {
  const answers: (readonly [Response, number, string])[] = [
    [new Response("<html>Bad gateway", { status: 502 }), 502, "INTERNAL_ERROR"],
    [new Response("", { status: 503, headers: { "retry-after": "1" } }), 503, "INTERNAL_ERROR"],
    [new Response("slow down", { status: 429 }), 429, "RATE_LIMITED"],
    [Response.json({ message: "no code" }, { status: 401 }), 401, "UNAUTHORIZED"],
    [Response.json(["?"], { status: 500 }), 500, "INTERNAL_ERROR"],
    [new Response(null, { status: 302, headers: { location: "/" } }), 302, "INTERNAL_ERROR"],
    [Response.json(RESULT, { status: 202 }), 202, "INTERNAL_ERROR"],
  ];
  for (const [answer, status, code] of answers) {
    const error = await errorOf(() => answer);
    assertEquals([error.httpStatus, error.code], [status, code]);
    assertEquals(error.message, `The service answered with status ${status}`);
  }
});

Deno.test("client errors: fields of an error that are of another kind are left out", async () => {
  const body = { code: "CONFLICT", message: "m", context: [1], timestamp: 5, operation: {} };
  const error = await errorOf(() => Response.json(body, { status: 409 }));
  assertEquals([error.context, error.operation], [{}, undefined]);
  assert(!Number.isNaN(Date.parse(error.timestamp)));
});

Deno.test("client errors: a binding that cannot be called is a SandboxError with the cause", async () => {
  const cause = new TypeError("connection refused");
  const error = await errorOf(() => Promise.reject(cause));
  assertEquals([error.code, error.httpStatus], ["INTERNAL_ERROR", 502]);
  assertEquals(error.message, "The binding could not be called");
  assertEquals([error.cause, error.retryable], [cause, false]);
});

Deno.test("client errors: a binding that returns no Response is a SandboxError", async () => {
  for (const value of [undefined, null, 1, {}, "text", { status: 200 }]) {
    const target = { fetch: () => Promise.resolve(value) };
    const call = () => Reflect.apply(runCode, undefined, [target, "1"]);
    assertEquals((await assertRejects(call, SandboxError)).httpStatus, 502);
  }
});

Deno.test("client errors: an interrupted answer is a SandboxError", async () => {
  const broken = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"code": '));
      controller.error(new TypeError("broken pipe"));
    },
  });
  assertEquals((await errorOf(() => new Response(broken))).httpStatus, 502);
});

Deno.test("client errors: an endless answer is an error, and its stream is cancelled", async () => {
  const state = { cancelled: false };
  const chunk = new Uint8Array(1024 * 1024).fill(0x20);
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(chunk),
    cancel: () => void (state.cancelled = true),
  });
  const error = await errorOf(() => new Response(endless));
  assertEquals(error.message, "The answer is larger than 67108864 bytes");
  assertEquals(state.cancelled, true);
});

const WRONG_RESULTS: readonly unknown[] = [
  undefined,
  null,
  [],
  "text",
  {},
  { ...RESULT, code: 1 },
  { ...RESULT, durationMs: "1" },
  { ...RESULT, logs: undefined },
  { ...RESULT, logs: { stdout: "a", stderr: [] } },
  { ...RESULT, logs: { stdout: [1], stderr: [] } },
  { ...RESULT, results: {} },
  { ...RESULT, results: [null] },
  { ...RESULT, results: [{ text: 1 }] },
  { ...RESULT, error: "bad" },
  { ...RESULT, error: { name: "E", message: "m" } },
  { ...RESULT, usage: { fuelConsumed: 1 } },
  { ...RESULT, context: { id: "a", cwd: "/", executions: "1" } },
  { ...RESULT, executionCount: null },
];

Deno.test("client errors: a result of another shape is a SandboxError that names the field", async () => {
  for (const result of WRONG_RESULTS) {
    const error = await errorOf(() => new Response(JSON.stringify(result) ?? ""));
    assertEquals([error.code, error.httpStatus], ["INTERNAL_ERROR", 502]);
    assert(error.message.startsWith("The service answered with something unexpected: "));
    assertEquals(error.context, { status: 200 });
  }
  const huge = JSON.stringify(RESULT).replace('"durationMs":1', '"durationMs":1e999');
  assert((await errorOf(() => new Response(huge))).message.endsWith("durationMs is not a number"));
});

Deno.test("client errors: any other answer is an error, too", async () => {
  const answers = [null, {}, { contexts: [{}] }, { files: [{ name: 1 }] }, { content: "*" }];
  for (const answer of answers) {
    const binding = recorder(({ route }) => {
      return Response.json(answer, { status: route.startsWith("POST") ? 201 : 200 });
    });
    const files = recorder(() => Response.json(answer));
    const { interpreter } = getSandbox(binding.namespace, "a");
    const sandbox = getSandbox(files.namespace, "a");
    const calls = [
      () => interpreter.createCodeContext({ binding: "PYTHON" }),
      () => interpreter.listCodeContexts(),
      () => sandbox.info(),
      () => sandbox.files.list(),
      () => sandbox.files.readBytes("a"),
      () => sandbox.files.stat("a"),
      () => sandbox.files.exists("a"),
    ];
    for (const call of calls) await assertRejects(call, SandboxError, "something unexpected");
  }
});

Deno.test("client errors: __proto__ in an answer is data, and pollutes nothing", async () => {
  const poison = '"__proto__": {"polluted": 1, "code": "x"}';
  const text = JSON.stringify({ ...RESULT, results: [{ json: 1 }] }).replace(
    "1}]",
    `{${poison}}}]`,
  );
  const { results } = await runCode(recorder(() => new Response(text)), "1");
  const { json } = results[0] ?? {};
  assert(typeof json === "object" && json !== null);
  assertEquals(Object.keys(json), ["__proto__"]);
  assertEquals("polluted" in {}, false);
  const onlyInherited = `{"__proto__": ${JSON.stringify(RESULT)}}`;
  await errorOf(() => new Response(onlyInherited));
  const error = await errorOf(() => {
    const body = `{"code": "CONFLICT", "message": "m", "context": {${poison}}}`;
    return new Response(body, { status: 409 });
  });
  assertEquals(error.context["polluted"], undefined);
});

Deno.test("client errors: no message and no cause shows the token", async () => {
  const fetch = () => Promise.reject(new TypeError("no route to host"));
  const env = connect("http://a.example", { token: "hush-hush", fetch });
  const error = await assertRejects(() => runCode(env.RUBY, "1"), SandboxError);
  assertEquals(Deno.inspect(error, { depth: 10 }).includes("hush"), false);
});
