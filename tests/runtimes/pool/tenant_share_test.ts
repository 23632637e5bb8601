/**
 * One tenant's long runs do not keep others waiting: the share that is left to others, and when.
 */
import { assertEquals } from "@std/assert";
import { IsolatePool } from "../../../runtimes/pool/pool.ts";
import type { PoolOptions } from "../../../runtimes/pool/pool_options.ts";
import { ManualTime } from "../../store/fixture.ts";
import { FakeIsolate, requestOf } from "./fake_isolate.ts";

const ACTIVE_MS = 60_000;

function benchOf(options: Partial<PoolOptions> = {}) {
  const time = new ManualTime(() => true);
  const made: FakeIsolate[] = [];
  const pool = new IsolatePool({
    start: () => {
      const isolate = new FakeIsolate();
      made.push(isolate);
      return Promise.resolve(isolate);
    },
    maxIsolates: 3,
    idleMs: 3_600_000,
    cancelGraceMs: 5,
    isolatePerTenant: false,
    maxWaiting: 100,
    maxWaitMs: 3_600_000,
    monotonic: time.clock,
    timers: time,
    onStartFailure: () => undefined,
    ...options,
  });
  const hold = async (tenant: string, count: number) => {
    const runs = Array.from(
      { length: count },
      () => pool.run(requestOf("hold", 3_600_000), { tenant }),
    );
    for (const run of runs) run.catch(() => undefined); // refused when the pool closes
    await time.advance(0);
    return runs;
  };
  const short = async (tenant: string) => (await pool.run(requestOf("1"), { tenant })).end;
  /** Runs that have begun. */
  const begun = () => made.reduce((sum, { runs }) => sum + runs, 0);
  return { pool, time, made, hold, short, begun, [Symbol.asyncDispose]: () => pool.close() };
}

Deno.test("tenant share: a tenant that is alone has all isolates", async () => {
  await using bench = benchOf();
  await bench.hold("a", 5);
  assertEquals(bench.begun(), 3);
});

Deno.test("tenant share: while another was active, its short runs find an isolate at once", async () => {
  await using bench = benchOf();
  assertEquals(await bench.short("b"), "answered");
  await bench.hold("a", 5);
  assertEquals(bench.begun(), 1 + 2);
  for (let n = 0; n < 20; n++) assertEquals(await bench.short("b"), "answered");
  assertEquals(bench.begun(), 1 + 2 + 20);
});

Deno.test("tenant share: after the other has been quiet for a minute, the last isolate is available too", async () => {
  await using bench = benchOf();
  await bench.short("b");
  const [first] = await bench.hold("a", 3);
  await bench.time.advance(ACTIVE_MS - 1);
  assertEquals(bench.begun(), 1 + 2);
  await bench.time.advance(2);
  assertEquals(bench.begun(), 1 + 3);
  for (const isolate of bench.made) isolate.letGo();
  assertEquals((await first)?.end, "answered");
});

Deno.test("tenant share: the end of a run lets the tenant's next run begin, on any isolate", async () => {
  await using bench = benchOf();
  await bench.short("b");
  const runs = await bench.hold("a", 6);
  const ends: string[] = [];
  for (const run of runs) run.then(({ end }) => ends.push(end));
  for (const isolate of bench.made) isolate.letGo(); // later runs hold no more
  await bench.time.advance(0);
  assertEquals(ends, Array(6).fill("answered"));
  assertEquals(await bench.short("b"), "answered");
});

Deno.test("tenant share: a killed run releases its share", async () => {
  await using bench = benchOf({ maxIsolates: 2 });
  await bench.short("b");
  const killed = bench.pool.run(requestOf("hang", 1_000), { tenant: "a" });
  const next = bench.pool.run(requestOf("1"), { tenant: "a" });
  await bench.time.advance(0);
  await bench.time.advance(1_001);
  assertEquals([(await killed).end, (await next).end], ["wall clock", "answered"]);
});

Deno.test("tenant share: all tenants may use an only isolate, and those of earlier images", async () => {
  await using bench = benchOf({ maxIsolates: 1 });
  await bench.short("b");
  assertEquals(await bench.short("a"), "answered");
});

Deno.test("tenant share: the limit applies to a fresh isolate for each tenant, too", async () => {
  await using bench = benchOf({ maxIsolates: 2, isolatePerTenant: true });
  await bench.short("b");
  await bench.hold("a", 3);
  for (let n = 0; n < 3; n++) assertEquals(await bench.short("b"), "answered");
});

Deno.test("tenant share: a caller who leaves the line takes nothing", async () => {
  await using bench = benchOf({ maxIsolates: 2 });
  await bench.short("b");
  await bench.hold("a", 1);
  const caller = new AbortController();
  const left = bench.pool.run(requestOf("1"), { tenant: "a", signal: caller.signal })
    .catch((thrown) => String(thrown));
  await bench.time.advance(0);
  caller.abort("left");
  assertEquals(await left, "left");
  assertEquals(await bench.short("b"), "answered");
});
