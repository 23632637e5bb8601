/**
 * Blobs that several sandboxes and checkpoints share. A fork, a checkpoint and a restore take over
 * the state of their source and copy nothing: all of them keep their files and variables under the
 * lifetime of the first one, their *home*. From then on no change deletes a blob. It lists the blobs
 * of the state that it leaves, and a sweep deletes those of the lists that no member needs.
 *
 * A blob that no member needs is never needed again: a change keeps only blobs of its own state, and
 * a fork takes over a state that its source has in the same commit. So a sweep reads the lists
 * first, then the states of all members, and starts again when somebody forked meanwhile.
 *
 * @module
 */
import { z } from "zod";
import { MAX_KEYS_PER_READ } from "../store/atomic_size.ts";
import { BlobCorrupt, blobName, type BlobRef, blobRefSchema, partCount } from "../store/blobs.ts";
import {
  homeForksKey,
  homeMemberKey,
  homeMembersPrefix,
  leftBlobsKey,
  leftBlobsPrefix,
  unsweptHomeKey,
  unsweptHomesPrefix,
} from "../store/home_keys.ts";
import {
  checkpointKey,
  intentKey,
  rootRecordKey,
  sandboxBlobKey,
  sandboxBlobsPrefix,
} from "../store/keys.ts";
import { runPinKey } from "../store/run_keys.ts";
import type { KvStore } from "../store/kv.ts";
import { deleteKeys, deletePrefix } from "../store/prefix.ts";
import type { Transaction } from "../store/transaction.ts";
import { UnsweptBytes } from "../store/unswept_bytes.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { homeOf, readRecord, type SandboxRecord } from "./root_record.ts";
import type { StoredSandboxes } from "./stored_sandbox.ts";

/** Where the record of a member is: that of a sandbox, or a checkpoint or a waiting run of one. */
export type HomeMember =
  | { readonly tenant: string; readonly id: string }
  | { readonly owner: string; readonly checkpoint: string }
  | { readonly owner: string; readonly run: string };

const memberSchema: z.ZodType<HomeMember> = z.union([
  z.object({ tenant: z.string(), id: z.string() }),
  z.object({ owner: z.string(), checkpoint: z.string() }),
  z.object({ owner: z.string(), run: z.string() }),
]);

/** Blobs that a member leaves. */
interface LeftBlobs {
  /** Variables and notebooks. */
  readonly layers: readonly BlobRef[];
  /** Parts of the manifest. The files that they name are left too. */
  readonly shards: readonly BlobRef[];
  /** Blobs that no other member can need. */
  readonly own: readonly BlobRef[];
}

const leftSchema: z.ZodType<LeftBlobs> = z.object({
  layers: z.array(blobRefSchema),
  shards: z.array(blobRefSchema),
  own: z.array(blobRefSchema),
});

const checkpointSchema = z.object({ state: z.unknown() });

/** The first part of the key of every checkpoint. */
const [CHECKPOINT_KIND] = checkpointKey("", "");

/** The first part of the key of every pin of a run. */
const [PIN_KIND] = runPinKey("", "");

/** Parts of lists that one pass of a sweep reads. */
const PARTS_PER_PASS = 256;
/** Each begins when somebody forked, or changed a member, during the one before. */
const PASSES = 8;

/** Adds a member to a home, as part of the commit that writes its record. */
export function joinHome(
  transaction: Transaction,
  record: SandboxRecord,
  member: HomeMember,
): void {
  const home = homeOf(record);
  transaction.set(homeMemberKey(home, record.lifetime), member);
  noteFork(transaction, home);
}

/** A member takes over the state of another one, as part of the commit that does so. */
export function noteFork(transaction: Transaction, home: string): void {
  transaction.set(homeForksKey(home), true);
}

/** Lists the blobs of a state that a member leaves, as part of the commit that leaves it. */
export function leaveBlobs(
  transaction: Transaction,
  record: SandboxRecord,
  own: readonly BlobRef[] = [],
): void {
  const home = homeOf(record);
  const left: LeftBlobs = { ...blobsOf(record), own };
  transaction.putBlob(leftBlobsKey(home), new TextEncoder().encode(JSON.stringify(left)));
  transaction.set(unsweptHomeKey(home), true);
}

/** A member ends, as part of the commit that deletes its record. */
export function leaveHome(
  transaction: Transaction,
  record: SandboxRecord,
  own: readonly BlobRef[] = [],
): void {
  leaveBlobs(transaction, record, own);
  transaction.delete(homeMemberKey(homeOf(record), record.lifetime));
}

function blobsOf({ env, contexts, workspace }: SandboxRecord) {
  const layers = [env, ...contexts.flatMap(({ env, notebook = null }) => [env, notebook])]
    .filter((ref) => ref !== null);
  return { layers, shards: workspace.shards.map(({ ref }) => ref) };
}

