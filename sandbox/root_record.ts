/**
 * The root record of a sandbox: one small value, whose version is that of the whole sandbox.
 * Everything large is a blob that it names.
 *
 * At its largest (8 contexts, longest paths, 256 shards, all labels) it stays below 63 KiB, within
 * the 64 KiB of a value.
 *
 * @module
 */
import type { SnapshotInfo } from "../client/protocol/sandbox_types.ts";
import { createHash } from "node:crypto";
import { z } from "zod";
import { type BlobRef, blobRefSchema } from "../store/blobs.ts";
import { BoundedCache } from "../store/bounded_cache.ts";
import type { Shard } from "./manifest_shards.ts";
import { rootRecordKey, tenantCounterKey } from "../store/keys.ts";
import { countIn } from "../store/transaction.ts";

/** The tenant and name of a sandbox. Both are text of callers. */
export interface SandboxAddress {
  readonly tenant: string;
  readonly id: string;
  /** The sandbox must be there: nothing creates it. */
  readonly existing?: boolean;
}

/** A context. Times are epoch milliseconds. */
export interface ContextRecord {
  readonly id: string;
  /** Its id at the runtime, where a restart has changed it. Absent: the same id. */
  readonly runtimeId?: string;
  /** The name that a caller gave it. Absent: it has no name. */
  readonly name?: string;
  readonly binding: string;
  readonly language: string;
  readonly engine: string;
  readonly cwd: string;
  readonly createdAt: number;
  readonly lastUsed: number;
  readonly executions: number;
  /** Variables of the context; null: none. */
  readonly env: BlobRef | null;
  /** The runtime's reference to the state after the last committed run; null: none ran. */
  readonly snapshotRef: string | null;
  readonly snapshot: SnapshotInfo | null;
  /** The run that waits in it ({@link ./run_storage.ts}). Absent: there is none. */
  readonly waiting?: WaitingMark;
  /** The runs that wait for their turn in it ({@link ./context_queue.ts}). Absent: there is none. */
  readonly queue?: ContextQueue;
  /** The notebook of its runs ({@link ./notebooks.ts}). Absent: it was not made from one. */
  readonly notebook?: BlobRef;
}

/** Marks a context in which a run waits for its caller. */
export interface WaitingMark {
  readonly run: string;
  /** Milliseconds that its calls wait: the sandbox lives as long. */
  readonly waitMs: number;
}

/** The queue of a context. */
export interface ContextQueue {
  /** A random id, never used again. */
  readonly id: string;
  /** Number of the next place. */
  readonly next: number;
  /** Milliseconds that calls of its runs wait: the sandbox lives as long. */
  readonly waitMs: number;
}

/** The files of a sandbox. */
export interface WorkspaceRecord {
  /** Names this state of the tree and is never reused. Empty: the tree was always empty. */
  readonly state: string;
  readonly files: number;
  readonly bytes: number;
  readonly shards: readonly Shard[];
}

/** The stored answers of a sandbox, all together ({@link ./stored_answers.ts}). */
export interface StoredAnswersRecord {
  /** Their counted size. */
  readonly bytes: number;
  /** None of them expires before. Epoch milliseconds. */
  readonly until: number;
}

/** The checkpoints of a sandbox, all together ({@link ./checkpoints.ts}). */
export interface CheckpointsRecord {
  readonly count: number;
  /** Their counted size. */
  readonly bytes: number;
}

/** The unfinished uploads of a sandbox, all together ({@link ./upload_record.ts}). */
export interface UploadsRecord {
  readonly count: number;
  /** Their counted size. */
  readonly bytes: number;
  /** None of them expires before. Epoch milliseconds. */
  readonly until: number;
}

/** The labels of a sandbox, and its fixed end in place of expiry when idle. */
export interface Term {
  /** Epoch milliseconds. Absent: the sandbox expires when it is idle. */
  readonly endAt?: number;
  /** Labels of the caller. */
  readonly metadata: { readonly [name: string]: string };
}

