/**
 * The cost of a commit in a store that also has large blobs, by the size of their parts: commits
 * like those of a context's step, with the processor time of all threads.
 *
 * `deno run --allow-all bench/part_sizes.ts [MiB] [commits]`; without blobs, and with so many MiB.
 *
 * @module
 */
import {
  enginePartBlobKey,
  interpreterContextKey,
  interpreterSnapshotKey,
  rootRecordKey,
  sandboxLeaseKeys,
} from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import { openStore } from "../store/open.ts";
import { Transaction } from "../store/transaction.ts";
import { processorMs } from "../tests/support/process.ts";
import { ms, quantile, table, times } from "./stats.ts";

const MIB = 1 << 20;
const BLOBS_MIB = 36;
/** Of one blob. */
const BLOB_MIB = 4;
const COMMITS = 1_000;
const PART_BYTES = [65_536, 16_384, 8_192, 4_096];
/** Bytes of a record, and of the changed pages of a step. */
const RECORD_BYTES = 800;
const STEP_BYTES = 5_600;
const LANGUAGE = "javascript";
const SANDBOX_KEY = "5".repeat(64);
const CONTEXT = crypto.randomUUID();

/** Keeps blobs, half of them as baselines and half as modules: keys on both sides of a context's. */
async function keepBlobs(kv: KvStore, mib: number, partBytes: number): Promise<void> {
  for (let kept = 0; kept < mib; kept += BLOB_MIB) {
    const bytes = new Uint8Array(BLOB_MIB * MIB);
    for (let at = 0; at < bytes.length; at += 65_536) {
      crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    }
    const key = enginePartBlobKey(
      kept % (2 * BLOB_MIB) === 0 ? "baseline" : "module",
      LANGUAGE,
      `engine-${kept}`,
    );
    const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
    transaction.putBlob(key, bytes, partBytes);
    await transaction.commit();
  }
}

/** Commits that check and set the same records, and replace one snapshot by the next. */
function stepsOf(kv: KvStore): () => Promise<void> {
  const { fence } = sandboxLeaseKeys("lifetime", CONTEXT);
  const records = [
    rootRecordKey("tenant", "sandbox"),
    interpreterContextKey(LANGUAGE, SANDBOX_KEY, CONTEXT),
  ];
  const record = new Uint8Array(RECORD_BYTES);
  const step = new Uint8Array(STEP_BYTES);
  const snapshot = (id: string) => interpreterSnapshotKey(LANGUAGE, SANDBOX_KEY, CONTEXT, id);
  const versions = new Map<Deno.KvKey, string | null>(records.map((key) => [key, null]));
  let last = "none";
  return async () => {
    const id = crypto.randomUUID();
    const operation = kv.atomic()
      .check({ key: fence, versionstamp: null }, { key: snapshot(id), versionstamp: null });
    for (const [key, versionstamp] of versions) {
      operation.check({ key, versionstamp }).set(key, record);
    }
    const done = await operation.set(snapshot(id), step).delete(snapshot(last)).commit();
    if (!done.ok) throw new Error("a commit was refused");
    for (const key of records) versions.set(key, done.versionstamp);
    last = id;
  };
}

async function row(mib: number, partBytes: number, commits: number): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir();
  const kv = await openStore(`${folder}/data.sqlite3`);
  try {
    await keepBlobs(kv, mib, partBytes);
    const step = stepsOf(kv);
    await times(commits / 10, step);
    const before = await processorMs([Deno.pid]);
    const sample = await times(commits, step);
    const spent = (await processorMs([Deno.pid]) - before) / commits;
    const name = mib === 0 ? "none" : `${partBytes / 1024} KiB`;
    return [name, ms(quantile(sample, 0.5)), ms(quantile(sample, 0.99)), spent.toFixed(2)];
  } finally {
    kv.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const [mib = BLOBS_MIB, commits = COMMITS] = Deno.args.map(Number);
const rows = [await row(0, 0, commits)];
for (const partBytes of PART_BYTES) rows.push(await row(mib, partBytes, commits));
const head = [`parts of ${mib} MiB`, "commit, p50, ms", "p99, ms", "processor time, ms"];
await Deno.stdout.write(new TextEncoder().encode(`${table(head, rows)}\n`));
