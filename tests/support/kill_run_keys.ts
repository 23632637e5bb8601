/**
 * The keys of stored runs and of their notifications, as far as they are reachable.
 *
 * @module
 */
import { readNotice } from "../../runs/run_notices.ts";
import { contextOf, readStoredRun, type StoredRun } from "../../runs/stored_run.ts";
import { homeOf, readRecord, type SandboxRecord } from "../../sandbox/root_record.ts";
import { type BlobRef, blobRefSchema } from "../../store/blobs.ts";
import { type BlobKey, sandboxBlobKey, type TenantCounter } from "../../store/keys.ts";
import {
  runBlobKey,
  runDueKey,
  runLeaseKeys,
  runNoticeDueKey,
  runPartKey,
  runPinKey,
  runQueueKey,
  runRecordKey,
} from "../../store/run_keys.ts";

/** Counted for each part besides its own bytes, as in `runs/stored_run.ts`. */
const PART_BYTES = 128;

/** Follows references from a run on. */
export interface RunFollower {
  /** The value of a key that must be there. */
  need(key: Deno.KvKey): unknown;
  reach(key: Deno.KvKey): void;
  problem(text: string, key: Deno.KvKey): void;
  count(tenant: string, counter: TenantCounter, n: number): void;
  blob(key: BlobKey, ref: BlobRef): Promise<unknown>;
  /** The files and variables of a sandbox as they were at the beginning of a run. */
  contents(
    address: { readonly tenant: string; readonly id: string },
    record: SandboxRecord,
  ): Promise<void>;
}

/** Follows what a key of runs refers to; nothing for other keys. */
export async function followRunKey(
  follower: RunFollower,
  [kind, owner, id, n]: Deno.KvKey,
  value: unknown,
): Promise<void> {
  const [tenant, run] = [String(owner), String(id)];
  if (kind === "run") {
    const record = readStoredRun(value);
    if (record !== undefined) await followRun(follower, tenant, run, record);
  } else if (kind === "run_notice") {
    const notice = readNotice(value);
    if (notice === undefined) return;
    follower.reach(["run_notice", tenant, run, Number(n)]);
    follower.need(runNoticeDueKey(notice.dueAt, { tenant, run, n: Number(n) }));
    follower.count(tenant, "bytes", notice.bytes);
  }
}

async function followRun(
  follower: RunFollower,
  tenant: string,
  run: string,
  record: StoredRun,
): Promise<void> {
  const key = runRecordKey(tenant, run);
  const { end, isKept = false, parts, dueAt, lifetime, queue } = record;
  follower.reach(key);
  const blobs = runBlobKey(tenant, run);
  let bytes = 0;
  for (let n = 0; n < parts; n++) {
    const part = follower.need(runPartKey(tenant, run, n));
    if (part instanceof Uint8Array) bytes += part.length;
    else {
      const ref = blobRefSchema.parse(part);
      await follower.blob(blobs, ref);
      bytes += ref.bytes;
    }
    bytes += PART_BYTES;
  }
  for (const ref of end === undefined ? [] : [end.body, end.events]) {
    if (ref === undefined) continue;
    await follower.blob(blobs, ref);
    bytes += ref.bytes;
  }
  for (const lease of Object.values(runLeaseKeys(run))) follower.reach(lease);
  if (!isKept) follower.need(runDueKey(dueAt, tenant, run));
  if (queue !== undefined) follower.need(runQueueKey(queue.id, queue.n));
  else if (contextOf(record) !== undefined && lifetime !== undefined && end === undefined) {
    const pin = follower.need(runPinKey(lifetime, run));
    const state = typeof pin === "object" && pin !== null && "state" in pin
      ? readRecord(pin.state)
      : undefined;
    if (state !== undefined) {
      await follower.contents({ tenant, id: record.sandbox ?? "" }, { ...state, contexts: [] });
      for (const { env } of state.contexts) {
        if (env !== null) await follower.blob(sandboxBlobKey(homeOf(state)), env);
      }
      bytes += state.workspace.bytes;
    }
  }
  if (bytes !== record.bytes) follower.problem(`${bytes} bytes, not ${record.bytes}`, key);
  follower.count(tenant, "bytes", record.bytes);
  if (end === undefined && !isKept) follower.count(tenant, "waiting_runs", 1);
}
