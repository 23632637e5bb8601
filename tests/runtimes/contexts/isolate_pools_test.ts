import { assert, assertEquals, assertRejects } from "@std/assert";
import { IsolatePools } from "../../../runtimes/contexts/isolate_pools.ts";
import { type EngineParts, EngineUnavailable } from "../../../runtimes/contexts/engine_archive.ts";
import type { Isolate, StartIsolate } from "../../../runtimes/pool/isolate.ts";
import { EngineRefused } from "../../../runtimes/pool/isolate_process_fault.ts";
import { IsolatePool } from "../../../runtimes/pool/pool.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { EARLIER_ISOLATES } from "../../../shared/limits.ts";
import { FakeIsolate, requestOf } from "../pool/fake_isolate.ts";
import { until } from "../../support/wait.ts";

const CALLER = { tenant: "a" };
const NOBODY = () => false;

interface BenchOptions {
  /** The outcome of the start of a process. */
  readonly starting?: () => Promise<void>;
  /** Engines that have no record. */
  readonly missing?: readonly string[];
  readonly idleMs?: number;
  readonly maxWaitMs?: number;
}

/** Pools over processes that are objects. */
class Bench implements AsyncDisposable {
  readonly pools: IsolatePools;
  readonly current: IsolatePool;
  /** The engines of processes, in the order of their starts. */
  readonly started: string[] = [];
  /** The engines that were looked for, and those that were read. */
  readonly checked: string[] = [];
  readonly loaded: string[] = [];
  readonly failures: unknown[] = [];
  readonly #alive = new Set<FakeIsolate>();
  mostAlive = 0;
  /** Milliseconds that have passed besides the real ones. */
  later = 0;

  constructor(options: BenchOptions = {}) {
    const { missing = [], starting } = options;
    this.current = poolOf(options, () => Promise.resolve(new FakeIsolate()), 1);
    this.pools = new IsolatePools({
      current: this.current,
      engines: {
        currentName: "Engine 2",
        isCurrent: ({ engine }) => engine === "current",
        check: ({ engine }) => {
          this.checked.push(engine);
          return missing.includes(engine)
            ? Promise.reject(new EngineUnavailable("missing"))
            : Promise.resolve();
        },
        load: ({ engine }) => {
          this.loaded.push(engine);
          return Promise.resolve({
            body: new TextEncoder().encode(engine),
            engineName: `Engine 1 (${engine})`,
          });
        },
      },
      createEarlier: (start, isSpare) => poolOf(options, start, EARLIER_ISOLATES, isSpare),
      startProcess: async (body, signal) => {
        this.started.push(new TextDecoder().decode(body));
        const aborted = Promise.withResolvers<never>();
        const onAbort = () => aborted.reject(new Error("the start was aborted"));
        signal.addEventListener("abort", onAbort, { once: true });
        await Promise.race([starting?.(), aborted.promise]);
        return this.#add(new FakeIsolate());
      },
      onStartFailure: (cause) => this.failures.push(cause),
      monotonic: () => performance.now() + this.later,
    });
  }

  #add(isolate: FakeIsolate): FakeIsolate {
    this.#alive.add(isolate);
    this.mostAlive = Math.max(this.mostAlive, this.#alive.size);
    isolate.ended.then(() => this.#alive.delete(isolate));
    return isolate;
  }

  hold(engine: string, caller: { tenant: string; signal?: AbortSignal } = CALLER) {
    return this.pools.hold(partsOf(engine), caller, NOBODY);
  }

  /** Holds an isolate for a moment. */
  async touch(engine: string): Promise<Isolate> {
    const hold = await this.hold(engine);
    hold.release();
    return hold.isolate;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.current.close(), this.pools.close()]);
    assertEquals(this.#alive.size, 0);
  }
}

