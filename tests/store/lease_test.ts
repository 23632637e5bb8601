// test: slow
import { assert, assertEquals, assertFalse, assertInstanceOf, assertRejects } from "@std/assert";
import { LeaseLost } from "../../store/active_lease.ts";
import { sandboxLeaseKeys } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { type Lease, LeaseGone, LeaseTable, LeaseTimeout } from "../../store/lease.ts";
import { Transaction } from "../../store/transaction.ts";
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";
import { until } from "../support/wait.ts";
import { withTestStore } from "../support/test_store.ts";
import { FaultyKv } from "./faulty_kv.ts";
import { keysUnder, type ManualTime, storeTest, withTime } from "./fixture.ts";

/** With real time, long enough that no heartbeat is ever due. */
const REAL_TTL_MS = 60_000;
const TTL_MS = 900;
const keys = sandboxLeaseKeys("life", "context");
const patient = { maxWaitMs: 60_000 };

interface TableOptions {
  readonly time?: ManualTime;
  /** Offset of this process's clock from the others, ms. */
  readonly skewMs?: number;
}

/** A separate table, as in a separate process. */
function table(kv: KvStore, { time, skewMs = 0 }: TableOptions = {}): LeaseTable {
  const ttlMs = time === undefined ? REAL_TTL_MS : TTL_MS;
  const clock = time === undefined ? Date.now : () => time.now + skewMs;
  const timers = time === undefined ? {} : { timers: time };
  return new LeaseTable({ kv, owner: crypto.randomUUID(), ttlMs, clock, ...timers });
}

function commitUnder(kv: KvStore, lease: Lease, value: unknown): Promise<boolean> {
  const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
  lease.commitWith(transaction);
  return transaction.set(["result"], value).commit();
}

storeTest("lease: fences grow by one, whether released or committed", async (kv) => {
  const leases = table(kv);
  for (let fence = 1; fence <= 6; fence++) {
    const lease = await leases.acquire(keys, patient);
    assertEquals(lease.fence, fence);
    if (fence % 2 === 0) assert(await commitUnder(kv, lease, fence));
    await lease.release();
    await lease.release();
    assertFalse(lease.lost.aborted);
  }
  assertEquals(await keysUnder(kv, ["sandbox_lease"]), ["sandbox_lease/life/context/fence"]);
});

Deno.test("lease: an uncontended lease is one read and one write; a commit releases it", () =>
  withTestStore(async (kv) => {
    const counted = new FaultyKv(kv);
    const lease = await table(counted).acquire(keys, patient);
    assertEquals([counted.steps, counted.writes], [2, 1]);
    assert(await commitUnder(counted, lease, 1));
    await lease.release();
    assertEquals([counted.steps, counted.writes], [3, 2]);
  }));

storeTest("lease: two processes never hold it at once, and each gets it", async (kv) => {
  let holders = 0;
  const fences: number[] = [];
  const work = async (leases: LeaseTable) => {
    for (let turn = 0; turn < 8; turn++) {
      const lease = await leases.acquire(keys, patient);
      assertEquals(++holders, 1);
      fences.push(lease.fence);
      await new Promise((resolve) => setTimeout(resolve, 1));
      holders--;
      if (turn % 2 === 0) assert(await commitUnder(kv, lease, turn));
      await lease.release();
    }
  };
  const [one, other] = [table(kv), table(kv)];
  await Promise.all([work(one), work(one), work(other)]);
  assertEquals(fences, Array.from({ length: 24 }, (_, index) => index + 1));
});