/** The stored record of a sandbox. Times are epoch milliseconds. */
export interface SandboxRecord {
  /** Version of this shape. */
  readonly version: 1;
  /** A random id; a sandbox that was deleted and created again has another one. */
  readonly lifetime: string;
  /**
   * The lifetime under which the blobs of its files and variables are, which others share
   * ({@link ./shared_blobs.ts}). Absent: its own, and no other sandbox shares them.
   */
  readonly home?: string;
  readonly createdAt: number;
  readonly lastUsed: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Absent: the sandbox has no labels, and expires when it is idle. */
  readonly term?: Term;
  /** Variables of the sandbox; null: none. */
  readonly env: BlobRef | null;
  /** Oldest first. */
  readonly contexts: readonly ContextRecord[];
  readonly workspace: WorkspaceRecord;
  /** Absent: no answers are stored. */
  readonly answers?: StoredAnswersRecord;
  /** Absent: there are no checkpoints. */
  readonly checkpoints?: CheckpointsRecord;
  /** Absent: there are no unfinished uploads. */
  readonly uploads?: UploadsRecord;
  /**
   * Bytes that the tenant's counter has for this record ({@link ./stored_bytes.ts}). Absent in
   * records of an earlier version: contents without names and labels.
   */
  readonly counted?: number;
  /**
   * Write id of the transaction that wrote this record; absent in records of an earlier version.
   */
  readonly commit?: string;
  /** Write ids of the transactions before, the last one first; the latest few. */
  readonly earlierCommits?: readonly string[];
}

/** Number of earlier commits that a record names. */
const EARLIER_COMMITS = 16;

const recordSchema: z.ZodType<SandboxRecord> = z.object({
  version: z.literal(1),
  lifetime: z.string(),
  home: z.string().exactOptional(),
  createdAt: z.number(),
  lastUsed: z.number(),
  expiresAt: z.number().nullable(),
  term: z.object({ endAt: z.number().exactOptional(), metadata: z.record(z.string(), z.string()) })
    .exactOptional(),
  env: blobRefSchema.nullable(),
  contexts: z.array(z.object({
    id: z.string(),
    runtimeId: z.string().exactOptional(),
    name: z.string().exactOptional(),
    binding: z.string(),
    language: z.string(),
    engine: z.string(),
    cwd: z.string(),
    createdAt: z.number(),
    lastUsed: z.number(),
    executions: z.number(),
    env: blobRefSchema.nullable(),
    snapshotRef: z.string().nullable(),
    snapshot: z.object({
      build: z.string(),
      pages: z.number(),
      bytes: z.number(),
      storedBytes: z.number(),
      takenAt: z.number(),
    }).nullable(),
    waiting: z.object({ run: z.string(), waitMs: z.number() }).exactOptional(),
    queue: z.object({ id: z.string(), next: z.number(), waitMs: z.number() }).exactOptional(),
    notebook: blobRefSchema.exactOptional(),
  })),
  workspace: z.object({
    state: z.string(),
    files: z.number(),
    bytes: z.number(),
    shards: z.array(z.object({ from: z.number(), end: z.number(), ref: blobRefSchema })),
  }),
  answers: z.object({ bytes: z.number(), until: z.number() }).exactOptional(),
  checkpoints: z.object({ count: z.number(), bytes: z.number() }).exactOptional(),
  uploads: z.object({ count: z.number(), bytes: z.number(), until: z.number() }).exactOptional(),
  counted: z.number().exactOptional(),
  commit: z.string().exactOptional(),
  earlierCommits: z.array(z.string()).exactOptional(),
});

/** Sandbox keys, which every run needs several times. */
const RUNTIME_KEYS = new BoundedCache<string>(1024 * 1024);
/** About the memory of a sandbox key and its name, in bytes. */
const BYTES_PER_KEY = 512;

/** Reads a root record from the store; undefined when there is none. Throws on another shape. */
export function readRecord(value: unknown): SandboxRecord | undefined {
  return value === null ? undefined : recordSchema.parse(value);
}

/** A record with the write id of the transaction that writes it. */
export function withCommit(record: SandboxRecord, commit: string): SandboxRecord {
  const earlier = record.commit === undefined ? [] : [record.commit];
  const earlierCommits = [...earlier, ...record.earlierCommits ?? []].slice(0, EARLIER_COMMITS);
  return { ...record, commit, earlierCommits };
}

