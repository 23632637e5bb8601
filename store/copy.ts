/**
 * Copies everything from one store into an empty one, which may be of another kind, while no service
 * uses either.
 *
 * The target holds a record of the copy until it is finished, so that no service starts on a part of
 * the data. Each batch of entries is one commit with the key of its last entry: a copy that was cut
 * off continues there, and adds to no counter twice.
 *
 * Versions are new in the copy; nothing that is stored names one. Times of expiry cannot be read:
 * entries that have one get a new one ({@link EXPIRING}).
 *
 * @module
 */
import { serialize } from "node:v8";
import { z } from "zod";
import type { Clock } from "../shared/clock.ts";
import { AtomicBudget, valueBytes } from "./atomic_size.ts";
import { COPY_KEY, presencesPrefix } from "./store_keys.ts";
import type { KvStore } from "./kv.ts";
import { countPresent } from "./presence.ts";

/** Milliseconds after which entries of a kind expire in the copy. */
const EXPIRING: ReadonlyMap<Deno.KvKeyPart | undefined, number> = new Map([
  ["interpreter_gone", 600_000],
]);
/** Kinds of entries that concern one store only. */
const OWN_KINDS: ReadonlySet<Deno.KvKeyPart | undefined> = new Set([
  COPY_KEY[0],
  presencesPrefix()[0],
]);
const ENTRIES_PER_READ = 64;

/** A command for a store cannot begin, or cannot be finished. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}

/** The progress of a copy. `wiping`: what was copied is wrong, and is removed. */
type CopyRecord = z.infer<typeof recordSchema>;

const partSchema = z.union([z.string(), z.number(), z.boolean(), z.instanceof(Uint8Array)]);
const recordSchema = z.object({
  state: z.enum(["copying", "wiping"]),
  /** The last key that was copied; null before the first one. */
  after: z.array(partSchema).nullable(),
  entries: z.number(),
});

/** The work of a copy. */
export interface CopyReport {
  /** Entries of the whole copy. */
  readonly entries: number;
  /** Entries that an earlier attempt had copied. */
  readonly resumed: number;
}

/** Options of {@link copyStore}. */
export interface CopyOptions {
  readonly clock: Clock;
  /** Called after each batch, with the number of entries so far. */
  readonly onProgress?: (entries: number) => void;
}

/** Whether a store holds only a part of a copy. */
export async function isUnfinishedCopy(kv: KvStore): Promise<boolean> {
  return (await kv.get(COPY_KEY)).versionstamp !== null;
}

/**
 * Copies everything and compares it. May be called again after any failure.
 *
 * @throws {StoreRefused} when a service uses one of the stores, the target is not empty, the source is
 * an unfinished copy itself, or the source changed meanwhile
 */
export async function copyStore(
  from: KvStore,
  to: KvStore,
  { clock, onProgress = () => {} }: CopyOptions,
): Promise<CopyReport> {
  await refuseUsed(from, to, clock);
  if (await isUnfinishedCopy(from)) {
    throw new StoreRefused("the source is an unfinished copy");
  }
  const begun = await beginCopy(to);
  const entries = await copyEntries(from, to, begun, onProgress);
  await refuseUsed(from, to, clock);
  if (!await areEqual(from, to)) {
    await wipe(to, entries);
    throw new StoreRefused("the source changed during the copy: nothing was copied; try again");
  }
  await to.delete(COPY_KEY);
  return { entries, resumed: begun.entries };
}

async function refuseUsed(from: KvStore, to: KvStore, clock: Clock): Promise<void> {
  for (const [name, kv] of [["source", from], ["target", to]] as const) {
    const count = await countPresent(kv, clock);
    if (count > 0) {
      throw new StoreRefused(
        `${count} service${count === 1 ? " uses" : "s use"} the ${name}: stop it first ` +
          "(one that was killed counts for 45 s)",
      );
    }
  }
}

/** The record of the copy, new or of an earlier attempt. */
async function beginCopy(to: KvStore): Promise<CopyRecord> {
  const { value } = await to.get(COPY_KEY);
  const record = value === null ? undefined : recordSchema.parse(value);
  if (record?.state === "copying") return record;
  if (record?.state === "wiping") await wipe(to, record.entries);
  for await (const { key } of to.list({ prefix: [] }, { batchSize: ENTRIES_PER_READ })) {
    if (!OWN_KINDS.has(key[0])) throw new StoreRefused("the target is not empty");
  }
  const created: CopyRecord = { state: "copying", after: null, entries: 0 };
  const { ok } = await to.atomic().check({ key: COPY_KEY, versionstamp: null })
    .set(COPY_KEY, created).commit();
  if (!ok) throw new StoreRefused("another copy into the target has begun");
  return created;
}

