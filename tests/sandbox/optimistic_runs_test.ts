/**
 * Runs that begin on the state that a process knows, without a lease and without a read: whatever
 * another process has changed, they answer as if they had read it.
 */
import { assert, assertEquals } from "@std/assert";
import type { RunStep } from "../../sandbox/operation_options.ts";
import type { KvStore } from "../../store/kv.ts";
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";
import { pause, systemTimers, type Timers } from "../../shared/timers.ts";
import { SilentStore } from "../store/silent_store.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { withTestStore } from "../support/test_store.ts";
import { FaultyStore } from "./faulty_store.ts";
import type { Body, Caller } from "./fixture.ts";
import { assertTidy } from "./forks_processes.ts";
import { janitorRound } from "./janitor_round.ts";
import { ADD, add, makeSteady, processOver } from "./optimistic_processes.ts";

/** As in `sandbox/context_claim.ts`. */
const OPTIMISTIC_MS = 50;
/** Optimistic runs never take the lease because of the time. */
const WITHOUT_LEASE: Timers = {
  after: (ms, call, background) =>
    ms === OPTIMISTIC_MS ? () => undefined : systemTimers.after(ms, call, background),
};

/** The numbers of leases so far, which an optimistic run does not change. */
async function fencesIn(kv: KvStore): Promise<string> {
  const fences: string[] = [];
  for await (const { key, value } of kv.list({ prefix: ["sandbox_lease"] })) {
    fences.push(JSON.stringify([key, value]));
  }
  return fences.join();
}

/** Changes by another process, and what a run has afterwards. */
const CHANGES: {
  readonly [what: string]: {
    change(box: Caller, contextId: string): Promise<unknown>;
    readonly byId: readonly unknown[] | 404;
    readonly byBinding: readonly unknown[];
  };
} = {
  "a run": { change: (box) => add(box), byId: [4, 4], byBinding: [4, 4] },
  "two runs": {
    change: async (box) => {
      await add(box);
      await add(box);
    },
    byId: [5, 5],
    byBinding: [5, 5],
  },
  "a large run": { change: (box) => add(box, { add: 10 }), byId: [4, 13], byBinding: [4, 13] },
  "a file": {
    change: (box) => box.file("write", "f", { content: "x" }),
    byId: [3, 3],
    byBinding: [3, 3],
  },
  "variables": {
    change: (box) => box.ok("POST", "/env", { envVars: { A: "1" } }),
    byId: [3, 3],
    byBinding: [3, 3],
  },
  "a fork of the context": {
    change: (box, id) => box.ok("POST", `/contexts/${id}/fork`, {}),
    byId: [3, 3],
    byBinding: [3, 3],
  },
  "a fork of the sandbox": {
    change: (box) => box.ok("POST", "/fork", { to: "copy" }),
    byId: [3, 3],
    byBinding: [3, 3],
  },
  "a checkpoint": {
    change: (box) => box.ok("POST", "/checkpoints", {}),
    byId: [3, 3],
    byBinding: [3, 3],
  },
  "a restore": {
    change: async (box) => {
      const { id } = await box.ok("POST", "/checkpoints", {});
      await add(box, { add: 10 });
      await box.ok("POST", `/checkpoints/${id}/restore`);
    },
    byId: [3, 3],
    byBinding: [3, 3],
  },
  "the deletion of the context": {
    change: (box, id) => box.ok("DELETE", `/contexts/${id}`),
    byId: 404,
    byBinding: [1, 1],
  },
  "the deletion of the sandbox": {
    change: (box) => box.ok("DELETE", "/"),
    byId: 404,
    byBinding: [1, 1],
  },
  "a new sandbox of the name": {
    change: async (box) => {
      await box.ok("DELETE", "/");
      await add(box, { add: 10 });
    },
    byId: 404,
    byBinding: [2, 11],
  },
};

Deno.test("optimistic run: one operation of the store, once a process has run twice", () =>
  withTestStore(async (kv) => {
    const counted = new FaultyStore(kv);
    const { box } = processOver(counted, { timers: WITHOUT_LEASE });
    await makeSteady(box);
    await add(box);
    const fences = await fencesIn(kv);
    for (const n of [4, 5]) {
      counted.reset();
      assertEquals(await add(box), [n, n]);
      assertEquals(counted.operations.filter((each) => each === "commit"), ["commit"]);
      assertEquals(await fencesIn(kv), fences);
    }
  }));

