/**
 * Checkpoints of a sandbox (docs/contract.md#checkpoints). Each is a copy of it that nobody runs:
 * a record with a lifetime of its own.
 *
 * @module
 */
import { z } from "zod";
import { markDead, wipeDead } from "../store/dead.ts";
import { checkpointKey, checkpointsPrefix, sandboxBlobsPrefix } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { CheckpointInfo } from "../client/protocol/types.ts";
import { isoTimestamp } from "../shared/clock.ts";
import { checkpointNotFound, conflict } from "../shared/errors.ts";
import { describeCause } from "../shared/log.ts";
import { wipesOf } from "./contexts.ts";
import { checkBytes } from "./fork.ts";
import type { OperationOptions } from "./operation_options.ts";
import {
  checkpointsAfter,
  readRecord,
  type SandboxAddress,
  type SandboxRecord,
} from "./root_record.ts";
import { copySandbox, retryCopy } from "./copies.ts";
import { checkpointBytes, countedBytes } from "./stored_bytes.ts";

/** A stored checkpoint. */
export interface Checkpoint {
  readonly id: string;
  readonly name: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly state: SandboxRecord;
}

const checkpointSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  createdAt: z.number(),
  state: z.unknown().transform((value) => readRecord(value ?? null)),
});

/** Makes a checkpoint. 409 for one too many, `NO_SPACE` before anything is written. */
export async function createCheckpoint(
  options: OperationOptions,
  address: SandboxAddress,
  name: string | null,
): Promise<CheckpointInfo> {
  const { checkpoints: most } = options.limits;
  const checkpoint = { id: options.ids(), name, createdAt: options.clock() };
  await retryCopy(() =>
    options.changes.change(address, async (current, draft) => {
      const before = options.changes.recordOrNew(current);
      if ((before.checkpoints?.count ?? 0) >= most) throw tooManyCheckpoints(most);
      const counted = checkpointBytes(before, name);
      checkBytes(options, address, current.bytes.count + counted, counted);
      const record = draft.share(before);
      const member = { owner: record.lifetime, checkpoint: checkpoint.id };
      const state = await copySandbox(options, draft.transaction, {
        from: { ...current, record },
        to: address,
        member,
        runs: "kept",
      });
      const created: Checkpoint = { ...checkpoint, state: { ...state, counted } };
      draft.transaction.set(checkpointKey(record.lifetime, created.id), created);
      draft.update(checkpointsAfter(record, 1, counted));
    })
  );
  return infoOf(checkpoint);
}

/** All checkpoints, oldest first. */
export async function checkpointInfos(
  options: OperationOptions,
  address: SandboxAddress,
): Promise<readonly CheckpointInfo[]> {
  const state = await options.changes.current(address);
  await options.changes.use(state);
  return (await checkpointsOf(options.kv, state.record)).map(infoOf);
}

/** Deletes a checkpoint. Throws 404. */
export async function deleteCheckpoint(
  options: OperationOptions,
  address: SandboxAddress,
  id: string,
): Promise<void> {
  const { lifetime, wipes } = await options.changes.change(address, async ({ record }, draft) => {
    const found = await findCheckpoint(options.kv, record, id);
    if (record === undefined || found === undefined) throw checkpointNotFound(id);
    const { state } = found.checkpoint;
    const wipes = wipesOf(options.ids, address, state);
    draft.transaction.check(found.key, found.versionstamp).delete(found.key);
    if (state.home === undefined) {
      const prefixes = [sandboxBlobsPrefix(state.lifetime)];
      markDead(draft.transaction, { lifetime: state.lifetime, prefixes }, options.clock);
    } else draft.endMember(state);
    draft.endRunsOf(state);
    options.wipes.enter(draft.transaction, wipes);
    draft.update(checkpointsAfter(record, -1, -countedBytes(state)));
    return { lifetime: state.lifetime, wipes };
  });
  await options.wipes.finish(wipes);
  try {
    await wipeDead(options.kv, lifetime);
  } catch (thrown) {
    options.log("warn", "a deleted checkpoint was not wiped yet", describeCause(thrown));
  }
}

/** Longer than every id of a checkpoint. */
const MAX_ID_LENGTH = 64;

/** A checkpoint as it was read. */
interface FoundCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly key: Deno.KvKey;
  readonly versionstamp: string;
}

/** Undefined when there is none. */
export async function findCheckpoint(
  kv: KvStore,
  record: SandboxRecord | undefined,
  id: string,
): Promise<FoundCheckpoint | undefined> {
  // a longer one is the id of none, and no key of the store
  if (record?.checkpoints === undefined || id.length > MAX_ID_LENGTH) return undefined;
  const key = checkpointKey(record.lifetime, id);
  const { value, versionstamp } = await kv.get(key);
  if (versionstamp === null) return undefined;
  return { checkpoint: parse(value), key, versionstamp };
}

/** The checkpoints of a sandbox, oldest first. */
export async function checkpointsOf(
  kv: KvStore,
  record: SandboxRecord | undefined,
): Promise<readonly Checkpoint[]> {
  if (record?.checkpoints === undefined) return [];
  const found: Checkpoint[] = [];
  for await (const { value } of kv.list({ prefix: checkpointsPrefix(record.lifetime) })) {
    found.push(parse(value));
  }
  return found.sort((a, b) => a.createdAt - b.createdAt);
}

function parse(value: unknown): Checkpoint {
  const { state, ...checkpoint } = checkpointSchema.parse(value);
  if (state === undefined) throw new TypeError("a checkpoint has no state");
  return { ...checkpoint, state };
}

function infoOf({ id, name, createdAt }: Omit<Checkpoint, "state">): CheckpointInfo {
  return { id, name, createdAt: isoTimestamp(() => createdAt) };
}

/** A sandbox has the maximum number of checkpoints. */
export function tooManyCheckpoints(max: number) {
  return conflict(`A sandbox holds at most ${max} checkpoints`);
}
