import { assertEquals, assertLess, assertRejects } from "@std/assert";
import { IsolatePool } from "../../../runtimes/pool/pool.ts";
import type { PoolOptions } from "../../../runtimes/pool/pool_options.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { FakeIsolate, requestOf } from "./fake_isolate.ts";

const CALLER = { tenant: "a" };

interface Bench extends AsyncDisposable {
  readonly pool: IsolatePool;
  readonly made: FakeIsolate[];
  readonly failures: unknown[];
}

function benchOf(options: Partial<PoolOptions> = {}): Bench {
  const made: FakeIsolate[] = [];
  const failures: unknown[] = [];
  const pool = new IsolatePool({
    start: () => {
      const isolate = new FakeIsolate();
      made.push(isolate);
      return Promise.resolve(isolate);
    },
    maxIsolates: 2,
    idleMs: 60_000,
    cancelGraceMs: 5,
    isolatePerTenant: false,
    maxWaiting: 10,
    maxWaitMs: 10_000,
    monotonic: () => performance.now(),
    onStartFailure: (cause) => failures.push(cause),
    ...options,
  });
  return { pool, made, failures, [Symbol.asyncDispose]: () => pool.close() };
}

/** Lets all pending events happen. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

Deno.test("pool: a run is answered, and the same isolate serves the next one", async () => {
  await using bench = benchOf();
  await bench.pool.warm();
  const [first, second] = [
    await bench.pool.run(requestOf("1"), CALLER),
    await bench.pool.run(requestOf("2"), CALLER),
  ];
  assertEquals([first.end, second.end], ["answered", "answered"]);
  assertEquals(bench.made.reduce((sum, isolate) => sum + isolate.runs, 0), 2);
});

Deno.test("pool: isolates never exceed the maximum, and no caller waits forever", async () => {
  await using bench = benchOf();
  const runs = Array.from({ length: 8 }, (_, i) => bench.pool.run(requestOf(String(i)), CALLER));
  const ends = (await Promise.all(runs)).map((run) => run.end);
  assertEquals(ends, Array(8).fill("answered"));
  assertEquals(bench.made.length, 2);
});

Deno.test("pool: a spare is started while the only idle isolate is busy", async () => {
  await using bench = benchOf();
  await bench.pool.warm();
  const held = bench.pool.run(requestOf("hold"), CALLER);
  await settle();
  assertEquals(bench.made.length, 2);
  assertEquals((await bench.pool.run(requestOf("1"), CALLER)).end, "answered");
  bench.made[0]?.letGo();
  assertEquals((await held).end, "answered");
});

Deno.test("pool: time waited elsewhere shortens the wait for an isolate", async () => {
  await using bench = benchOf({ maxIsolates: 1, maxWaitMs: 60_000 });
  await bench.pool.warm();
  const held = bench.pool.run(requestOf("hold"), CALLER);
  await settle();
  const late = { ...CALLER, maxWaitMs: 5 };
  const refused = await assertRejects(() => bench.pool.run(requestOf("1"), late), ServiceError);
  assertEquals([refused.status, refused.context["limit"]], [503, "wait"]);
  bench.made[0]?.letGo();
  assertEquals((await held).end, "answered");
  assertEquals((await bench.pool.run(requestOf("2"), { ...late, maxWaitMs: 0 })).end, "answered");
});

Deno.test("pool: a run over the wall clock is killed, and the next one finds a new isolate", async () => {
  await using bench = benchOf({ maxIsolates: 1 });
  const killed = await bench.pool.run(requestOf("hang", 5), CALLER);
  assertEquals(killed.end, "wall clock");
  assertEquals(bench.made[0]?.usable, false);
  assertEquals((await bench.pool.run(requestOf("1"), CALLER)).end, "answered");
  assertEquals(bench.made.length, 2);
});

Deno.test("pool: a run is killed when its isolate dies, and not when it is answered", async () => {
  await using bench = benchOf();
  assertEquals((await bench.pool.run(requestOf("die"), CALLER)).killed, true);
  assertEquals((await bench.pool.run(requestOf("1"), CALLER)).killed, false);
});

Deno.test("pool: an isolate that dies fails only its own run", async () => {
  await using bench = benchOf();
  const held = bench.pool.run(requestOf("hold"), CALLER);
  await settle();
  assertEquals((await bench.pool.run(requestOf("die"), CALLER)).end, "died");
  for (const isolate of bench.made) isolate.letGo();
  assertEquals((await held).end, "answered");
});

Deno.test("pool: a run is killed after its grace when its caller has left, and gives no answer", async () => {
  await using bench = benchOf({ maxIsolates: 1 });
  const caller = new AbortController();
  const run = bench.pool.run(requestOf("hang"), { tenant: "a", signal: caller.signal });
  await settle();
  caller.abort();
  assertEquals((await run).end, "cancelled");
  assertEquals((await bench.pool.run(requestOf("1"), CALLER)).end, "answered");
});

Deno.test("pool: a caller who leaves the line costs no isolate a run", async () => {
  await using bench = benchOf({ maxIsolates: 1 });
  const held = bench.pool.run(requestOf("hold"), CALLER);
  await settle();
  const caller = new AbortController();
  const left = bench.pool.run(requestOf("1"), { tenant: "a", signal: caller.signal });
  await settle();
  caller.abort(new Error("left"));
  await assertRejects(() => left, Error, "left");
  bench.made[0]?.letGo();
  await held;
  assertEquals(bench.made[0]?.runs, 1);
});

Deno.test("pool: isolates that idle too long are closed, all but one", async () => {
  let now = 0;
  await using bench = benchOf({ monotonic: () => now, idleMs: 2 });
  await Promise.all([
    bench.pool.run(requestOf("1"), CALLER),
    bench.pool.run(requestOf("2"), CALLER),
  ]);
  assertEquals(bench.pool.health().isolates, 2);
  now = 100;
  while (bench.pool.health().isolates > 1) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals(bench.pool.health().isolates, 1);
  assertEquals((await bench.pool.run(requestOf("3"), CALLER)).end, "answered");
});

Deno.test("pool: the last isolate ends after a longer time, and a run starts one again", async () => {
  let now = 0;
  await using bench = benchOf({ monotonic: () => now, idleMs: 2, lastIdleMs: 50 });
  await bench.pool.run(requestOf("1"), CALLER);
  const isolates = () => bench.pool.health().isolates;
  now = 40;
  while (isolates() > 1) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals(isolates(), 1);
  now = 100;
  while (isolates() > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(bench.pool.health().state, "ready");
  assertEquals((await bench.pool.run(requestOf("2"), CALLER)).end, "answered");
});

Deno.test("pool: while no isolate can start callers get 502 immediately, and the pool recovers", async () => {
  let broken = true;
  const isolate = new FakeIsolate();
  await using bench = benchOf({
    start: () => broken ? Promise.reject(new Error("no")) : Promise.resolve(isolate),
  });
  const refused = await assertRejects(() => bench.pool.run(requestOf("1"), CALLER), ServiceError);
  assertEquals(refused.status, 502);
  assertEquals(bench.pool.health().state, "failing");
  assertEquals(bench.failures.length > 0, true);
  broken = false;
  assertEquals((await bench.pool.run(requestOf("1"), CALLER)).end, "answered");
  assertEquals(bench.pool.health().state, "ready");
});

Deno.test("pool: closing kills every isolate and refuses waiting runs", async () => {
  const bench = benchOf({ maxIsolates: 1 });
  const hanging = bench.pool.run(requestOf("hang"), CALLER);
  await settle();
  const waiting = bench.pool.run(requestOf("1"), CALLER);
  await settle();
  const refused = assertRejects(() => waiting, ServiceError);
  await bench.pool.close();
  assertEquals((await hanging).end, "died");
  await refused;
  await assertRejects(() => bench.pool.run(requestOf("1"), CALLER), ServiceError);
});

Deno.test("pool: closing abandons starts in progress", async () => {
  const bench = benchOf({
    start: (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("given up")), { once: true });
      }),
  });
  const refused = assertRejects(() => bench.pool.run(requestOf("1"), CALLER), ServiceError);
  await settle();
  await bench.pool.close();
  await refused;
  assertEquals(bench.failures, []);
});

Deno.test("pool: a caller who has gone before an isolate is ready runs nothing on it", async () => {
  await using bench = benchOf({ maxIsolates: 1 });
  await bench.pool.warm();
  const caller = new AbortController();
  const lease = await bench.pool.hold({ tenant: "a", signal: caller.signal });
  caller.abort();
  const { end, killed } = await lease.run(requestOf("hang"));
  lease.release();
  assertEquals([end, killed, bench.made[0]?.runs], ["cancelled", false, 0]);
});

Deno.test("pool: with an isolate per tenant no run uses an isolate of another tenant", async () => {
  await using bench = benchOf({ maxIsolates: 1, isolatePerTenant: true });
  for (const tenant of ["a", "a", "b", "b", "a"]) {
    assertEquals((await bench.pool.run(requestOf("1"), { tenant })).end, "answered");
  }
  assertEquals(bench.made.map((isolate) => isolate.runs), [2, 2, 1]);
});

Deno.test("pool: a start that fails is tried again for those who wait", async () => {
  let failures = 2;
  await using bench = benchOf({
    start: () =>
      failures-- > 0 ? Promise.reject(new Error("no")) : Promise.resolve(new FakeIsolate()),
  });
  const runs = Array.from({ length: 4 }, () => bench.pool.run(requestOf("1"), CALLER));
  assertEquals((await Promise.all(runs)).map((run) => run.end), Array(4).fill("answered"));
  assertEquals(bench.failures.length, 2);
});

Deno.test("pool: with an isolate per tenant no caller loses its place to another's isolate", async () => {
  await using bench = benchOf({ maxIsolates: 1, isolatePerTenant: true, maxWaiting: 100 });
  await bench.pool.run(requestOf("1"), { tenant: "busy" });
  const ends: string[] = [];
  const run = async (tenant: string) => {
    await bench.pool.run(requestOf("1"), { tenant });
    ends.push(tenant);
  };
  const first = run("busy");
  const other = run("other");
  const rest = Array.from({ length: 20 }, () => run("busy"));
  await Promise.all([first, other, ...rest]);
  assertEquals(ends.indexOf("other"), 1);
});

Deno.test("pool: a caller who goes away as the run begins is not waited for", async () => {
  const caller = new AbortController();
  const isolate = new FakeIsolate();
  await using bench = benchOf({ start: () => Promise.resolve(isolate), maxIsolates: 1 });
  await bench.pool.warm();
  const run = bench.pool.run(requestOf("hang"), { tenant: "a", signal: caller.signal });
  caller.abort();
  const { end, runMs } = await run;
  assertEquals(end, "cancelled");
  assertLess(runMs, 5_000); // the grace is 5 ms, the wall clock 10 s
});