function poolOf(
  { idleMs = 60_000, maxWaitMs = 10_000 }: BenchOptions,
  start: StartIsolate,
  maxIsolates: number,
  isSpare: (isolate: Isolate) => boolean = () => true,
): IsolatePool {
  return new IsolatePool({
    start,
    isSpare,
    maxIsolates,
    warmIsolates: 0,
    idleMs,
    cancelGraceMs: 5,
    isolatePerTenant: false,
    maxWaiting: 100,
    maxWaitMs,
    monotonic: () => performance.now(),
    onStartFailure: (cause) => {
      throw cause;
    },
  });
}

function partsOf(engine: string): EngineParts {
  return { engine, baseline: "baseline" };
}

const engines = Array.from({ length: EARLIER_ISOLATES }, (_, index) => `earlier ${index}`);

Deno.test("isolate pools: the current engine uses the current pool; pools of earlier engines start on demand", async () => {
  await using bench = new Bench();
  const current = await bench.hold("current");
  const earlier = await bench.hold("e");
  assertEquals([current.engineName, earlier.engineName], ["Engine 2", "Engine 1 (e)"]);
  assertEquals([bench.checked, bench.loaded, bench.started], [["e"], ["e"], ["e"]]);
  assertEquals(bench.pools.earlierIsolates(), 1);
  const ran = await earlier.run(requestOf("1"));
  assertEquals(ran.end, "answered");
});

Deno.test("isolate pools: an isolate that has the engine is used again, and nothing is read", async () => {
  await using bench = new Bench();
  const first = await bench.touch("e");
  await bench.touch("f");
  assert(first === await bench.touch("e"));
  const other = partsOf("e");
  await bench.pools.hold({ ...other, baseline: "another" }, CALLER, NOBODY);
  assertEquals(bench.loaded, ["e", "f", "e"]);
  assertEquals(bench.checked, ["e", "f", "e"]);
});

Deno.test("isolate pools: with room for more, no engine takes the place of another", async () => {
  await using bench = new Bench();
  for (const engine of engines) await bench.touch(engine);
  for (const engine of engines) await bench.touch(engine);
  assertEquals(bench.started, engines);
  assertEquals(bench.pools.earlierIsolates(), EARLIER_ISOLATES);
});

Deno.test("isolate pools: one engine more takes the place of one that is idle; a busy one stays", async () => {
  await using bench = new Bench();
  const busy = await bench.hold(engines[0] ?? "");
  for (const engine of engines.slice(1)) await bench.touch(engine);
  await bench.touch("one more");
  assertEquals(bench.started, [...engines, "one more"]);
  assertEquals([bench.mostAlive, bench.pools.earlierIsolates()], [
    EARLIER_ISOLATES,
    EARLIER_ISOLATES,
  ]);
  assertEquals((await busy.run(requestOf("1"))).end, "answered");
});

Deno.test("isolate pools: contexts of many engines at once have few processes, and all are served", async () => {
  await using bench = new Bench();
  const runs = Array.from({ length: 20 }, async (_, n) => {
    const hold = await bench.hold(`engine ${n % 5}`, { tenant: `tenant ${n % 3}` });
    const ran = await hold.run(requestOf("1"));
    hold.release();
    return [hold.engineName, ran.end];
  });
  const expected = Array.from({ length: 20 }, (_, n) => [`Engine 1 (engine ${n % 5})`, "answered"]);
  assertEquals(await Promise.all(runs), expected);
  assert(bench.mostAlive <= EARLIER_ISOLATES, String(bench.mostAlive));
});

Deno.test("isolate pools: a tenant that holds engines leaves one place to others", async () => {
  await using bench = new Bench();
  await bench.touch("of b"); // b was active
  (await bench.hold("of b", { tenant: "b" })).release();
  const held = [];
  for (const engine of engines.slice(1)) held.push(await bench.hold(engine, { tenant: "a" }));
  const waiting = bench.hold("one more", { tenant: "a" });
  const other = await bench.hold("of b", { tenant: "b" });
  assertEquals(other.engineName, "Engine 1 (of b)");
  held[0]?.release();
  (await waiting).release();
});

