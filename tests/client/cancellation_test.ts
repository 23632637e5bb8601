/** Signals, timeouts, and the end of a sandbox object. */
import { assertEquals, assertRejects } from "@std/assert";
import { getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import { failing, neverAnswering, recorder, RESULT } from "./recording.ts";

async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(() => "resolved", (thrown: unknown) => thrown);
}

Deno.test("client cancel: an abort rejects with the signal's reason and reaches the request", async () => {
  const binding = neverAnswering();
  const controller = new AbortController();
  const run = reasonOf(runCode(binding, "1", { signal: controller.signal, timeout: 60_000 }));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(binding.seen[0]?.signal.aborted, false);
  const reason = { why: "changed my mind" };
  controller.abort(reason);
  assertEquals(await run, reason);
  assertEquals(binding.seen[0]?.signal.aborted, true);
});

Deno.test("client cancel: a signal that has fired sends nothing", async () => {
  const binding = neverAnswering();
  const run = runCode(binding, "1", { signal: AbortSignal.abort("before") });
  assertEquals(await reasonOf(run), "before");
  assertEquals(binding.seen, []);
});

Deno.test("client cancel: a timeout rejects with a TimeoutError, with and without a signal", async () => {
  const { signal } = new AbortController();
  for (const options of [{ timeout: 5 }, { timeout: 5, signal }]) {
    const binding = neverAnswering();
    const error = await assertRejects(() => runCode(binding, "1", options), DOMException);
    assertEquals(error.name, "TimeoutError");
    assertEquals(binding.seen[0]?.signal.aborted, true);
  }
});

Deno.test("client cancel: the timeout of a sandbox applies to calls without their own", async () => {
  const binding = neverAnswering();
  const { files } = getSandbox(binding.namespace, "a", { timeout: 5 });
  assertEquals((await assertRejects(() => files.exists("a"), DOMException)).name, "TimeoutError");
});

Deno.test("client cancel: Infinity and very long timeouts are no timeouts", async () => {
  for (const timeout of [Infinity, 2 ** 40]) {
    const binding = recorder(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return Response.json(RESULT);
    });
    assertEquals((await runCode(binding, "1", { timeout })).code, "1");
  }
});

Deno.test("client cancel: a body that stalls is ended too", async () => {
  const body = new ReadableStream<Uint8Array>();
  const run = () => runCode(recorder(() => new Response(body)), "1", { timeout: 5 });
  assertEquals((await assertRejects(run, DOMException)).name, "TimeoutError");
});

Deno.test("client cancel: an abort after the answer changes nothing", async () => {
  const controller = new AbortController();
  const binding = recorder(() => Response.json(RESULT));
  await runCode(binding, "1", { signal: controller.signal });
  controller.abort();
  assertEquals(binding.seen[0]?.signal.aborted, false);
});

Deno.test("client cancel: any number of calls put one listener on a signal, and take it away", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = { now: 0, most: 0 };
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.most = Math.max(listeners.most, ++listeners.now);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.now--;
    remove(...args);
  };
  const calls = (binding: { fetch(request: Request): Promise<Response> }) =>
    Array.from({ length: 30 }, () => reasonOf(runCode(binding, "1", { signal })));
  await Promise.all(calls(recorder(() => Response.json(RESULT))));
  assertEquals(listeners, { now: 0, most: 1 });
  const pending = calls(neverAnswering());
  assertEquals(listeners, { now: 1, most: 1 });
  controller.abort("enough");
  assertEquals(new Set(await Promise.all(pending)), new Set(["enough"]));
  assertEquals(listeners, { now: 0, most: 1 });
});

Deno.test("client cancel: a value that is not a signal is refused", async () => {
  const call = () => Reflect.apply(runCode, undefined, [neverAnswering(), "1", { signal: {} }]);
  await assertRejects(call, SandboxError, "signal must be an AbortSignal");
});

Deno.test("client dispose: calls under way end, later ones are not made", async () => {
  const binding = neverAnswering();
  const sandbox = getSandbox(binding.namespace, "a");
  const calls = [
    reasonOf(sandbox.info()),
    reasonOf(sandbox.interpreter.runCode("1", { binding: "RUBY" })),
    reasonOf(sandbox.files.read("a")),
  ];
  await new Promise((resolve) => setTimeout(resolve, 0));
  await sandbox[Symbol.asyncDispose]();
  for (const reason of await Promise.all(calls)) {
    assertEquals(reason instanceof DOMException && reason.name, "AbortError");
  }
  assertEquals(binding.seen.map(({ signal }) => signal.aborted), [true, true, true]);
  const error = await assertRejects(() => sandbox.info(), DOMException);
  assertEquals([error.name, binding.seen.length], ["AbortError", 3]);
});

Deno.test("client dispose: another object of the same sandbox continues to work", async () => {
  const binding = recorder(() => Response.json(RESULT));
  const [first, second] = [getSandbox(binding.namespace, "a"), getSandbox(binding.namespace, "a")];
  await first[Symbol.asyncDispose]();
  await second.interpreter.runCode("1", { binding: "RUBY" });
});

Deno.test("client dispose: ephemeral deletes once; a failure is reported", async () => {
  const binding = recorder(() => Response.json({ success: true }));
  {
    await using sandbox = getSandbox(binding.namespace, "a", { ephemeral: true });
    await sandbox[Symbol.asyncDispose]();
  }
  assertEquals(binding.routes, ["DELETE https://sandbox.internal/"]);
  const failed = recorder(() => failing("INTERNAL_ERROR", 500));
  const sandbox = getSandbox(failed.namespace, "a", { ephemeral: true });
  await assertRejects(() => sandbox[Symbol.asyncDispose](), SandboxError);
});
