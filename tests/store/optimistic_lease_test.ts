// test: slow
import { assert, assertEquals } from "@std/assert";
import { sandboxLeaseKeys } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { type Lease, LeaseTable } from "../../store/lease.ts";
import { Transaction } from "../../store/transaction.ts";
import { withTestStore } from "../support/test_store.ts";
import { FaultyKv } from "./faulty_kv.ts";

const TTL_MS = 60_000;
const keys = sandboxLeaseKeys("life", "context");
const patient = { maxWaitMs: 60_000, also: [["root"]] };

function table(kv: KvStore): LeaseTable {
  return new LeaseTable({ kv, owner: crypto.randomUUID(), ttlMs: TTL_MS, clock: Date.now });
}

function commitUnder(kv: KvStore, lease: Pick<Lease, "commitWith">, value: string) {
  const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
  lease.commitWith(transaction);
  return transaction.set(["root"], value).commit();
}

async function freed(kv: KvStore): Promise<LeaseTable> {
  const leases = table(kv);
  await kv.set(["root"], "first");
  await (await leases.acquire(keys, patient)).release();
  return leases;
}

Deno.test("optimistic lease: assume() returns only leases that this process released and that nobody here uses or waits for", () =>
  withTestStore(async (kv) => {
    assertEquals(table(kv).assume(keys), undefined);
    const leases = await freed(kv);
    const lease = leases.assume(keys);
    assert(lease !== undefined);
    assertEquals(leases.assume(keys), undefined);
    const next = leases.acquire(keys, patient);
    await Promise.all([lease.release(), lease.release()]);
    const held = await next;
    assertEquals(leases.assume(keys), undefined);
    await held.release();
    await leases.assume(keys)?.release();
  }));

Deno.test("optimistic lease: commits again and again, until another process had the lease", () =>
  withTestStore(async (kv) => {
    const leases = await freed(kv);
    for (let n = 0; n < 3; n++) {
      const lease = leases.assume(keys);
      assert(lease !== undefined && await commitUnder(kv, lease, "mine"));
      await lease.release();
    }
    const late = leases.assume(keys);
    assert(late !== undefined);
    await (await table(kv).acquire(keys, patient)).release();
    assertEquals(await commitUnder(kv, late, "late"), false);
    assertEquals(await late.hold([["root"]]), undefined);
    await late.release();
    assertEquals(leases.assume(keys), undefined);
    await (await leases.acquire(keys, patient)).release();
  }));

Deno.test("optimistic lease: hold() acquires the lease; a release meanwhile frees it", () =>
  withTestStore(async (kv) => {
    const leases = await freed(kv);
    const lease = leases.assume(keys);
    const [root] = await lease?.hold([["root"]]) ?? [];
    assertEquals(root?.value, "first");
    assert((await kv.get(keys.deadline)).versionstamp !== null);
    assert(lease !== undefined && await commitUnder(kv, lease, "mine"));
    await lease.release();
    const given = leases.assume(keys);
    const holding = given?.hold([["root"]]);
    await given?.release();
    assertEquals(await holding, undefined);
    assertEquals((await kv.get(keys.deadline)).versionstamp, null);
    await (await leases.acquire(keys, { maxWaitMs: 0 })).release();
  }));

Deno.test("optimistic lease: the next holder reads the state of a simultaneous commit", () =>
  withTestStore(async (kv) => {
    const leases = await freed(kv);
    const lease = leases.assume(keys);
    let isDone = false;
    const slow = new FaultyKv(kv, {
      beforeWrite: async () => {
        if (isDone || lease === undefined) return;
        isDone = true;
        assert(await commitUnder(kv, lease, "in between"));
      },
    });
    const other = await table(slow).acquire(keys, patient);
    assertEquals([isDone, other.also[0]?.value], [true, "in between"]);
    await other.release();
    await lease?.release();
  }));