Deno.test("lease: within a process the first caller is served first", () =>
  withTestStore(async (kv) => {
    const leases = table(kv);
    const first = await leases.acquire(keys, patient);
    const order: number[] = [];
    const waiting = Array.from({ length: 10 }, async (_, index) => {
      const lease = await leases.acquire(keys, patient);
      order.push(index);
      await lease.release();
    });
    await first.release();
    await Promise.all(waiting);
    assertEquals(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }));

Deno.test("lease: leases of different contexts do not wait for each other", () =>
  withTestStore(async (kv) => {
    const leases = table(kv);
    const one = await leases.acquire(keys, patient);
    const other = await leases.acquire(sandboxLeaseKeys("life", "another"), patient);
    assertEquals([one.fence, other.fence], [1, 1]);
    await Promise.all([one.release(), other.release()]);
  }));

Deno.test("lease: a waiter that gives up leaves the others their turn", () =>
  withTestStore(async (kv) => {
    const [leases, elsewhere] = [table(kv), table(kv)];
    const held = await leases.acquire(keys, patient);
    const gone = new AbortController();
    const leaving = leases.acquire(keys, { ...patient, signal: gone.signal });
    const next = leases.acquire(keys, patient);
    const tooLate = assertRejects(() => leases.acquire(keys, { maxWaitMs: 1 }), LeaseTimeout);
    const polling = elsewhere.acquire(keys, { ...patient, signal: gone.signal });
    const oneTry = assertRejects(() => elsewhere.acquire(keys, { maxWaitMs: 0 }), LeaseTimeout);
    await tooLate;
    const reason = new Error("the caller has gone");
    const outcomes = [leaving, polling].map((given) =>
      given.then(() => "got it", (thrown) => thrown)
    );
    gone.abort(reason);
    assertEquals(await Promise.all(outcomes), [reason, reason]);
    await oneTry;
    await assertRejects(() => leases.acquire(keys, { ...patient, signal: gone.signal }), Error);
    await held.release();
    const lease = await next;
    assertEquals(lease.fence, 2);
    await lease.release();
  }));

Deno.test("lease: a free lease is acquired immediately, even without waiting", () =>
  withTestStore(async (kv) => {
    const slow = new FaultyKv(kv, { latency: () => 5 });
    const lease = await table(slow).acquire(keys, { maxWaitMs: 0 });
    assertEquals(lease.fence, 1);
    await lease.release();
  }));

Deno.test("lease: heartbeats keep it for as long as it is held", () =>
  withTime(async (kv, time) => {
    const lease = await table(kv, { time }).acquire(keys, patient);
    const { versionstamp } = await kv.get(keys.fence);
    const other = table(kv, { time }).acquire(keys, { maxWaitMs: 10 * TTL_MS });
    const refused = assertRejects(() => other, LeaseTimeout);
    for (let beat = 0; beat < 31; beat++) await time.advance(TTL_MS / 3);
    await refused;
    assertFalse(lease.lost.aborted);
    assertEquals((await kv.get(keys.fence)).versionstamp, versionstamp);
    assert(await commitUnder(kv, lease, "kept"));
    await lease.release();
    assertEquals(time.pending, 0);
  }));

Deno.test("lease: a dead holder's lease is acquired after the lease time, not before", () =>
  withTime(async (kv, time) => {
    const dying = new FaultyKv(kv);
    const dead = await table(dying, { time }).acquire(keys, patient);
    dying.crashed = true;
    let taken: Lease | undefined;
    const taking = table(kv, { time }).acquire(keys, patient).then((lease) => taken = lease);
    await time.advance(TTL_MS - 90);
    assertEquals(taken, undefined);
    await time.advance(180);
    await until(() => taken !== undefined);
    assertEquals((await taking).fence, 2);
    await time.advance(TTL_MS);
    assert(dead.lost.aborted);
    assertInstanceOf(dead.lost.reason, LeaseLost);
    await taken?.release();
    await dead.release();
  }));

Deno.test("lease: a stalled holder that resumes after another has continued destroys nothing", () =>
  withTime(async (kv, time) => {
    const later = { time, skewMs: TTL_MS };
    const stalled = await table(kv, { time }).acquire(keys, patient);
    const lease = await table(kv, later).acquire(keys, patient);
    assertFalse(await commitUnder(kv, stalled, "of the stalled"));
    assertEquals((await kv.get(["result"])).value, null);
    await time.advance(TTL_MS / 3);
    await until(() => stalled.lost.aborted);
    await stalled.release();
    await stalled.release();
    assert(await commitUnder(kv, lease, "of the living"));
    await lease.release();
    assertEquals((await kv.get(["result"])).value, "of the living");
  }));

Deno.test("lease: a holder that lost it passes the turn on within its process", () =>
  withTime(async (kv, time) => {
    const later = { time, skewMs: TTL_MS };
    const leases = table(kv, { time });
    const stalled = await leases.acquire(keys, patient);
    const next = leases.acquire(keys, patient);
    const robber = await table(kv, later).acquire(keys, patient);
    await robber.release();
    await time.advance(TTL_MS / 3);
    assertEquals((await next).fence, 3);
    await (await next).release();
    await stalled.release();
    assertEquals((await kv.get(keys.deadline)).value, null);
  }));

Deno.test("lease: clocks that differ by less than the margin take no lease away", () =>
  withTime(async (kv, time) => {
    const lease = await table(kv, { time }).acquire(keys, patient);
    for (const skewMs of [-TTL_MS / 6, TTL_MS / 6]) {
      const waiting = table(kv, { time, skewMs }).acquire(keys, { maxWaitMs: 3 * TTL_MS });
      const refused = assertRejects(() => waiting, LeaseTimeout);
      for (let beat = 0; beat < 10; beat++) await time.advance(TTL_MS / 3);
      await refused;
    }
    assertFalse(lease.lost.aborted);
    await lease.release();
  }));

Deno.test("lease: a clock hours ahead locks no process out for longer than the lease time", () =>
  withTime(async (kv, time) => {
    const dying = new FaultyKv(kv);
    const ahead = await table(dying, { time, skewMs: 7 * 3_600_000 }).acquire(keys, patient);
    dying.crashed = true;
    const lease = table(kv, { time }).acquire(keys, patient);
    for (let turn = 0; turn < 12; turn++) await time.advance(TTL_MS / 10);
    assertEquals((await lease).fence, 2);
    await (await lease).release();
    await time.advance(8 * 3_600_000);
    await ahead.release();
  }));

Deno.test("lease: a lease survives a temporary failure of KV, and is lost if its deadline passes meanwhile", () =>
  withTime(async (kv, time) => {
    for (const failures of [1, 100]) {
      let left = 0;
      const faulty = new FaultyKv(kv, { faultAt: () => left-- > 0 ? "broken" : undefined });
      const lease = await table(faulty, { time }).acquire(keys, patient);
      left = failures;
      for (let beat = 0; beat < 4; beat++) await time.advance(TTL_MS / 3);
      assertEquals(lease.lost.aborted, failures > 1);
      left = 0;
      await lease.release();
      await kv.delete(keys.deadline);
    }
  }));

Deno.test("lease: a heartbeat that arrives after the commit neither revives nor loses it", () =>
  withTime(async (kv, time) => {
    let heartbeatHeld: (() => void) | undefined;
    let holdWrites = false;
    const slow = new FaultyKv(kv, {
      beforeWrite: () => {
        if (!holdWrites) return Promise.resolve();
        holdWrites = false;
        return new Promise((resolve) => heartbeatHeld = resolve);
      },
    });
    const lease = await table(slow, { time }).acquire(keys, patient);
    holdWrites = true;
    await time.advance(TTL_MS / 3);
    assert(heartbeatHeld !== undefined);
    assert(await commitUnder(slow, lease, "done"));
    const next = await table(kv, { time }).acquire(keys, patient);
    const released = lease.release();
    heartbeatHeld();
    await released;
    assertFalse(lease.lost.aborted);
    const { value } = await kv.get<{ owner: string; fence: number }>(keys.fence);
    assertEquals(value?.fence, 2);
    assertFalse(next.lost.aborted);
    await next.release();
    assertEquals((await kv.get(keys.deadline)).value, null);
    assertEquals(time.pending, 0);
  }));

Deno.test("lease: a heartbeat that arrives after the release locks no process out", () =>
  withTime(async (kv, time) => {
    const held: (() => void)[] = [];
    const slow = new FaultyKv(kv, {
      beforeWrite: (step) => step === 3 ? new Promise((go) => held.push(go)) : Promise.resolve(),
    });
    const lease = await table(slow, { time }).acquire(keys, patient);
    await time.advance(TTL_MS / 3);
    assertEquals(held.length, 1);
    assert(await commitUnder(kv, lease, "done"));
    const released = lease.release();
    held[0]?.();
    await released;
    assertEquals((await kv.get(keys.deadline)).value, null);
  }));

Deno.test("lease: a heartbeat that meets its own commit does not count it as a loss", () =>
  withTime(async (kv, time) => {
    const lease = await table(kv, { time }).acquire(keys, patient);
    // KV has done the commit; its answer is still in transit when the heartbeat arrives.
    const slow = new SlowAnswers(kv, () => time.advance(TTL_MS / 3));
    const late = new Transaction(slow, { writeId: crypto.randomUUID(), clock: Date.now });
    lease.commitWith(late);
    assert(await late.commit());
    await lease.release();
    assertFalse(lease.lost.aborted);
    assertEquals(time.pending, 0);
  }));

/** The same store, which answers only after `before` is over. */
class SlowAnswers extends WrappedStore {
  readonly #before: () => Promise<void>;

  constructor(kv: KvStore, before: () => Promise<void>) {
    super(kv);
    this.#before = before;
  }

  protected override async around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    const done = await work();
    await this.#before();
    return done;
  }
}

