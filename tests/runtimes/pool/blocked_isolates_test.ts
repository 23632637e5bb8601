import { assertEquals } from "@std/assert";
import { IsolatePool } from "../../../runtimes/pool/pool.ts";
import type { Delivery, ProgramCall, ProgramWait, RunCalls } from "../../../shared/run_calls.ts";
import { ManualTime } from "../../store/fixture.ts";
import { CallingIsolate } from "./calling_isolate.ts";
import { requestOf } from "./fake_isolate.ts";

interface Bench extends AsyncDisposable {
  readonly pool: IsolatePool;
  readonly made: CallingIsolate[];
  readonly time: ManualTime;
}

function benchOf(maxIsolates: number): Bench {
  const time = new ManualTime(() => true);
  const made: CallingIsolate[] = [];
  const pool = new IsolatePool({
    start: () => {
      const isolate = new CallingIsolate();
      made.push(isolate);
      return Promise.resolve(isolate);
    },
    maxIsolates,
    idleMs: 3_600_000,
    cancelGraceMs: 250,
    isolatePerTenant: false,
    maxWaiting: 10,
    maxWaitMs: 60_000,
    monotonic: () => time.now,
    timers: time,
    onStartFailure: () => undefined,
  });
  return { pool, made, time, [Symbol.asyncDispose]: () => pool.close() };
}

/** A caller that gives its answers when it is told to. */
class Caller {
  readonly called: ProgramCall[] = [];
  readonly waits: ProgramWait[] = [];
  /** Waits that ended without an answer of this caller. */
  gone = 0;
  readonly calls: RunCalls;
  #answer = Promise.withResolvers<Delivery | undefined>();

  constructor(recorded: readonly Delivery[] = []) {
    this.calls = {
      tools: [],
      interactive: false,
      seed: new Uint8Array(32),
      startMs: 0,
      recorded,
      called: (call) => this.called.push(call),
      wait: (wait, isRecorded, signal) => {
        this.waits.push(wait);
        if (isRecorded) return Promise.resolve(undefined);
        signal.addEventListener("abort", () => this.gone++);
        this.#answer = Promise.withResolvers();
        return this.#answer.promise;
      },
    };
  }

  answer(delivery: Delivery | undefined): void {
    this.#answer.resolve(delivery);
  }
}

const VALUE: Delivery = { atMs: 5, call: 1, value: "1" };

/** Begins a run of a tenant. Its state has the end as soon as there is one. */
async function runOf(bench: Bench, code: string, options: {
  readonly tenant?: string;
  readonly recorded?: readonly Delivery[];
  readonly signal?: AbortSignal;
  readonly wallMs?: number;
} = {}) {
  const caller = new Caller(options.recorded);
  const { tenant = "a", signal, wallMs = 60_000 } = options;
  const state: { end?: string; killed?: boolean } = {};
  const ended = bench.pool.run(requestOf(code, wallMs), { tenant, signal, calls: caller.calls })
    .then(({ end, killed }) => Object.assign(state, { end, killed }), () => undefined);
  await bench.time.advance(0);
  return { caller, state, ended };
}

Deno.test("blocked isolates: a program goes on with the answer of its caller", async () => {
  await using bench = benchOf(1);
  const { caller, state } = await runOf(bench, "call\nwait");
  await bench.time.advance(1_000);
  assertEquals([caller.called.map(({ name }) => name), caller.waits.length], [["echo"], 1]);
  caller.answer(VALUE);
  await bench.time.advance(0);
  assertEquals(state, { end: "answered", killed: false });
});

Deno.test("blocked isolates: one is taken back for another run, after its first moments", async () => {
  await using bench = benchOf(1);
  const waiting = await runOf(bench, "call\nwait");
  await bench.time.advance(0);
  const other = await runOf(bench, "");
  await bench.time.advance(99);
  assertEquals([waiting.state, other.state], [{}, {}]);
  await bench.time.advance(1);
  assertEquals(waiting.state, { end: "released", killed: false });
  assertEquals(other.state.end, "answered");
  assertEquals([bench.made.length, bench.made[0]?.usable, waiting.caller.gone], [1, true, 1]);
});

Deno.test("blocked isolates: of two, the one that has waited longest is taken back", async () => {
  await using bench = benchOf(2);
  const first = await runOf(bench, "call\nwait");
  await bench.time.advance(10);
  const second = await runOf(bench, "call\nwait");
  await bench.time.advance(500);
  const other = await runOf(bench, "");
  await bench.time.advance(0);
  assertEquals([first.state.end, second.state.end, other.state.end], [
    "released",
    undefined,
    "answered",
  ]);
});

Deno.test("blocked isolates: one that nobody needs is taken back after half a minute", async () => {
  await using bench = benchOf(2);
  const { state } = await runOf(bench, "call\nwait");
  await bench.time.advance(29_999);
  assertEquals(state, {});
  await bench.time.advance(1);
  assertEquals(state.end, "released");
});