/** Copies what follows the last key of a record. Returns the number of all entries. */
async function copyEntries(
  from: KvStore,
  to: KvStore,
  begun: CopyRecord,
  onProgress: (entries: number) => void,
): Promise<number> {
  let { entries } = begun;
  let batch = new Batch(to);
  const flush = async (last: Deno.KvKey) => {
    await batch.commit({ state: "copying", after: recordSchema.shape.after.parse(last), entries });
    batch = new Batch(to);
    onProgress(entries);
  };
  let last: Deno.KvKey | undefined;
  for await (const entry of entriesAfter(from, begun.after)) {
    const expireIn = EXPIRING.get(entry.key[0]);
    if (expireIn !== undefined) await to.set(entry.key, entry.value, { expireIn });
    else if (!batch.add(entry)) {
      if (last !== undefined) await flush(last);
      if (!batch.add(entry)) throw new TypeError("an entry is larger than a commit");
    }
    entries++;
    last = entry.key;
  }
  if (last !== undefined) await flush(last);
  return entries;
}

/** Entries that are written at once, with the record of the copy. */
class Batch {
  readonly #atomic: ReturnType<KvStore["atomic"]>;
  readonly #budget = new AtomicBudget();

  constructor(to: KvStore) {
    this.#atomic = to.atomic();
    // the largest record: a key of 2 KiB
    this.#budget.addMutation(COPY_KEY, 2 * 2_048);
  }

  /** False when the entry does not fit. */
  add({ key, value }: Deno.KvEntry<unknown>): boolean {
    if (!this.#budget.addMutation(key, valueBytes(value))) return false;
    if (value instanceof Deno.KvU64) this.#atomic.sum(key, value.value);
    else this.#atomic.set(key, value);
    return true;
  }

  async commit(record: CopyRecord): Promise<void> {
    await this.#atomic.set(COPY_KEY, record).commit();
  }
}

/** The entries after a key, or all; without those that concern one store only. */
async function* entriesAfter(
  kv: KvStore,
  after: Deno.KvKey | null,
): AsyncGenerator<Deno.KvEntry<unknown>, void> {
  const selector = after === null ? { prefix: [] } : { prefix: [], start: after };
  const name = after === null ? undefined : nameOf(after);
  for await (const entry of kv.list(selector, { batchSize: ENTRIES_PER_READ })) {
    const isFirst = name !== undefined && nameOf(entry.key) === name;
    if (!isFirst && !OWN_KINDS.has(entry.key[0])) yield entry;
  }
}

/** Whether both stores hold the same keys with the same values, in one pass over each. */
async function areEqual(from: KvStore, to: KvStore): Promise<boolean> {
  const copies = entriesAfter(to, null);
  for await (const entry of entriesAfter(from, null)) {
    const { value: copy } = await copies.next();
    if (!copy || nameOf(copy.key) !== nameOf(entry.key) || !sameValue(copy.value, entry.value)) {
      await copies.return();
      return false;
    }
  }
  return (await copies.next()).done === true;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a instanceof Deno.KvU64) return b instanceof Deno.KvU64 && a.value === b.value;
  const [left, right] = [a, b].map((value) =>
    value instanceof Uint8Array ? value : serialize(value)
  );
  return left?.length === right?.length && left?.every((byte, at) => byte === right?.[at]) === true;
}

function nameOf(key: Deno.KvKey): string {
  return JSON.stringify(key, (_, part) => part instanceof Uint8Array ? { bytes: [...part] } : part);
}

/** Removes everything but the record of the copy, and then the record. */
async function wipe(to: KvStore, entries: number): Promise<void> {
  const record: CopyRecord = { state: "wiping", after: null, entries };
  await to.set(COPY_KEY, record);
  for (;;) {
    const keys: Deno.KvKey[] = [];
    for await (const { key } of entriesAfter(to, null)) {
      keys.push(key);
      if (keys.length === ENTRIES_PER_READ) break;
    }
    if (keys.length === 0) break;
    const atomic = to.atomic();
    for (const key of keys) atomic.delete(key);
    await atomic.commit();
  }
  await to.delete(COPY_KEY);
}
