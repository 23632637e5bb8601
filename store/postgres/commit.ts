/**
 * A commit under construction, and its parameters for the function `commit_1`
 * ({@link ./schema.ts}).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { KvAtomic } from "../kv.ts";
import { keyToBytes } from "./key_bytes.ts";
import {
  byteArrays,
  hexOf,
  integers,
  integerToBytes,
  valueToBytes,
  versionFrom,
  versionToBytes,
} from "./values.ts";

/** Sends the parameters of a commit. Gives its version in decimal digits, or null when refused. */
export type SendCommit = (parameters: readonly unknown[]) => Promise<string | null>;

/** The change of a key. */
type Change =
  & { readonly key: Deno.KvKey }
  & ({ readonly kind: "set"; readonly value: unknown } | { readonly kind: "delete" } | {
    readonly kind: "sum";
    readonly count: bigint;
  });

/** One call of the function. */
export class PostgresAtomic implements KvAtomic {
  readonly #send: SendCommit;
  readonly #checks: Deno.AtomicCheck[] = [];
  /** By the bytes of the key: a later change replaces an earlier one. */
  readonly #changes = new Map<string, Change>();

  constructor(send: SendCommit) {
    this.#send = send;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.#checks.push(...checks);
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    if (value instanceof Deno.KvU64) throw new TypeError("a counter can only be added to");
    return this.#change({ kind: "set", key, value });
  }

  delete(key: Deno.KvKey): this {
    return this.#change({ kind: "delete", key });
  }

  sum(key: Deno.KvKey, n: bigint): this {
    const before = this.#changes.get(nameOf(key));
    if (before !== undefined && before.kind !== "sum") {
      throw new TypeError("a key is replaced and added to at once");
    }
    return this.#change({ kind: "sum", key, count: (before?.count ?? 0n) + n });
  }

  /** `expireIn`: milliseconds after which the entries that are set may be removed. */
  async commit(expireIn?: number): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    const changes = [...this.#changes.values()];
    const sets = changes.filter((change) => change.kind === "set");
    const sums = changes.filter((change) => change.kind === "sum");
    const deletions = changes.filter((change) => change.kind === "delete");
    const version = await this.#send([
      locksOf([...this.#checks, ...sets, ...deletions], sums),
      keysOf(this.#checks),
      integers(this.#checks.map(({ versionstamp }) => versionToBytes(versionstamp))),
      keysOf(sets),
      byteArrays(sets.map(({ value }) => valueToBytes(value))),
      expireIn ?? null,
      keysOf(deletions),
      keysOf(sums),
      integers(sums.map(({ count }) => integerToBytes(count))),
    ]);
    return version === null ? { ok: false } : { ok: true, versionstamp: versionFrom(version) };
  }

  #change(change: Change): this {
    this.#changes.set(nameOf(change.key), change);
    return this;
  }
}

/** Something with a key. */
interface Keyed {
  readonly key: Deno.KvKey;
}

function nameOf(key: Deno.KvKey): string {
  return hexOf(keyToBytes(key));
}

function keysOf(entries: readonly Keyed[]) {
  return byteArrays(entries.map(({ key }) => keyToBytes(key)));
}

/** The locks of a commit in order, each once. An odd number: the one before it, shared. */
function locksOf(entries: readonly Keyed[], counters: readonly Keyed[]) {
  const locks = new Map<bigint, bigint>();
  for (const { key } of counters) locks.set(lockOf(key), 1n);
  for (const { key } of entries) locks.set(lockOf(key), 0n);
  const ordered = [...locks].sort(([a], [b]) => a < b ? -1 : 1);
  return integers(ordered.map(([lock, shared]) => integerToBytes(lock + shared)));
}

/**
 * An even number. The parts of a blob, and the blobs of one write, have one lock together: their
 * keys differ only in the numbers at the end.
 */
function lockOf(key: Deno.KvKey): bigint {
  const length = key.findLastIndex((part) => typeof part !== "number") + 1;
  const hash = createHash("sha1").update(keyToBytes(key.slice(0, length))).digest();
  return hash.readBigInt64BE() & ~1n;
}