Deno.test("isolate pools: a run waits for a busy pool, at most for its wait budget", async () => {
  await using bench = new Bench({ maxWaitMs: 50 });
  for (const engine of engines) await bench.hold(engine);
  const refused = await assertRejects(() => bench.hold("one more"), ServiceError);
  assertEquals([refused.status, refused.context["limit"]], [503, "wait"]);
  assertEquals(bench.loaded, engines);
});

Deno.test("isolate pools: an engine that starts too slowly is the wait of its run", async () => {
  await using bench = new Bench({ maxWaitMs: 50, starting: () => new Promise(() => undefined) });
  const refused = await assertRejects(() => bench.hold("slow"), ServiceError);
  assertEquals([refused.status, refused.context["limit"]], [503, "wait"]);
  assertEquals([bench.pools.earlierIsolates(), bench.failures], [0, []]);
});

Deno.test("isolate pools: a disconnect during a start ends the start and frees its place", async () => {
  await using bench = new Bench({ starting: () => new Promise(() => undefined) });
  const leaving = new AbortController();
  const waits = engines.map((engine) =>
    bench.hold(engine, { tenant: "a", signal: leaving.signal })
  );
  await until(() => bench.started.length === EARLIER_ISOLATES);
  leaving.abort(new Error("gone"));
  const ends = await Promise.allSettled(waits);
  assertEquals(
    ends.map((end) => end.status === "rejected" && end.reason === leaving.signal.reason),
    engines.map(() => true),
  );
  bench.hold("again").catch(() => undefined);
  await until(() => bench.started.length === EARLIER_ISOLATES + 1);
});

Deno.test("isolate pools: an engine that is missing is refused before any wait", async () => {
  await using bench = new Bench({ missing: ["lost"] });
  for (const engine of engines) await bench.hold(engine);
  await assertRejects(() => bench.hold("lost"), EngineUnavailable);
  assertEquals(bench.loaded, engines);
});

Deno.test("isolate pools: an engine that the program refuses is unavailable; another failure is not", async () => {
  for (
    const [cause, expected] of [
      [new EngineRefused("LinkError"), "EngineUnavailable"],
      [new Error("it died"), "ServiceError"],
    ] as const
  ) {
    let fails = true;
    const failure = new Error("An isolate did not start", { cause });
    const starting = () => fails ? Promise.reject(failure) : Promise.resolve();
    await using bench = new Bench({ starting });
    assertEquals((await assertRejects(() => bench.hold("e"), Error)).name, expected);
    assertEquals(bench.failures, [failure]);
    assertEquals(bench.pools.earlierIsolates(), 0);
    fails = false;
    if (expected === "EngineUnavailable") {
      await assertRejects(() => bench.hold("e"), EngineUnavailable);
      assertEquals(bench.started, ["e"]); // not tried again for a while
      bench.later = 60_000;
    }
    assertEquals((await bench.hold("e")).engineName, "Engine 1 (e)");
  }
});

Deno.test("isolate pools: an isolate that dies is replaced, and idle ones end", async () => {
  await using bench = new Bench({ idleMs: 20 });
  const hold = await bench.hold("e");
  await hold.run(requestOf("die"));
  hold.release();
  assertEquals((await (await bench.hold("e")).run(requestOf("1"))).end, "answered");
  await bench.touch("f");
  assertEquals(bench.pools.earlierIsolates(), 2);
  await until(() => bench.pools.earlierIsolates() === 1); // the one that is held
  assertEquals(bench.started, ["e", "e", "f"]);
});

Deno.test("isolate pools: closing ends a start in progress", async () => {
  const bench = new Bench({ starting: () => new Promise(() => undefined) });
  const waiting = assertRejects(() => bench.hold("e"), ServiceError);
  await until(() => bench.started.length === 1);
  await bench[Symbol.asyncDispose]();
  await waiting;
  assertEquals(bench.failures, []);
});
