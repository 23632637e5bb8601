import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { Admission } from "../../gateway/admission.ts";
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import { blobRefSchema } from "../../store/blobs.ts";
import { countIn } from "../../store/transaction.ts";
import { ADMISSION_LIMITS } from "../../shared/limits.ts";
import { until } from "../support/wait.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";
import { keyed, told } from "./keyed.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

async function runsOf(box: Caller): Promise<readonly unknown[]> {
  const { contexts } = await box.ok("GET", "/");
  assert(Array.isArray(contexts));
  return contexts.map(({ binding, executions }) => `${binding} ${executions}`);
}

async function bytesOf(store: KvStore, tenant = "default"): Promise<number> {
  return countIn(await store.get(["sandbox_size", tenant, "bytes"]));
}

/** The counted size of the stored answers of all sandboxes: their bodies and 1 KiB each. */
async function answerBytesOf(store: KvStore): Promise<number> {
  let bytes = 0;
  for await (const { key: [, , order], value } of store.list({ prefix: ["sandbox_answer"] })) {
    if (order === "time") bytes += blobRefSchema.parse(value).bytes + 1_024;
  }
  return bytes;
}

function tidy(sandboxes: Sandboxes): Promise<unknown> {
  return Promise.all(sandboxes.janitorTasks.map((task) => task.run(new AbortController().signal)));
}

Deno.test("repeats: every kind of result is answered again, byte for byte, and nothing runs", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.run("x = 0\nfill large 1500000");
    const codes = [
      "x += 1\nx",
      "print é☃\u2028\nwrite f text",
      "x += 1\nthrow no",
      "x += 1\nlimit",
      "read large", // more than one value, and more than one atomic operation, of the store
      "fill huge 20000000", // the workspace's limit: rolled back at the commit
    ];
    for (const [index, code] of codes.entries()) {
      const first = await keyed(box, `key-${index}`, code);
      assertEquals(told(first), [200, false, index + 2], code);
      const ran = runtimes.PYTHON.runs.length;
      for (let repeat = 0; repeat < 3; repeat++) {
        const again = await keyed(box, `key-${index}`, code);
        assertEquals([again.status, again.replayed, again.text], [200, true, first.text]);
      }
      assertEquals(runtimes.PYTHON.runs.length, ran);
    }
    assertEquals((await box.run("x"))["results"], [{ json: 2 }]);
    assertEquals(await runsOf(box), [`PYTHON ${codes.length + 2}`]);
    await box.ok("DELETE", "/");
    assertEquals([await keysOf(store), await bytesOf(store)], [[], 0]);
  }));

Deno.test("repeats: a refusal is not stored, and its key can run later", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const unknown = { contextId: "none" };
    assertEquals(told(await keyed(box, "k", "1", unknown)), [404, false, "CONTEXT_NOT_FOUND"]);
    assertEquals(told(await keyed(box, "k", "")), [400, false, "VALIDATION_FAILED"]);
    assertEquals(told(await keyed(box, "k", "die")), [502, false, "INTERNAL_ERROR"]);
    const more = { limits: { fuel: Number.MAX_SAFE_INTEGER } };
    assertEquals(told(await keyed(box, "k", "1", more)), [400, false, "VALIDATION_FAILED"]);
    assertEquals(told(await keyed(box, "k", "x = 1")), [200, false, 1]);
    assertEquals(told(await keyed(box, "k", "x = 1")), [200, true, 1]);
  }));

Deno.test("repeats: a key with any other body is 409, which names the key, and nothing runs", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const contextId = await box.context();
    const fields = { contextId, envVars: { A: "1" }, limits: { fuel: 2 } };
    await keyed(box, "k", "x = 1", fields);
    const others = [
      ["x = 2", fields],
      ["x = 1", { ...fields, contextId: undefined }],
      ["x = 1", { ...fields, contextId: "none" }],
      ["x = 1", { ...fields, contextId: undefined, binding: "PERL" }],
      ["x = 1", { ...fields, envVars: { A: "2" } }],
      ["x = 1", { ...fields, envVars: {} }],
      ["x = 1", { ...fields, limits: { fuel: 1 } }],
      ["x = 1", { ...fields, limits: undefined }],
    ] as const;
    for (const [code, other] of others) {
      const { status, body } = await keyed(box, "k", code, other);
      assertEquals([status, body["code"], body["context"]], [409, "CONFLICT", {}]);
      assert(String(body["message"]).includes("Idempotency-Key"));
    }
    assertEquals(runtimes.PYTHON.runs.length, 1);
    assertEquals(await runsOf(box), ["PYTHON 1"]);
    const same = { ...fields, unknown: 1, binding: "PERL" };
    assertEquals(told(await keyed(box, "k", "x = 1", same)), [200, true, 1]);
  }));