/** Dependencies of {@link SharedBlobs}. */
export interface SharedBlobsOptions {
  readonly kv: KvStore;
  readonly stored: StoredSandboxes;
  readonly log: Log;
  /** Bytes that may wait for a sweep; 64 MiB when absent. */
  readonly unsweptBytes?: number | undefined;
}

/** Sweeps homes. */
export class SharedBlobs {
  readonly #options: SharedBlobsOptions;
  readonly #unswept: UnsweptBytes<string>;

  constructor(options: SharedBlobsOptions) {
    this.#options = options;
    this.#unswept = new UnsweptBytes((home) => home, options.unsweptBytes);
  }

  /** Notes that a change left blobs. Where too many wait for a sweep, it waits for that. */
  async left(home: string, bytes: number): Promise<void> {
    this.#unswept.add(home, bytes);
    for (let due = this.#unswept.due(); due !== undefined; due = this.#unswept.due()) {
      await this.sweepNow(due);
    }
  }

  /** Sweeps a home now. If that fails, the janitor repeats it. */
  async sweepNow(home: string): Promise<void> {
    try {
      await this.sweep(home);
    } catch (thrown) {
      this.#options.log("warn", "shared files were not swept yet", describeCause(thrown));
    }
  }

  /** Sweeps every home that needs it. Returns how many blobs were deleted. */
  async sweepAll(signal: AbortSignal): Promise<number> {
    const homes: string[] = [];
    for await (const { key } of this.#options.kv.list({ prefix: unsweptHomesPrefix() })) {
      homes.push(String(key.at(-1)));
    }
    let deleted = 0;
    for (const home of homes) {
      signal.throwIfAborted();
      deleted += await this.sweep(home);
    }
    return deleted;
  }

  /**
   * Deletes the blobs that members left and none needs. Returns how many. Does nothing when nothing
   * is recorded.
   *
   * @throws {BlobCorrupt} when the manifest of a member cannot be read
   */
  async sweep(home: string): Promise<number> {
    const { kv } = this.#options;
    this.#unswept.forget(home);
    let deleted = 0;
    for (let pass = 1; pass <= PASSES; pass++) {
      const unswept = await kv.get(unsweptHomeKey(home));
      if (unswept.versionstamp === null) return deleted;
      const forks = await kv.get(homeForksKey(home));
      const { lists, isWhole, isPending } = await this.#lists(home);
      const members = await this.#members(home);
      if (members.length === 0) return deleted + await this.#end(home, unswept.key);
      const unneeded = await this.#unneeded(home, lists, members, pass === PASSES);
      const now = await kv.get(homeForksKey(home));
      if (unneeded === undefined || now.versionstamp !== forks.versionstamp) continue;
      await this.#delete(home, unneeded);
      await deleteKeys(kv, lists.flatMap(({ keys }) => keys));
      deleted += unneeded.length;
      if (isPending) return deleted;
      if (!isWhole) continue;
      const { key, versionstamp } = unswept;
      const { ok } = await kv.atomic().check({ key, versionstamp }).delete(key).commit();
      if (ok) return deleted;
    }
    return deleted; // the janitor repeats it
  }