for (const [what, { change, byId, byBinding }] of Object.entries(CHANGES)) {
  Deno.test(`optimistic run: sees ${what} of another process before it`, async () => {
    for (const wanted of ["id", "binding"]) {
      await withTestStore(async (kv) => {
        const here = processOver(kv).box;
        const there = processOver(kv).box;
        const id = await makeSteady(here);
        await change(there, id);
        if (wanted === "binding") assertEquals(await add(here), byBinding);
        else if (byId === 404) {
          const body = { code: JSON.stringify(ADD), contextId: id };
          await here.fails(404, "CONTEXT_NOT_FOUND", "POST", "/execute", body);
        } else assertEquals(await add(here, ADD, id), byId);
      });
    }
  });
}

const BEFORE_THE_COMMIT: readonly RunStep[] = ["admitted", "leased", "read", "ran"];

for (const step of BEFORE_THE_COMMIT) {
  Deno.test(`optimistic run: at "${step}" another process changes the sandbox, and the run is after it`, async () => {
    for (const [what, { change, byId, byBinding }] of Object.entries(CHANGES)) {
      await withTestStore(async (kv) => {
        const there = processOver(kv).box;
        let id: string | undefined;
        const onStep = async (done: RunStep) => {
          if (done !== step || id === undefined) return;
          const at = id;
          id = undefined;
          await change(there, at);
        };
        const here = processOver(kv, { onStep, timers: WITHOUT_LEASE }).box;
        id = await makeSteady(here);
        const at = id;
        if (byId !== 404) return assertEquals(await add(here, ADD, at), byId, what);
        assertEquals(await add(here), byBinding, what);
      });
    }
  });
}

Deno.test("optimistic run: If-Match is compared with the current number of runs", () =>
  withTestStore(async (kv) => {
    const here = processOver(kv).box;
    const there = processOver(kv).box;
    const send = async (runs: number) => {
      const body = { code: JSON.stringify(ADD), binding: "PYTHON" };
      const answer = await here.send("POST", "/execute", body, {
        headers: { "if-match": `"${runs}"` },
      });
      await answer.body?.cancel();
      return answer.status;
    };
    await makeSteady(here);
    await add(there);
    assertEquals(await send(2), 412);
    assertEquals([await send(3), await send(3), await send(4)], [200, 412, 200]);
  }));

Deno.test("optimistic run: a longer run takes the lease, and another process waits", () =>
  withTestStore(async (kv) => {
    const there = processOver(kv).box;
    let other: Promise<readonly unknown[]> | undefined;
    let isArmed = false;
    const before: string[] = [];
    const onStep = async (done: RunStep) => {
      if (!isArmed || done !== "read") return;
      isArmed = false;
      before.push(await fencesIn(kv));
      while (await fencesIn(kv) === before[0]) await pause(systemTimers, 5);
      other = add(there);
      await pause(systemTimers, 30);
    };
    const here = processOver(kv, { onStep }).box;
    await makeSteady(here);
    isArmed = true;
    assertEquals(await add(here), [3, 3]);
    assertEquals(await other, [4, 4]);
  }));

/** Does something once, before an operation. */
class InterruptedStore extends WrappedStore {
  left = Infinity;
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  protected override async around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    if (this.left-- === 0) await this.meanwhile();
    return await work();
  }
}

Deno.test("optimistic run: a commit before any operation of another process's run counts, and so does that run", async () => {
  for (let before = 0;; before++) {
    const isOver = await withResult(async (kv) => {
      const here = processOver(kv).box;
      await makeSteady(here);
      await add(here);
      const interrupted = new InterruptedStore(kv);
      let ran: Promise<readonly unknown[]> | undefined;
      interrupted.meanwhile = async () => {
        ran = add(here);
        await Promise.race([ran, new Promise((resolve) => setTimeout(resolve, 30))]);
      };
      interrupted.left = before;
      const there = await add(processOver(interrupted).box);
      if (ran === undefined) return true;
      assertEquals(new Set([String(there), String(await ran)]), new Set(["4,4", "5,5"]));
      return false;
    });
    if (isOver) return assert(before >= 3);
  }
});

/** Does `work` with a store in memory, and gives its result. */
async function withResult<T>(work: (kv: KvStore) => Promise<T>): Promise<T> {
  const results: T[] = [];
  await withTestStore(async (kv) => void results.push(await work(kv)));
  const [result] = results;
  if (result === undefined) throw new Error("no result");
  return result;
}

