/**
 * The bytes that a sandbox counts for in its tenant's quota: its contents, and the records that
 * describe them. Callers choose the names of files and directories, labels and names of contexts, and so
 * their length.
 *
 * The counter of a tenant moves by the difference between two records. So each record carries the
 * count that the counter has for it.
 *
 * @module
 */
import { utf8Length } from "../client/protocol/text.ts";
import { CHECKPOINT_EXTRA_BYTES, SANDBOX_FREE_BYTES } from "../shared/limits.ts";
import type { ContextRecord, SandboxRecord } from "./root_record.ts";

/** Keys of the contents of a file. Its entry in the manifest counts by its own length. */
const FILE_BYTES = 128;
/** Keys of a shard of the manifest, and the reference to it. */
const SHARD_BYTES = 128;
/** Records of a context, here and at its runtime, without their texts. */
const CONTEXT_BYTES = 512;

/** Bytes that are stored for a sandbox. They do not change with times and numbers of runs. */
export function storedBytes(record: SandboxRecord | undefined): number {
  if (record === undefined) return 0;
  const { answers, checkpoints, uploads } = record;
  return contentBytes(record) + labelBytes(record) +
    Math.max(0, recordBytes(record) - SANDBOX_FREE_BYTES) +
    (answers?.bytes ?? 0) + (checkpoints?.bytes ?? 0) + (uploads?.bytes ?? 0);
}

/** The bytes that the tenant's counter has for a record. */
export function countedBytes(record: SandboxRecord | undefined): number {
  if (record === undefined) return 0;
  const { counted, answers, checkpoints } = record;
  return counted ?? contentBytes(record) + (answers?.bytes ?? 0) + (checkpoints?.bytes ?? 0);
}

/** Bytes of a copy of a sandbox: everything but stored answers, checkpoints and uploads. */
export function copiedBytes(record: SandboxRecord | undefined): number {
  if (record === undefined) return 0;
  const { answers: _, checkpoints: __, uploads: ___, ...copied } = record;
  return storedBytes(copied);
}

/** Bytes of a checkpoint with this state and name. */
export function checkpointBytes(state: SandboxRecord | undefined, name: string | null): number {
  const own = CHECKPOINT_EXTRA_BYTES + utf8Length(name ?? "");
  return state === undefined ? own : own + contentBytes(state) + recordBytes(state);
}

function contentBytes({ workspace, env, contexts }: SandboxRecord): number {
  return contexts.reduce(
    (sum, context) => sum + contextContentBytes(context),
    workspace.bytes + (env?.bytes ?? 0),
  );
}

function labelBytes({ term }: SandboxRecord): number {
  return Object.entries(term?.metadata ?? {})
    .reduce((sum, [name, value]) => sum + utf8Length(name) + utf8Length(value), 0);
}

function contextContentBytes({ env, snapshot, notebook }: ContextRecord): number {
  return (env?.bytes ?? 0) + (snapshot?.storedBytes ?? 0) + (notebook?.bytes ?? 0);
}

function recordBytes({ workspace: { files, shards }, contexts }: SandboxRecord): number {
  return FILE_BYTES * files +
    shards.reduce((sum, { ref }) => sum + SHARD_BYTES + ref.bytes, 0) +
    contexts.reduce((sum, context) => sum + contextRecordBytes(context), 0);
}

function contextRecordBytes({ name, cwd }: ContextRecord): number {
  return CONTEXT_BYTES + utf8Length(name ?? "") + utf8Length(cwd);
}