  /** The lists of committed changes: all of them, or as many as one pass reads. */
  async #lists(home: string): Promise<Lists> {
    const { kv } = this.#options;
    const found = new Map<string, { readonly keys: Deno.KvKey[]; readonly parts: Uint8Array[] }>();
    const selector = { prefix: leftBlobsPrefix(home) };
    let count = 0;
    for await (const { key, value } of kv.list(selector, { limit: PARTS_PER_PASS })) {
      count++;
      const name = `${String(key.at(-3))}/${String(key.at(-2))}`;
      const list = found.get(name) ?? { keys: [], parts: [] };
      list.keys.push(key);
      if (value instanceof Uint8Array) list.parts.push(value);
      found.set(name, list);
    }
    const isWhole = count < PARTS_PER_PASS;
    // more of the last one may follow; the first one alone never has as many
    if (!isWhole && found.size > 1) found.delete([...found.keys()].at(-1) ?? "");
    const lists: List[] = [];
    let isPending = false;
    for (const [name, { keys, parts }] of found) {
      // one that is written ahead is no list before its commit
      const intent = await kv.get(intentKey(name.slice(0, name.lastIndexOf("/"))));
      if (intent.versionstamp === null) lists.push({ keys, left: decode(parts) });
      else isPending = true;
    }
    return { lists, isWhole, isPending };
  }

  /** The records of all members, as of now. */
  async #members(home: string): Promise<readonly SandboxRecord[]> {
    const { kv } = this.#options;
    const lifetimes: unknown[] = [];
    const keys: Deno.KvKey[] = [];
    for await (const { key, value } of kv.list({ prefix: homeMembersPrefix(home) })) {
      lifetimes.push(key.at(-1));
      keys.push(recordKeyOf(memberSchema.parse(value)));
    }
    const members: SandboxRecord[] = [];
    for (let at = 0; at < keys.length; at += MAX_KEYS_PER_READ) {
      const entries = await kv.getMany<unknown[]>(keys.slice(at, at + MAX_KEYS_PER_READ));
      for (const [index, { key, value }] of entries.entries()) {
        const record = recordIn(key, value);
        // another lifetime: the member has ended since
        if (record?.lifetime === lifetimes[at + index] && record !== undefined) {
          members.push(record);
        }
      }
    }
    return members;
  }

  /**
   * The blobs of the lists that no member needs: files first, then those that name them. Undefined
   * when a member changed meanwhile, so that its manifest is gone.
   */
  async #unneeded(
    home: string,
    lists: readonly List[],
    members: readonly SandboxRecord[],
    isLast: boolean,
  ): Promise<readonly BlobRef[] | undefined> {
    const { stored } = this.#options;
    const needed = members.map(blobsOf);
    const layers = without(lists.flatMap(({ left }) => left.layers), needed, "layers");
    const shards = without(lists.flatMap(({ left }) => left.shards), needed, "shards");
    const files = new Map<string, BlobRef>();
    for (const ref of shards) {
      for (const file of await this.#filesLeft(home, ref)) files.set(blobName(file), file);
    }
    try {
      for (const ref of named(needed.flatMap(({ shards }) => shards)).values()) {
        if (files.size === 0) break;
        for (const file of await stored.filesIn(home, ref)) files.delete(blobName(file));
      }
    } catch (thrown) {
      if (!(thrown instanceof BlobCorrupt) || isLast) throw thrown;
      return undefined;
    }
    const own = lists.flatMap(({ left }) => left.own);
    return [...files.values(), ...own, ...layers, ...shards];
  }

  /** The files of a part of a manifest that was left; none when another sweep deleted it. */
  async #filesLeft(home: string, ref: BlobRef): Promise<readonly BlobRef[]> {
    try {
      return await this.#options.stored.filesIn(home, ref);
    } catch (thrown) {
      if (thrown instanceof BlobCorrupt) return [];
      throw thrown;
    }
  }

  async #delete(home: string, refs: readonly BlobRef[]): Promise<void> {
    const key = sandboxBlobKey(home);
    await deleteKeys(this.#options.kv, keysOfAll(key, refs));
  }

  /** No member is left, and none can come: a fork needs a source. Returns how many keys there were. */
  async #end(home: string, unswept: Deno.KvKey): Promise<number> {
    const { kv } = this.#options;
    const deleted = await deletePrefix(kv, sandboxBlobsPrefix(home));
    await deletePrefix(kv, leftBlobsPrefix(home));
    await kv.atomic().delete(homeForksKey(home)).delete(unswept).commit();
    return deleted;
  }
}

interface Lists {
  readonly lists: readonly List[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
  /** Whether there are others that may yet be committed. */
  readonly isPending: boolean;
}

/** A stored list of blobs. */
interface List {
  readonly keys: readonly Deno.KvKey[];
  readonly left: LeftBlobs;
}

function decode(parts: readonly Uint8Array[]): LeftBlobs {
  const decoder = new TextDecoder();
  const text = parts.map((part) => decoder.decode(part, { stream: true })).join("");
  return leftSchema.parse(JSON.parse(text + decoder.decode()));
}

function recordKeyOf(member: HomeMember): Deno.KvKey {
  if ("checkpoint" in member) return checkpointKey(member.owner, member.checkpoint);
  if ("run" in member) return runPinKey(member.owner, member.run);
  return rootRecordKey(member.tenant, member.id);
}

function recordIn([kind]: Deno.KvKey, value: unknown): SandboxRecord | undefined {
  if (kind !== CHECKPOINT_KIND && kind !== PIN_KIND) return readRecord(value);
  return readRecord(checkpointSchema.nullable().parse(value)?.state ?? null);
}

/** The blobs that none of the members needs. */
function without<Kind extends "layers" | "shards">(
  refs: readonly BlobRef[],
  needed: readonly Pick<LeftBlobs, "layers" | "shards">[],
  kind: Kind,
): readonly BlobRef[] {
  const left = named(refs);
  for (const blobs of needed) for (const ref of blobs[kind]) left.delete(blobName(ref));
  return [...left.values()];
}

function named(refs: readonly BlobRef[]): Map<string, BlobRef> {
  return new Map(refs.map((ref) => [blobName(ref), ref]));
}

function* keysOfAll(
  key: (writeId: string, n: number, part: number) => Deno.KvKey,
  refs: readonly BlobRef[],
): Generator<Deno.KvKey> {
  for (const ref of refs) {
    for (let part = 0; part < partCount(ref); part++) yield key(ref.run, ref.n, part);
  }
}
