// test: slow
import { assert, assertEquals, assertRejects } from "@std/assert";
import { sandboxLeaseKeys } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { type Lease, LeaseGone, LeaseTable, LeaseTimeout } from "../../store/lease.ts";
import { Transaction } from "../../store/transaction.ts";
import { withTestStore } from "../support/test_store.ts";
import { FaultyKv } from "./faulty_kv.ts";
import { keysUnder, storeTest } from "./fixture.ts";

/** Long enough that no heartbeat is ever due. */
const TTL_MS = 60_000;
const keys = sandboxLeaseKeys("life", "context");
const patient = { maxWaitMs: 60_000 };

/** A separate table, as in a separate process. */
function table(kv: KvStore): LeaseTable {
  return new LeaseTable({ kv, owner: crypto.randomUUID(), ttlMs: TTL_MS, clock: Date.now });
}

function commitUnder(kv: KvStore, lease: Lease, value: unknown): Promise<boolean> {
  const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
  lease.commitWith(transaction);
  return transaction.set(["result"], value).commit();
}

Deno.test("lease: a holder that released it acquires it again while the further keys are read", () =>
  withTestStore(async (kv) => {
    const counted = new FaultyKv(kv);
    const leases = table(counted);
    await kv.set(["further"], "first");
    const read = { ...patient, also: [["further"]], exists: () => true };
    await (await leases.acquire(keys, read)).release();
    await kv.set(["further"], "second");
    const steps = counted.steps;
    const lease = await leases.acquire(keys, read);
    assertEquals([counted.steps - steps, lease.fence], [2, 2]);
    assertEquals(lease.also.map(({ value }) => value), ["second"]);
    assert(await commitUnder(counted, lease, "committed"));
    const next = await leases.acquire(keys, read);
    assertEquals([counted.steps - steps, next.fence], [5, 3]);
    await next.release();
  }));

storeTest("lease: a former holder sees that another process had the lease since", async (kv) => {
  const leases = table(kv);
  await (await leases.acquire(keys, patient)).release();
  const other = await table(kv).acquire(keys, patient);
  await assertRejects(() => leases.acquire(keys, { maxWaitMs: 50 }), LeaseTimeout);
  assert(await commitUnder(kv, other, "of the other"));
  const lease = await leases.acquire(keys, patient);
  assertEquals(lease.fence, 3);
  await lease.release();
});

storeTest("lease: a released lease of a deleted resource leaves no key", async (kv) => {
  const leases = table(kv);
  await kv.set(["root"], "there");
  const wanted = {
    ...patient,
    also: [["root"]],
    exists: ([root]: readonly Deno.KvEntryMaybe<unknown>[]) => root?.value === "there",
  };
  await (await leases.acquire(keys, wanted)).release();
  await kv.atomic().delete(["root"]).delete(keys.fence).delete(keys.deadline).commit();
  await assertRejects(() => leases.acquire(keys, wanted), LeaseGone);
  assertEquals(await keysUnder(kv, ["sandbox_lease"]), []);
  // overwritten by another writer, and deleted while it is acquired again
  await kv.set(["root"], "there");
  await (await leases.acquire(keys, wanted)).release();
  await kv.delete(["root"]);
  await assertRejects(() => leases.acquire(keys, wanted), LeaseGone);
  assertEquals(await keysUnder(kv, ["sandbox_lease"]), ["sandbox_lease/life/context/fence"]);
});

Deno.test("lease: a lease for a disconnected caller is free immediately", () =>
  withTestStore(async (kv) => {
    const gone = new AbortController();
    const slow = new FaultyKv(kv, {
      beforeWrite: (step) => Promise.resolve(step > 3 ? gone.abort(new Error("gone")) : undefined),
    });
    const leases = table(slow);
    await (await leases.acquire(keys, patient)).release();
    await assertRejects(
      () => leases.acquire(keys, { ...patient, signal: gone.signal }),
      Error,
      "gone",
    );
    assertEquals((await kv.get(keys.deadline)).value, null);
    const next = await table(kv).acquire(keys, { maxWaitMs: 0 });
    await next.release();
  }));
