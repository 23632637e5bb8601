/** Calling again what was refused before it began. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { getSandbox, type RetryOptions, runCode, SandboxError } from "../../client/mod.ts";
import { failing, recorder, RESULT } from "./recording.ts";

/** Waits nothing, remembers how long it should have. */
function instant(options: RetryOptions = {}): [RetryOptions, number[]] {
  const waits: number[] = [];
  const sleep = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
  return [{ random: () => 0.5, sleep, ...options }, waits];
}

/** Refuses the first `times` requests. */
function refusing(times: number, refusal: () => Response) {
  return recorder((_request, count) => count <= times ? refusal() : Response.json(RESULT));
}

Deno.test("client retry: 429 and 503 of the service are tried again, with growing jitter", async () => {
  for (const [code, status] of [["RATE_LIMITED", 429], ["OVERLOADED", 503]] as const) {
    const [retry, waits] = instant();
    const binding = refusing(3, () => failing(code, status));
    assertEquals((await runCode(binding, "1", { retry })).code, "1");
    assertEquals([binding.seen.length, waits], [4, [125, 250, 500]]);
    assertEquals(binding.seen.map(({ body }) => body), Array(4).fill({ code: "1" }));
  }
});

Deno.test("client retry: a wait is Retry-After or retryAfterMs, plus jitter", async () => {
  const [retry, waits] = instant();
  const answers = [
    () => failing("OVERLOADED", 503, { headers: { "retry-after": "2" } }),
    () => {
      const context = { retryAfterMs: 700 };
      return failing("OVERLOADED", 503, { context, headers: { "retry-after": "9" } });
    },
  ];
  const binding = recorder((_request, count) => answers[count - 1]?.() ?? Response.json(RESULT));
  await runCode(binding, "1", { retry });
  assertEquals(waits, [2125, 950]);
});

Deno.test("client retry: withRetry() stops after the maximum number of attempts", async () => {
  const [retry, waits] = instant({ attempts: 2 });
  const binding = refusing(9, () => failing("RATE_LIMITED", 429, { context: { limit: "runs" } }));
  const error = await assertRejects(() => runCode(binding, "1", { retry }), SandboxError);
  assertEquals([error.code, error.retryable, error.context], ["RATE_LIMITED", true, {
    limit: "runs",
  }]);
  assertEquals([binding.seen.length, waits.length], [2, 1]);
});

Deno.test("client retry: an invalid number of attempts means one", async () => {
  for (const attempts of [0, -1, 1, NaN]) {
    const [retry] = instant({ attempts });
    const binding = refusing(9, () => failing("OVERLOADED", 503));
    await assertRejects(() => runCode(binding, "1", { retry }), SandboxError);
    assertEquals(binding.seen.length, 1);
  }
});

Deno.test("client retry: a wait beyond the maximum ends the call at once", async () => {
  const [retry, waits] = instant();
  const headers = { "retry-after": "31" };
  const binding = refusing(1, () => failing("RATE_LIMITED", 429, { headers }));
  const error = await assertRejects(() => runCode(binding, "1", { retry }), SandboxError);
  assertEquals([error.retryAfterMs, waits], [31_000, []]);
});

Deno.test("client retry: false switches it off, for a call and for a sandbox", async () => {
  const binding = refusing(1, () => failing("OVERLOADED", 503));
  await assertRejects(() => runCode(binding, "1", { retry: false }), SandboxError);
  const other = refusing(1, () => failing("OVERLOADED", 503));
  const { interpreter } = getSandbox(other.namespace, "a", { retry: false });
  await assertRejects(() => interpreter.runCode("1", { binding: "RUBY" }), SandboxError);
  assertEquals([binding.seen.length, other.seen.length], [1, 1]);
  await interpreter.runCode("1", { binding: "RUBY", retry: instant()[0] });
});

Deno.test("client retry: a call that may have begun is never retried", async () => {
  const [retry] = instant();
  const answers = [
    () => failing("INTERNAL_ERROR", 502),
    () => failing("INTERNAL_ERROR", 500),
    () => failing("CONFLICT", 409),
    () => new Response("proxy", { status: 503 }),
    () => new Response("not JSON"),
    () => Promise.reject(new TypeError("connection reset")),
  ];
  for (const answer of answers) {
    const binding = recorder(answer);
    await assertRejects(() => runCode(binding, "1", { retry }), SandboxError);
    assertEquals(binding.seen.length, 1);
  }
});

Deno.test("client retry: a signal ends the wait", async () => {
  const controller = new AbortController();
  const binding = recorder(() => {
    queueMicrotask(() => controller.abort("enough"));
    return failing("OVERLOADED", 503, { headers: { "retry-after": "20" } });
  });
  const reason = await runCode(binding, "1", { signal: controller.signal }).then(
    () => "resolved",
    (thrown: unknown) => thrown,
  );
  assertEquals([reason, binding.seen.length], ["enough", 1]);
});

Deno.test("client retry: a timeout counts the waits", async () => {
  const headers = { "retry-after": "20" };
  const binding = refusing(9, () => failing("OVERLOADED", 503, { headers }));
  const call = () => runCode(binding, "1", { timeout: 20 });
  assertEquals((await assertRejects(call, DOMException)).name, "TimeoutError");
});

Deno.test("client retry: a refused call is retried after a short wait by default", async () => {
  const binding = refusing(1, () => failing("OVERLOADED", 503));
  await runCode(binding, "1");
  assert(binding.seen.length === 2);
});
