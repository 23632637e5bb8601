// test: slow
/**
 * Runs with a key whose process is killed, or whose store falls silent, in the middle: the same
 * request, sent again, has run exactly once.
 */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import { GuardedStore } from "../../store/guarded_store.ts";
import { Janitor } from "../../store/janitor.ts";
import { LeaseTable } from "../../store/lease.ts";
import { countIn } from "../../store/transaction.ts";
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";
import { type Silence, silenceTimers, SilentStore } from "../store/silent_store.ts";
import { count } from "../support/counts.ts";
import { until } from "../support/wait.ts";
import { FaultyStore } from "./faulty_store.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";
import { keyed } from "./keyed.ts";

const LEASE_MS = 10_000;
/** More than fits into one atomic operation, so blobs are written before it. */
const LARGE = 900_000;

let now = Date.now();
const clock = () => now;

async function janitorRound(store: KvStore, sandboxes: Sandboxes): Promise<void> {
  const leases = new LeaseTable({ kv: store, owner: "janitor", ttlMs: LEASE_MS, clock });
  const onError = (_: string, thrown: unknown) => {
    throw thrown;
  };
  const janitor = new Janitor({ kv: store, clock, leases, intentAgeMs: 0, onError });
  for (const task of sandboxes.janitorTasks) janitor.register(task);
  await janitor.runNow();
  await janitor.close();
}

/** Adds one to `n`, and answers with little or much. */
const PROGRAMS = {
  small: "n += 1\nn",
  large: "n += 1\nread large",
  exception: "n += 1\nthrow no",
};

for (const [size, code] of Object.entries(PROGRAMS)) {
  Deno.test(`repeats: killed before each single operation of a run with an answer (${size}), the repeat has the right answer`, () =>
    withStore(async (store) => {
      const runtimes = fakeRuntimes();
      const options = { runtimes, clock, leaseMs: LEASE_MS };
      const healthy = sandboxProcess(store, options);
      const box = new Caller(healthy);
      await box.run(`n = 0\nfill large ${LARGE}`);
      const replayed = new Set<boolean>();
      let runs = 1;
      for (let operations = 0;; operations++) {
        const key = `key-${operations}`;
        const faulty = new FaultyStore(store);
        faulty.killAfter(operations);
        const first = await keyed(new Caller(sandboxProcess(faulty, options)), key, code);
        now += 2 * LEASE_MS;
        const again = await keyed(box, key, code);
        assertEquals([again.status, again.body["executionCount"]], [200, ++runs]);
        if (first.status === 200) assertEquals([again.replayed, again.text], [true, first.text]);
        replayed.add(again.replayed);
        await janitorRound(store, healthy);
        assertEquals(await answersIn(store), operations + 1);
        if (!faulty.died) break;
      }
      assertEquals(replayed, new Set([true, false]));
      assertEquals((await box.run("n"))["results"], [{ json: runs - 1 }]);
      await box.ok("DELETE", "/");
      assertEquals(await keysOf(store), []);
    }));
}

/** The kept answers; each has one key, one time and one blob. */
async function answersIn(store: KvStore): Promise<number> {
  const seen = { key: 0, time: 0 };
  const named = new Set<unknown>();
  for await (const { key: [, , kind], value } of store.list({ prefix: ["sandbox_answer"] })) {
    if (kind === "key") seen.key++;
    else seen.time++;
    if (typeof value === "object" && value !== null && "run" in value) named.add(value.run);
  }
  const blobs = new Set<unknown>();
  for await (const { key: [, , writeId] } of store.list({ prefix: ["sandbox_blob"] })) {
    if (named.has(writeId)) blobs.add(writeId);
  }
  assertEquals([seen.time, named.size, blobs.size], [seen.key, seen.key, seen.key]);
  return seen.key;
}

Deno.test("repeats: killed before each single operation of removing expired answers, no answer is left over", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const options = { runtimes, clock, leaseMs: LEASE_MS, quotas: { idleTtlMs: 0 } };
    const healthy = sandboxProcess(store, options);
    const box = new Caller(healthy);
    await box.run(`n = 0\nfill large ${LARGE}`);
    const bytes = async () => countIn(await store.get(["sandbox_size", "default", "bytes"]));
    const [before, keys] = [await bytes(), (await keysOf(store)).length];
    for (let operations = 0, died = true; died; operations++) {
      for (let n = 0; n < 3; n++) await keyed(box, `key-${operations}-${n}`, "read large");
      now += 25 * 60 * 60 * 1000;
      const faulty = new FaultyStore(store);
      faulty.killAfter(operations);
      const [task] = sandboxProcess(faulty, options).janitorTasks
        .filter(({ name }) => name === "stored answers");
      await task?.run(new AbortController().signal).catch(() => undefined);
      died = faulty.died;
      await janitorRound(store, healthy);
      assertEquals([await bytes(), (await keysOf(store)).length], [before, keys]);
    }
  }));

const TIMES = { readMs: 60, writeMs: 80, log: () => undefined };