Deno.test("optimistic run: killed before each operation, or with an answer lost, all of it or nothing is found", async () => {
  for (const fault of ["killed", "answer lost"]) {
    for (const first of [2, 3]) { // the next value is 3, which is large, or 4
      for (let at = 0;; at++) {
        const isOver = await withResult(async (kv) => {
          const faulty = new FaultyStore(kv);
          const lossy = new SilentStore(faulty);
          const { box, sandboxes } = processOver(lossy);
          await makeSteady(box);
          if (first === 3) await add(box);
          if (fault === "killed") faulty.killAfter(at);
          else lossy.loseAnswer(at);
          const body = { code: JSON.stringify(ADD), binding: "PYTHON" };
          const answer = await box.send("POST", "/execute", body);
          await answer.body?.cancel();
          const happened = fault === "killed" ? faulty.died : lossy.happened;
          const next = processOver(kv);
          const [, value] = await add(next.box);
          assert(value === first + 1 || value === first + 2, `${fault} ${at}: ${value}`);
          if (answer.ok) assertEquals(value, first + 2);
          if (fault === "answer lost") assert(answer.ok);
          if (fault === "answer lost") await janitorRound(kv, sandboxes, Date.now);
          await janitorRound(kv, next.sandboxes, Date.now);
          await assertTidy(kv, `${fault} ${at}`);
          return !happened;
        });
        if (isOver) break;
      }
    }
  }
});

const SEQUENCES = Number(Deno.env.get("OPTIMISTIC_SEQUENCES") ?? count(10, 3_000));
const STEPS = 30;

/** Runs, files and forks through several processes; runs of one context are in one order. */
async function sequence(kv: KvStore, seed: number): Promise<number> {
  const below = seededBelow(seed);
  const processes = [1, 2, 3].map(() => processOver(kv));
  let [runs, value, optimistic] = [0, 0, 0];
  let at = 0;
  for (let step = 0; step < STEPS; step++) {
    if (below(4) === 0) at = below(processes.length);
    const box = processes[at]?.box;
    const other = processes[below(processes.length)]?.box;
    assert(box !== undefined && other !== undefined);
    const fences = await fencesIn(kv);
    const adds = [1 + below(9), ...below(3) === 0 ? [1 + below(9)] : []];
    const beside: Promise<Body>[] = [];
    if (below(4) === 0) beside.push(other.file("write", "f", { content: String(step) }));
    if (below(8) === 0) beside.push(other.ok("POST", "/env", { envVars: { A: String(step) } }));
    if (below(8) === 0 && runs > 0) {
      beside.push(other.ok("POST", "/fork", { to: `copy-${seed}-${step}` }));
    }
    const answers = await Promise.all(
      adds.map((n, index) => add(index === 0 ? box : other, { add: n })),
    );
    await Promise.all(beside);
    const sorted = answers.toSorted((one, two) => Number(one[0]) - Number(two[0]));
    for (const answer of sorted) {
      const n = adds[answers.indexOf(answer)] ?? 0;
      assertEquals(answer, [++runs, value += n], `seed ${seed}, step ${step}`);
    }
    if (fences === await fencesIn(kv)) optimistic++;
  }
  const [last] = processes;
  assert(last !== undefined);
  await janitorRound(kv, last.sandboxes, Date.now);
  await assertTidy(kv, `seed ${seed}`);
  return optimistic;
}

Deno.test(`optimistic run: ${SEQUENCES} random sequences through three processes have one order`, async () => {
  const seed = printedSeed("optimistic runs");
  let optimistic = 0;
  for (let n = 0; n < SEQUENCES; n++) {
    await withTestStore(async (kv) => void (optimistic += await sequence(kv, seed + n)));
  }
  assert(optimistic >= SEQUENCES, `${optimistic} optimistic runs`);
});

/** Deno's client of a KV server commits again when an answer is lost, and is refused then. */
class RepeatedCommit extends WrappedStore {
  /** Called once, between the commit and its repetition. */
  meanwhile: (() => Promise<void>) | undefined;

  override get repeatsCommits(): boolean {
    return true;
  }

  protected override async around<T>(
    operation: StoreOperation,
    work: () => Promise<T>,
  ): Promise<T> {
    const { meanwhile } = this;
    if (operation !== "commit" || meanwhile === undefined) return await work();
    this.meanwhile = undefined;
    await work();
    await meanwhile();
    return await work();
  }
}

for (const others of [0, 1, 15, 17]) {
  const runs = `${others} runs of another process`;
  Deno.test(`optimistic run: a commit that is repeated after ${runs} counts once`, () =>
    withTestStore(async (kv) => {
      const repeating = new RepeatedCommit(kv);
      const { box } = processOver(repeating, { timers: WITHOUT_LEASE });
      const { box: elsewhere } = processOver(kv);
      await makeSteady(box);
      repeating.meanwhile = async () => {
        for (let run = 0; run < others; run++) await add(elsewhere);
      };
      const request = { code: JSON.stringify(ADD), binding: "PYTHON" };
      const answer = await box.send("POST", "/execute", request);
      const { executionCount } = await answer.json();
      // a record names only the latest commits: beyond them nobody knows, and nothing is repeated
      assertEquals([answer.status, executionCount], others > 16 ? [409, undefined] : [200, 3]);
      assertEquals(await add(elsewhere), [4 + others, 4 + others]);
    }));
}
