/**
 * Snapshots that several contexts share. A fork refers to the snapshot of its source and copies
 * nothing: both, and all forks of them, keep their snapshots under the address of the first one,
 * their *home*. From then on no run removes a snapshot. A sweep removes those that no member needs,
 * and the home with its last member.
 *
 * A snapshot that no member needs is never needed again: a run keeps only what it began with, and a
 * fork begins with a snapshot that its source needs. So a sweep lists the snapshots first, then
 * reads which context needs which, and starts again after a fork in the meantime.
 *
 * @module
 */
import { z } from "zod";
import { blobRefSchema } from "../../store/blobs.ts";
import {
  type ContextKeyParts,
  intentKey,
  interpreterBlobKey,
  interpreterBlobsPrefix,
  interpreterPrefix,
  interpreterSnapshotKey,
  interpreterSnapshotsPrefix,
  sharedForksKey,
  sharedHomesPrefix,
  sharedMarkKey,
  sharedMemberKey,
  sharedMembersPrefix,
  unsweptKey,
  unsweptPrefix,
} from "../../store/keys.ts";
import type { KvAtomic, KvStore } from "../../store/kv.ts";
import type { Transaction } from "../../store/transaction.ts";
import { deleteKeys, deletePrefix } from "../../store/prefix.ts";
import { UnsweptBytes } from "../../store/unswept_bytes.ts";
import { snapshotIdOf } from "./snapshot_index.ts";

/** Dependencies of {@link SharedSnapshots}. */
export interface SharedSnapshotsOptions {
  readonly kv: KvStore;
  readonly language: string;
  /** Bytes that may wait for a sweep. */
  readonly unsweptBytes: number | undefined;
  /** References to the snapshots that a context needs. */
  readonly snapshotsOf: (context: ContextKeyParts) => Promise<readonly string[]>;
}

/** A fork under way. */
export interface NewFork {
  readonly home: ContextKeyParts;
  readonly source: ContextKeyParts;
  readonly target: ContextKeyParts;
  /** Whether the source shares its snapshots with no other context yet. */
  readonly isFirst: boolean;
}

/** The part of an index that says which snapshots its pages were written for. */
const segmentsSchema = z.object({ segments: z.array(blobRefSchema) });

/** Ids of snapshots: those with an index, and those for which pages were written. */
interface SnapshotParts {
  readonly indexes: ReadonlySet<string>;
  readonly pages: ReadonlySet<string>;
}

/** Another one begins after a fork during the one before. */
const SWEEPS = 8;

/** The shared snapshots of one language. */
export class SharedSnapshots {
  readonly #options: SharedSnapshotsOptions;
  readonly #unswept: UnsweptBytes<ContextKeyParts>;

  constructor(options: SharedSnapshotsOptions) {
    this.#options = options;
    this.#unswept = new UnsweptBytes(nameOf, options.unsweptBytes);
  }

  /** Adds a member, as part of the commit that creates it. */
  join(transaction: Transaction, { home, source, target, isFirst }: NewFork): void {
    const { language } = this.#options;
    if (isFirst) {
      const key = sharedMarkKey(language, home);
      transaction.check(key, null).set(key, true);
      transaction.set(sharedMemberKey(language, home, source), true);
    }
    transaction.set(sharedMemberKey(language, home, target), true);
    transaction.set(sharedForksKey(language, home), true);
  }

  /** Removes a member, as part of the commit that removes its record. */
  leave(atomic: KvAtomic, home: ContextKeyParts, member: ContextKeyParts): void {
    const { language } = this.#options;
    atomic.delete(sharedMemberKey(language, home, member));
    atomic.set(unsweptKey(language, home), true);
  }

  /** Whether the snapshots of others are stored under the address of a context. */
  async isHome(address: ContextKeyParts): Promise<boolean> {
    const { kv, language } = this.#options;
    return (await kv.get(sharedMarkKey(language, address))).versionstamp !== null;
  }

  /** Ids of the contexts of a sandbox under which snapshots of others are stored. */
  async homesOf(sandboxKey: string): Promise<ReadonlySet<string>> {
    const { kv, language } = this.#options;
    const homes = new Set<string>();
    const prefix = sharedHomesPrefix(language, sandboxKey);
    for await (const { key } of kv.list({ prefix })) homes.add(String(key[3]));
    return homes;
  }

  /** Deletes everything of a sandbox but the snapshots under these contexts. */
  async deleteExcept(sandboxKey: string, homes: ReadonlySet<string>): Promise<void> {
    const { kv, language } = this.#options;
    const keys: Deno.KvKey[] = [];
    for await (const { key } of kv.list({ prefix: interpreterPrefix(language, sandboxKey) })) {
      if (!homes.has(String(key[4]))) keys.push(key);
    }
    await deleteKeys(kv, keys);
  }

  /** Sweeps every home that needs it. Returns how many snapshots were removed. */
  async sweepAll(signal: AbortSignal): Promise<number> {
    const { kv, language } = this.#options;
    const homes: ContextKeyParts[] = [];
    for await (const { key } of kv.list({ prefix: unsweptPrefix(language) })) {
      const [sandboxKey = "", contextId = ""] = key.slice(2).map(String);
      homes.push({ sandboxKey, contextId });
    }
    let removed = 0;
    for (const home of homes) {
      signal.throwIfAborted();
      removed += await this.sweep(home);
    }
    return removed;
  }

  /** Notes that a run wrote a snapshot. Where too many wait for a sweep, it waits for that. */
  async wrote(home: ContextKeyParts, bytes: number): Promise<void> {
    this.#unswept.add(home, bytes);
    for (let due = this.#unswept.due(); due !== undefined; due = this.#unswept.due()) {
      await this.sweep(due);
    }
  }