Deno.test("repeats: a key belongs to its sandbox and is deleted with it", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store);
    const boxes = [["a", "t"], ["b", "t"], ["a", "u"]].map(([name, tenant]) =>
      new Caller(sandboxes, name, tenant)
    );
    for (const [index, box] of boxes.entries()) {
      assertEquals(told(await keyed(box, "k", `print ${index}`)), [200, false, 1]);
    }
    for (const [index, box] of boxes.entries()) {
      assertEquals(told(await keyed(box, "k", `print ${index}`)), [200, true, 1]);
    }
    const [box] = boxes;
    assert(box !== undefined);
    await box.ok("DELETE", "/");
    assertEquals(told(await keyed(box, "k", "print other")), [200, false, 1]);
  }));

Deno.test("repeats: the answer outlives its context", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const contextId = await box.context();
    const first = await keyed(box, "k", "x = 1", { contextId });
    await box.ok("DELETE", `/contexts/${contextId}`);
    const again = await keyed(box, "k", "x = 1", { contextId });
    assertEquals([again.replayed, again.text], [true, first.text]);
    const other = await keyed(box, "other", "x = 1", { contextId });
    assertEquals(told(other), [404, false, "CONTEXT_NOT_FOUND"]);
    assertEquals(await runsOf(box), []);
  }));

Deno.test("repeats: 40 at once through two processes make one context and run once", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const boxes = [1, 2].map(() => new Caller(sandboxProcess(store, { runtimes })));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => boxes.map((box) => keyed(box, "k", "write f f\nx = 1")))
        .flat(),
    );
    assertEquals(runtimes.PYTHON.runs.length, 1);
    assertEquals(answers.filter(({ replayed }) => !replayed).length, 1);
    assertEquals(new Set(answers.map(({ text }) => text)).size, 1);
    const [box] = boxes;
    assert(box !== undefined);
    assertEquals(await runsOf(box), ["PYTHON 1"]);
  }));

Deno.test("repeats: two simultaneous bodies with one key in two contexts: one runs, the other is 409", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const contexts = [await box.context(), await box.context()];
    const runs = contexts.map((contextId) => keyed(box, "k", "wait\nwrite f f", { contextId }));
    await until(() => runtimes.PYTHON.waits === 2);
    gate.resolve();
    const answers = await Promise.all(runs);
    assertEquals(answers.map(({ status }) => status).sort(), [200, 409]);
    const executions = (await runsOf(box)).map(String).sort();
    assertEquals(executions, ["PYTHON 0", "PYTHON 1"]);
  }));

Deno.test("repeats: when the first caller leaves before the commit, the waiting one runs", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const code = "wait\nx = 1\nwrite f f";
    const leaving = new AbortController();
    const first = keyed(box, "k", code, { signal: leaving.signal });
    await until(() => runtimes.PYTHON.waits === 1);
    const second = keyed(box, "k", code);
    leaving.abort();
    await until(() => runtimes.PYTHON.waits === 2);
    gate.resolve();
    assertEquals((await first).status, 499);
    assertEquals(told(await second), [200, false, 1]);
    assertEquals(told(await keyed(box, "k", code)), [200, true, 1]);
  }));

Deno.test("repeats: when the first caller leaves after the commit, the repeat gets the answer", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const leaving = new AbortController();
    const onStep = (step: string) => step === "committed" ? leaving.abort() : undefined;
    const box = new Caller(sandboxProcess(store, { runtimes, onStep }));
    await keyed(box, "k", "x = 1", { signal: leaving.signal });
    assertEquals(told(await keyed(box, "k", "x = 1")), [200, true, 1]);
  }));

Deno.test("repeats: need no place for runs, no isolate and no context's turn", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const limits = { ...ADMISSION_LIMITS, runsPerTenant: 1, waitingPerTenant: 1 };
    const box = new Caller(sandboxProcess(store, { runtimes, admission: new Admission(limits) }));
    const first = await keyed(box, "k", "x = 1");
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const running = box.run("wait");
    await until(() => runtimes.PYTHON.waits === 1);
    const waiting = box.run("x");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => keyed(box, "k", "x = 1")),
    );
    for (const { replayed, text } of answers) assertEquals([replayed, text], [true, first.text]);
    gate.resolve();
    await Promise.all([running, waiting]);
  }));