storeTest("lease: a commit that is refused keeps the lease, and may be tried again", async (kv) => {
  await kv.set(["root"], 1);
  const lease = await table(kv).acquire(keys, patient);
  const refused = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
  lease.commitWith(refused);
  assertFalse(await refused.check(["root"], null).set(["result"], 1).commit());
  assert((await kv.get(keys.deadline)).value !== null);
  assert(await commitUnder(kv, lease, 2));
  await lease.release();
  assertFalse(lease.lost.aborted);
});

storeTest(
  "lease: it is not acquired for a resource that no longer exists, and leaves no key",
  async (kv) => {
    const root = ["root"];
    const options = {
      ...patient,
      also: [root],
      exists: ([entry]: readonly Deno.KvEntryMaybe<unknown>[]) => entry?.versionstamp !== null,
    };
    await assertRejects(() => table(kv).acquire(keys, options), LeaseGone);
    assertEquals(await keysUnder(kv), []);
    await kv.set(root, 1);
    await (await table(kv).acquire(keys, options)).release();
    const holder = await table(kv).acquire(keys, options);
    // it may end before the deletion is answered
    const refused = assertRejects(() => table(kv).acquire(keys, options), LeaseGone);
    await kv.atomic().delete(root).delete(keys.fence).delete(keys.deadline).commit();
    await refused;
    await holder.release();
    assertEquals(await keysUnder(kv), []);
  },
);

storeTest("lease: a deletion between read and acquisition leaves no key", async (kv) => {
  const root = ["root"];
  await kv.set(root, 1);
  const exists = ([entry]: readonly Deno.KvEntryMaybe<unknown>[]) => entry?.versionstamp !== null;
  const overtaken = new SlowAnswers(kv, () => kv.delete(root));
  const options = { ...patient, also: [root], exists };
  await assertRejects(() => table(overtaken).acquire(keys, options), LeaseGone);
  assertEquals(await keysUnder(kv), []);
});