  /** Removes the snapshots that no member needs. Does nothing when nothing is recorded. */
  async sweep(home: ContextKeyParts): Promise<number> {
    const { kv, language } = this.#options;
    this.#unswept.forget(home);
    for (let attempt = 1; attempt <= SWEEPS; attempt++) {
      const unswept = await kv.get(unsweptKey(language, home));
      if (unswept.versionstamp === null) return 0;
      const forks = await kv.get(sharedForksKey(language, home));
      const stored = await this.#stored(home);
      const members = await this.#members(home);
      if (members.length === 0) {
        await this.#end(home, unswept.key);
        return stored.indexes.size;
      }
      const needed = await this.#neededBy(home, members);
      const now = await kv.get(sharedForksKey(language, home));
      if (now.versionstamp !== forks.versionstamp) continue;
      const removed = await this.#deleteExceptNeeded(home, stored, needed);
      const { key, versionstamp } = unswept;
      await kv.atomic().check({ key, versionstamp }).delete(key).commit();
      return removed;
    }
    return 0; // the janitor repeats it
  }

  /** The stored parts of a home, except those that are being written. */
  async #stored({ sandboxKey, contextId }: ContextKeyParts): Promise<SnapshotParts> {
    const { language } = this.#options;
    const [indexes, pages] = await Promise.all([
      this.#idsBelow(interpreterSnapshotsPrefix(language, sandboxKey, contextId)),
      this.#idsBelow(interpreterBlobsPrefix(language, sandboxKey, contextId)),
    ]);
    return { indexes, pages };
  }

  async #idsBelow(prefix: Deno.KvKey): Promise<ReadonlySet<string>> {
    const { kv } = this.#options;
    const ids = new Set<string>();
    for (let id = await this.#next(prefix); id !== undefined; id = await this.#next(prefix, id)) {
      if ((await kv.get(intentKey(id))).versionstamp === null) ids.add(id);
    }
    return ids;
  }

  /** The id below a prefix that follows another one: values are large and are not listed. */
  async #next(prefix: Deno.KvKey, after?: string): Promise<string | undefined> {
    const { kv } = this.#options;
    const selector = after === undefined
      ? { prefix }
      : { prefix, start: [...prefix, `${after}\0`] };
    const at = prefix.length;
    for await (const { key } of kv.list(selector, { limit: 1, batchSize: 1 })) {
      return String(key[at]);
    }
    return undefined;
  }

  async #members(home: ContextKeyParts): Promise<readonly ContextKeyParts[]> {
    const { kv, language } = this.#options;
    const members: ContextKeyParts[] = [];
    for await (const { key } of kv.list({ prefix: sharedMembersPrefix(language, home) })) {
      const [sandboxKey = "", contextId = ""] = key.slice(-2).map(String);
      members.push({ sandboxKey, contextId });
    }
    return members;
  }

  async #neededBy(
    { sandboxKey, contextId }: ContextKeyParts,
    members: readonly ContextKeyParts[],
  ): Promise<SnapshotParts> {
    const { kv, language, snapshotsOf } = this.#options;
    const indexes = new Set<string>();
    const pages = new Set<string>();
    for (const member of members) {
      for (const reference of await snapshotsOf(member)) {
        const id = snapshotIdOf(reference);
        if (id === undefined || indexes.has(id)) continue;
        indexes.add(id);
        pages.add(id);
        const key = interpreterSnapshotKey(language, sandboxKey, contextId, id);
        for (const run of writersOf((await kv.get(key)).value)) pages.add(run);
      }
    }
    return { indexes, pages };
  }

  /** Returns how many snapshots were removed. */
  async #deleteExceptNeeded(
    { sandboxKey, contextId }: ContextKeyParts,
    stored: SnapshotParts,
    needed: SnapshotParts,
  ): Promise<number> {
    const { kv, language } = this.#options;
    for (const id of stored.pages) {
      if (needed.pages.has(id)) continue;
      const prefix = interpreterBlobKey(language, sandboxKey, contextId, id)("", 0, 0).slice(0, -3);
      await deletePrefix(kv, prefix);
    }
    // an index after its pages, so that a later sweep finds what this one did not reach
    const indexes = [...stored.indexes].filter((id) => !needed.indexes.has(id));
    const keyOf = (id: string) => interpreterSnapshotKey(language, sandboxKey, contextId, id);
    await deleteKeys(kv, indexes.map(keyOf));
    return indexes.length;
  }

  /** No member is left, and none can come: a fork needs a source. */
  async #end(home: ContextKeyParts, unswept: Deno.KvKey): Promise<void> {
    const { kv, language } = this.#options;
    const { sandboxKey, contextId } = home;
    await deletePrefix(kv, interpreterSnapshotsPrefix(language, sandboxKey, contextId));
    await deletePrefix(kv, interpreterBlobsPrefix(language, sandboxKey, contextId));
    await kv.atomic().delete(sharedMarkKey(language, home)).delete(sharedForksKey(language, home))
      .delete(unswept).commit();
  }
}

/** The snapshots for which the pages of an index were written; none when it cannot be read. */
function writersOf(value: unknown): readonly string[] {
  if (!(value instanceof Uint8Array)) return [];
  try {
    const parsed = segmentsSchema.safeParse(JSON.parse(new TextDecoder().decode(value)));
    return parsed.success ? parsed.data.segments.map(({ run }) => run) : [];
  } catch {
    return [];
  }
}

function nameOf({ sandboxKey, contextId }: ContextKeyParts): string {
  return JSON.stringify([sandboxKey, contextId]);
}