Deno.test("repeats: after a day the key is free, and the janitor gives the bytes back", () =>
  withStore(async (store) => {
    let now = Date.now();
    const clock = () => now;
    const longest = (n: number) => `${n}`.padEnd(255, "x");
    const runtimes = fakeRuntimes();
    const sandboxes = sandboxProcess(store, { runtimes, clock, quotas: { idleTtlMs: 0 } });
    const box = new Caller(sandboxes);
    await box.run("x = 1");
    const [bytes, keys] = [await bytesOf(store), (await keysOf(store)).length];
    const began = now;
    for (let n = 0; n < 130; n++) {
      await keyed(box, longest(n), "x += 1");
      now += 1_000;
    }
    assert(await bytesOf(store) > bytes + 130 * 1_024);
    now = began + DAY_MS - 1;
    assertEquals(told(await keyed(box, longest(0), "x += 1")), [200, true, 2]);
    now++;
    assertEquals(told(await keyed(box, longest(0), "x += 2")), [200, false, 132]);
    assertEquals(told(await keyed(box, longest(0), "x += 2")), [200, true, 132]);
    assertEquals(told(await keyed(box, longest(1), "x += 1")), [200, true, 3]);
    const isCounted = async () =>
      assertEquals(await bytesOf(store), bytes + await answerBytesOf(store));
    await isCounted();
    await tidy(sandboxes);
    await isCounted();
    now = began + DAY_MS + 65_000;
    await tidy(sandboxes);
    await isCounted();
    assertEquals(told(await keyed(box, longest(66), "x += 1")), [200, true, 68]);
    assertEquals((await keysOf(store)).length, keys + 1 + 3 * (64 + 1));
    now += DAY_MS;
    await tidy(sandboxes);
    assertEquals([await bytesOf(store), (await keysOf(store)).length], [bytes, keys]);
    assertEquals(told(await keyed(box, longest(0), "x += 2")), [200, false, 133]);
  }));

Deno.test("repeats: that answers go does not count as a use of the sandbox", () =>
  withStore(async (store) => {
    let now = Date.now();
    const sandboxes = sandboxProcess(store, {
      clock: () => now,
      quotas: { idleTtlMs: 3 * DAY_MS },
    });
    const box = new Caller(sandboxes);
    const { body } = await keyed(box, "k", "x = 1");
    const seen = async () => {
      const { lastUsed, expiresAt } = await box.ok("GET", "/");
      return [lastUsed, expiresAt];
    };
    const before = await seen();
    now += DAY_MS;
    const [expiry] = sandboxes.janitorTasks.filter(({ name }) => name === "stored answers");
    assertEquals(await expiry?.run(new AbortController().signal), 1);
    now -= DAY_MS;
    assertEquals(await seen(), before);
    assertNotEquals(body["context"], undefined);
  }));

Deno.test("repeats: answers of a sandbox that expires go with it", () =>
  withStore(async (store) => {
    let now = Date.now();
    const sandboxes = sandboxProcess(store, { clock: () => now, quotas: { idleTtlMs: 60_000 } });
    const box = new Caller(sandboxes);
    await keyed(box, "k", "x = 1");
    now += 61_000;
    assertEquals(told(await keyed(box, "k", "x = 2")), [200, false, 1]);
    now += 61_000;
    await tidy(sandboxes);
    assertEquals([await keysOf(store), await bytesOf(store)], [[], 0]);
  }));

Deno.test("repeats: without room for its answer a run is 507 and has not happened", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const quotas = { maxTenantBytes: 10_000 };
    const box = new Caller(sandboxProcess(store, { runtimes, quotas }));
    await box.file("write", "f", { content: "x".repeat(7_000) });
    const code = `print ${"x".repeat(1_500)}\nx = 1`; // as code and as output
    assertEquals(told(await keyed(box, "k", code)), [507, false, "NO_SPACE"]);
    assertEquals(await runsOf(box), ["PYTHON 0"]);
    await box.run(code); // without a key there is room
    await box.file("write", "f", { content: "x" });
    assertEquals(told(await keyed(box, "k", code)), [200, false, 2]);
    assertEquals(told(await keyed(box, "k", code)), [200, true, 2]);
    await box.ok("DELETE", "/");
    assertEquals(await bytesOf(store), 0);
  }));

Deno.test("repeats: a run without contexts ignores valid headers", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const ruby = { binding: "RUBY" };
    for (const headers of [{}, { "if-match": '"7"' }]) {
      const { status, replayed } = await keyed(box, "k", "1", { ...ruby, headers });
      assertEquals([status, replayed], [200, false]);
    }
    assertEquals(runtimes.RUBY.requests.filter((what) => what === "POST /execute").length, 2);
    const bad = await keyed(box, "two words", "1", ruby);
    assertEquals(told(bad), [400, false, "VALIDATION_FAILED"]);
  }));

Deno.test("repeats: a key is 1 to 255 visible ASCII characters", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const good = ["a", "!", "~", '"quoted"', "x".repeat(255), "a,b", "\\", "__proto__"];
    for (const [index, key] of good.entries()) {
      assertEquals(told(await keyed(box, key, "x = 1")), [200, false, index + 1], key);
      assertEquals(told(await keyed(box, key, "x = 1")), [200, true, index + 1], key);
    }
    for (const key of ["", " ", "a b", "x".repeat(256), "é", "\u007f", "a\tb", "a, b"]) {
      const { status, body } = await keyed(box, key, "x = 1");
      assertEquals([status, body["code"]], [400, "VALIDATION_FAILED"], JSON.stringify(key));
      assert(String(body["message"]).startsWith("Idempotency-Key must be"));
    }
    assertEquals(await runsOf(box), [`PYTHON ${good.length}`]);
  }));