/**
 * Whether a commit is among the latest ones of a record. Undefined when the record does not tell,
 * because there were too many since `base`, the commit before it.
 */
export function hasCommit(
  { commit, earlierCommits = [] }: SandboxRecord,
  wanted: string,
  base: string | undefined,
): boolean | undefined {
  const latest = [commit, ...earlierCommits];
  if (latest.includes(wanted)) return true;
  return base !== undefined && latest.includes(base) ? false : undefined;
}

/** The record of an empty sandbox. */
export function emptyRecord(lifetime: string, now: number): SandboxRecord {
  return {
    version: 1,
    lifetime,
    createdAt: now,
    lastUsed: now,
    expiresAt: null,
    env: null,
    contexts: [],
    workspace: { state: "", files: 0, bytes: 0, shards: [] },
  };
}

/** The lifetime under which the blobs of a sandbox are. */
export function homeOf(
  { lifetime, home = lifetime }: Pick<SandboxRecord, "lifetime" | "home">,
): string {
  return home;
}

/** The record after checkpoints came or went. */
export function checkpointsAfter(
  { checkpoints, ...rest }: SandboxRecord,
  more: number,
  moreBytes: number,
): SandboxRecord {
  const count = (checkpoints?.count ?? 0) + more;
  const bytes = (checkpoints?.bytes ?? 0) + moreBytes;
  return count === 0 ? rest : { ...rest, checkpoints: { count, bytes } };
}

/** The sandbox key: the id of a sandbox at runtimes, 64 hex digits, different for each lifetime. */
export function runtimeKey({ tenant, id }: SandboxAddress, lifetime: string): string {
  const name = JSON.stringify([tenant, id, lifetime]);
  const known = RUNTIME_KEYS.get(name);
  if (known !== undefined) return known;
  const key = sha256(name);
  RUNTIME_KEYS.set(name, key, BYTES_PER_KEY);
  return key;
}

/** The id of a sandbox in its namespace: 64 hex digits derived from tenant and name. */
export function objectId({ tenant, id }: SandboxAddress): string {
  return sha256(JSON.stringify([tenant, id]));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether a sandbox has expired, so that it counts as deleted. `now`: epoch milliseconds. */
export function hasExpired({ expiresAt }: SandboxRecord, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** A counter of a tenant as it was read. */
export interface Counter {
  readonly key: Deno.KvKey;
  readonly versionstamp: string | null;
  readonly count: number;
}

/** A sandbox as it was read. */
export interface SandboxState {
  readonly address: SandboxAddress;
  /** Undefined: there is no such sandbox. */
  readonly record: SandboxRecord | undefined;
  /** Version of the record. */
  readonly versionstamp: string | null;
  /** Sandboxes of the tenant. */
  readonly sandboxes: Counter;
  /** Bytes stored for the tenant. */
  readonly bytes: Counter;
}

/** The keys from which a state is read. */
export function stateKeys({ tenant, id }: SandboxAddress): readonly Deno.KvKey[] {
  return [
    rootRecordKey(tenant, id),
    tenantCounterKey(tenant, "sandboxes"),
    tenantCounterKey(tenant, "bytes"),
  ];
}

/** Builds a state from the entries of {@link stateKeys}, which one read returned. */
export function stateOf(
  address: SandboxAddress,
  [root, sandboxes, bytes]: readonly Deno.KvEntryMaybe<unknown>[],
): SandboxState {
  if (root === undefined || sandboxes === undefined || bytes === undefined) {
    throw new TypeError("the store returned fewer entries than requested");
  }
  return {
    address,
    record: readRecord(root.value),
    versionstamp: root.versionstamp,
    sandboxes: counterOf(sandboxes),
    bytes: counterOf(bytes),
  };
}

function counterOf(entry: Deno.KvEntryMaybe<unknown>): Counter {
  const { key, versionstamp } = entry;
  return { key, versionstamp, count: countIn(entry) };
}
