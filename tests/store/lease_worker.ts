/**
 * A separate process for `processes_test.ts`: opens the store at the first argument and appends,
 * under the lease, to a list that is read and written whole; or, given `large`, replaces one large
 * blob by the next until it is killed.
 *
 * @module
 */
import type { BlobRef } from "../../store/blobs.ts";
import { rootRecordKey, sandboxBlobKey, sandboxLeaseKeys } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { LeaseTable } from "../../store/lease.ts";
import { openStore } from "../../store/open.ts";
import { Transaction } from "../../store/transaction.ts";

const BLOB_BYTES = 40 * 65_536;
const key = sandboxBlobKey("life");
const root = rootRecordKey("tenant", "box");

async function addFences(kv: KvStore, leases: LeaseTable, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    const lease = await leases.acquire(sandboxLeaseKeys("life", "c"), { maxWaitMs: 60_000 });
    const { value } = await kv.get<number[]>(root);
    const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
    lease.commitWith(transaction);
    transaction.set(root, [...value ?? [], lease.fence]);
    if (!(await transaction.commit())) throw new Error("a commit under the lease was refused");
    await lease.release();
  }
}

async function replaceLargeBlobs(kv: KvStore): Promise<never> {
  for (let turn = 0;; turn++) {
    const { value } = await kv.get<{ readonly ref: BlobRef }>(root);
    const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
    if (value !== null) transaction.deleteBlob(key, value.ref);
    const ref = transaction.putBlob(key, new Uint8Array(BLOB_BYTES).fill(turn % 256));
    transaction.set(root, { ref });
    if (!(await transaction.commit())) throw new Error("a commit was refused");
    await Deno.stdout.write(new TextEncoder().encode("."));
  }
}

const [path, work = ""] = Deno.args;
const kv = await openStore(path);
if (work === "large") await replaceLargeBlobs(kv);
const owner = crypto.randomUUID();
await addFences(
  kv,
  new LeaseTable({ kv, owner, ttlMs: 10_000, clock: Date.now }),
  Number(work),
);
kv.close();