for (const silence of ["never done", "done", "done late"] satisfies readonly Silence[]) {
  Deno.test(`repeats: the store stops answering in the middle (${silence}), the repeat has the right answer`, () =>
    withStore(async (store) => {
      const options = { runtimes: fakeRuntimes(), clock, leaseMs: LEASE_MS };
      const other = new Caller(sandboxProcess(store, options));
      await other.run(`n = 0\nfill large ${LARGE}`);
      let runs = 1;
      for (const [size, code] of Object.entries(PROGRAMS).slice(0, count(1, 3))) {
        const outcomes = new Set<string>();
        for (let after = 0, happened = true; happened; after++) {
          const silent = new SilentStore(store);
          const guarded = new GuardedStore(silent, { ...TIMES, timers: silenceTimers(silent) });
          const box = new Caller(sandboxProcess(guarded, options));
          silent.fallSilent(after, silence);
          const key = `${size}-${after}`;
          const first = await keyed(box, key, code);
          happened = silent.happened;
          await silent.comeBack();
          await until(() => guarded.state === "ready");
          now += 2 * LEASE_MS;
          const again = await keyed(other, key, code);
          assertEquals([again.status, again.body["executionCount"]], [200, ++runs], key);
          outcomes.add(`${first.status} ${again.replayed}`);
          const third = await keyed(box, key, code);
          assertEquals([third.replayed, third.text], [true, again.text]);
          guarded.close();
        }
        const told = [...outcomes].join();
        assert(!outcomes.has("200 false") && !outcomes.has("503 true"), told);
        assert(
          outcomes.has(silence === "never done" ? "500 false" : "500 true"),
          `${size}: ${told}`,
        );
      }
      assertEquals((await other.run("n"))["results"], [{ json: runs - 1 }]);
    }));
}

Deno.test("repeats: an answer of the store that is lost and asked for again changes nothing", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.run(`n = 0\nfill large ${LARGE}`);
    let runs = 1;
    for (const code of Object.values(PROGRAMS)) {
      for (let after = 0, happened = true; happened; after++) {
        const silent = new SilentStore(store);
        const key = `${code.length}-${after}`;
        silent.loseAnswer(after);
        const first = await keyed(new Caller(sandboxProcess(silent, { runtimes })), key, code);
        happened = silent.happened;
        assertEquals([first.status, first.body["executionCount"]], [200, ++runs], key);
        const again = await keyed(box, key, code);
        assertEquals([again.replayed, again.text], [true, first.text]);
      }
    }
    assertEquals((await box.run("n"))["results"], [{ json: runs - 1 }]);
  }));

/** After one of its operations does something else, and asks a second time for the operation. */
class InterruptedStore extends WrappedStore {
  #left: number;
  readonly #meanwhile: () => Promise<unknown>;

  constructor(kv: KvStore, left: number, meanwhile: () => Promise<unknown>) {
    super(kv);
    this.#left = left;
    this.#meanwhile = meanwhile;
  }

  /** Whether it was interrupted. */
  get happened(): boolean {
    return this.#left < 0;
  }

  protected override async around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    if (this.#left-- !== 0) return await work();
    await work();
    await this.#meanwhile();
    return await work();
  }
}

Deno.test("repeats: a commit is recognised when its answer is lost, also after other commits", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.run("n = 0");
    let runs = 1;
    for (const code of ["n += 1\nn", "n += 1\nthrow no", "n += 1\nlimit"]) {
      for (let after = 0, happened = true; happened; after++) {
        const write = () => box.file("write", "f", { content: `${code.length} ${after}` });
        const interrupted = new InterruptedStore(store, after, write);
        const caller = new Caller(sandboxProcess(interrupted, { runtimes }));
        const key = `${code.length}-${after}`;
        const first = await keyed(caller, key, code);
        happened = interrupted.happened;
        assertEquals([first.status, first.body["executionCount"]], [200, ++runs], key);
        const again = await keyed(box, key, code);
        assertEquals([again.replayed, again.text], [true, first.text]);
      }
    }
  }));

Deno.test(`repeats: ${count(20, 200)} rounds of many callers with one key through two processes, one of which is killed`, () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const options = { runtimes, clock: Date.now, leaseMs: 200 };
    const box = new Caller(sandboxProcess(store, options));
    await box.run("n = 0");
    for (let round = 1; round <= count(20, 200); round++) {
      const faulty = new FaultyStore(store);
      faulty.killAfter(round % 20);
      const dying = new Caller(sandboxProcess(faulty, options));
      const callers = Array.from({ length: 4 }, () => [dying, box]).flat();
      const answers = await Promise.all(
        callers.map((caller) => keyed(caller, `key-${round}`, "n += 1\nn")),
      );
      const good = answers.filter(({ status }) => status === 200);
      assert(good.length >= 4);
      for (const { text, body } of good) {
        assertEquals([text, body["executionCount"]], [good[0]?.text, round + 1]);
      }
    }
  }));