Deno.test("blocked isolates: a short sleep is not worth another attempt, unless they are many", async () => {
  await using bench = benchOf(1);
  const sleeper = await runOf(bench, "sleep 999\nsleep 999");
  await bench.time.advance(0);
  const other = await runOf(bench, "");
  await bench.time.advance(5_000);
  assertEquals([sleeper.state, other.state], [{}, {}]);
  sleeper.caller.answer({ atMs: 999, elapsed: true });
  await bench.time.advance(0);
  assertEquals(sleeper.caller.waits.length, 2);
  await bench.time.advance(6_000);
  assertEquals([sleeper.state, other.state], [{}, {}]);
  sleeper.caller.answer({ atMs: 1_998, elapsed: true });
  await bench.time.advance(0);
  assertEquals([sleeper.state.end, other.state.end], ["answered", "answered"]);
  const late = await runOf(bench, "sleep 5000\nsleep 999");
  await bench.time.advance(10_000);
  late.caller.answer({ atMs: 5_000, elapsed: true });
  await bench.time.advance(0);
  const another = await runOf(bench, "");
  await bench.time.advance(100);
  assertEquals([late.state.end, another.state.end], ["released", "answered"]);
});

Deno.test("blocked isolates: they count as idle for the share of their tenant", async () => {
  await using bench = benchOf(2);
  await (await runOf(bench, "", { tenant: "b" })).ended;
  const waiting = await runOf(bench, "call\nwait");
  await bench.time.advance(0);
  const other = await runOf(bench, "");
  await bench.time.advance(0);
  assertEquals([waiting.state, other.state.end], [{}, "answered"]);
});

Deno.test("blocked isolates: the wall clock counts what the program computes", async () => {
  await using bench = benchOf(1);
  const patient = await runOf(bench, "call\nwait\ncompute", { wallMs: 1_000 });
  await bench.time.advance(20_000);
  patient.caller.answer(VALUE);
  await bench.time.advance(0);
  await bench.time.advance(999);
  assertEquals(patient.state, {});
  bench.made[0]?.compute();
  await bench.time.advance(0);
  assertEquals(patient.state, { end: "answered", killed: false });
  const slow = await runOf(bench, "compute\ncall\nwait\ncompute", { wallMs: 1_000 });
  await bench.time.advance(600);
  bench.made[0]?.compute();
  await bench.time.advance(0);
  await bench.time.advance(5_000);
  slow.caller.answer(VALUE);
  await bench.time.advance(0);
  await bench.time.advance(399);
  assertEquals(slow.state, {});
  await bench.time.advance(1);
  assertEquals(slow.state, { end: "wall clock", killed: true });
});

Deno.test("blocked isolates: the isolate of a caller that leaves stays", async () => {
  await using bench = benchOf(1);
  const leaving = new AbortController();
  const { state } = await runOf(bench, "call\nwait", { signal: leaving.signal });
  await bench.time.advance(10);
  leaving.abort();
  await bench.time.advance(0);
  assertEquals(state, { end: "cancelled", killed: false });
  await bench.time.advance(1_000);
  assertEquals([bench.made.length, bench.made[0]?.usable], [1, true]);
});

Deno.test("blocked isolates: a caller that left while the program computed is not waited for", async () => {
  await using bench = benchOf(1);
  const leaving = new AbortController();
  const { state } = await runOf(bench, "compute\ncall\nwait", { signal: leaving.signal });
  await bench.time.advance(10);
  leaving.abort();
  await bench.time.advance(10);
  bench.made[0]?.compute();
  await bench.time.advance(0);
  assertEquals([state, bench.made[0]?.usable], [{ end: "cancelled", killed: false }, true]);
});

Deno.test("blocked isolates: a process that dies while its program waits costs nobody", async () => {
  await using bench = benchOf(1);
  const waiting = await runOf(bench, "call\nwait");
  await bench.time.advance(10);
  bench.made[0]?.kill();
  await bench.time.advance(0);
  assertEquals(waiting.state, { end: "released", killed: false });
  assertEquals(waiting.caller.gone, 1);
  const computing = await runOf(bench, "call\ndie");
  await bench.time.advance(0);
  assertEquals(computing.state, { end: "died", killed: true });
});

Deno.test("blocked isolates: another attempt takes the deliveries of the one before", async () => {
  await using bench = benchOf(1);
  const again = await runOf(bench, "call\nwait\ncall\nwait", { recorded: [VALUE] });
  await bench.time.advance(0);
  assertEquals(again.caller.waits.map(({ calls }) => calls), [[1], [2]]);
  again.caller.answer({ atMs: 6, call: 2, value: "2" });
  await bench.time.advance(0);
  assertEquals(again.state.end, "answered");
});

Deno.test("blocked isolates: deliveries that the program does not wait for are another program's", async () => {
  await using bench = benchOf(1);
  const others: readonly (readonly Delivery[])[] = [
    [{ atMs: 1, elapsed: true }],
    [{ atMs: 1, input: "x\n" }],
    [{ ...VALUE, call: 2 }],
    [VALUE, { ...VALUE, call: 2 }],
  ];
  for (const recorded of others) {
    const { state } = await runOf(bench, "call\nwait", { recorded });
    await bench.time.advance(0);
    assertEquals(state.end, "diverged");
  }
});

Deno.test("blocked isolates: a caller can give the isolate back", async () => {
  await using bench = benchOf(1);
  const { caller, state } = await runOf(bench, "call\nwait");
  await bench.time.advance(0);
  caller.answer(undefined);
  await bench.time.advance(0);
  assertEquals([state.end, bench.made[0]?.usable], ["released", true]);
});
