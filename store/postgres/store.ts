/**
 * The store over PostgreSQL: every operation is one statement.
 *
 * @module
 */
import { systemTimers } from "../../shared/timers.ts";
import type { KvAtomic, KvListOptions, KvStore } from "../kv.ts";
import { StoreFailure } from "../store_failures.ts";
import { PostgresAtomic } from "./commit.ts";
import type { Connections, Statement } from "./connections.ts";
import { boundsOf, keyFromBytes, keyToBytes } from "./key_bytes.ts";
import { type Row, type Statements, statements } from "./schema.ts";
import { byteArrays, fromHex, hexOf, valueFromHex, versionFrom } from "./values.ts";

const ENTRIES_PER_READ = 100;
/** Pause between removals of expired entries, in milliseconds. */
const EXPIRY_MS = 60_000;

/** A store over a schema that exists. */
export class PostgresStore implements KvStore {
  readonly #connections: Connections;
  readonly #texts: Statements;
  #cancelExpiry: () => void = () => {};
  #closed = false;

  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#texts = statements(schema);
    this.#expire();
  }

  async get<T = unknown>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    const [entry] = await this.getMany<[T]>([key]);
    return entry;
  }

  async getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    const names = keys.map(keyToBytes);
    const rows = await this.#read("read", [byteArrays(names)]);
    const found = new Map(rows.map((row) => [row[0], row]));
    const entries: unknown = keys.map((key, at) => {
      const row = found.get(hexOf(names[at] ?? new Uint8Array()));
      return row === undefined ? { key, value: null, versionstamp: null } : entryOf(key, row);
    });
    return entries as { [K in keyof T]: Deno.KvEntryMaybe<T[K]> };
  }

  /** Each batch is a read of its own: the next one may hold what is committed meanwhile. */
  async *list<T = unknown>(
    selector: Deno.KvListSelector,
    { limit = Infinity, batchSize = ENTRIES_PER_READ }: KvListOptions = {},
  ): AsyncIterable<Deno.KvEntry<T>> {
    const [start, end] = boundsOf(selector);
    let from = start;
    for (let left = limit; left > 0;) {
      const size = Math.min(left, batchSize);
      const rows = await this.#read("list", [from, end, size]);
      for (const row of rows) yield entryOf<T>(keyFromBytes(fromHex(row[0])), row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < size) return;
      from = Uint8Array.of(...fromHex(last[0]), 0); // the least key behind the last one
      left -= rows.length;
    }
  }

  async set(
    key: Deno.KvKey,
    value: unknown,
    { expireIn }: { expireIn?: number } = {},
  ): Promise<Deno.KvCommitResult> {
    const done = await new PostgresAtomic(this.#commit).set(key, value).commit(expireIn);
    if (!done.ok) throw new TypeError("a commit without checks was refused");
    return done;
  }

  async delete(key: Deno.KvKey): Promise<void> {
    await this.atomic().delete(key).commit();
  }

  atomic(): KvAtomic {
    return new PostgresAtomic(this.#commit);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelExpiry();
    await this.#connections.close();
  }

  readonly #commit = async (values: readonly unknown[]): Promise<string | null> => {
    const statement = { name: "commit", text: this.#texts.commit, values };
    const [row] = await this.#connections.query<[string | null]>(statement);
    return row?.[0] ?? null;
  };

  /** A read that lost its connection is sent once more, on another one. */
  async #read(name: "read" | "list", values: readonly unknown[]): Promise<Row[]> {
    const statement: Statement = { name, text: this.#texts[name], values };
    try {
      return await this.#connections.query<Row>(statement);
    } catch (thrown) {
      const isLost = thrown instanceof StoreFailure && thrown.fate === "unknown";
      if (!isLost || this.#closed) throw thrown;
      return await this.#connections.query<Row>(statement);
    }
  }

  #expire(): void {
    this.#cancelExpiry = systemTimers.after(EXPIRY_MS, async () => {
      const { expire } = this.#texts;
      await this.#connections.query({ text: expire }).catch(() => undefined); // the next one does it
      if (!this.#closed) this.#expire();
    }, true);
  }
}

function entryOf<T>(key: Deno.KvKey, [, version, value, count]: Row): Deno.KvEntry<T> {
  const stored = value === null
    ? new Deno.KvU64(BigInt.asUintN(64, BigInt(count ?? 0)))
    : valueFromHex(value);
  return { key, value: stored as T, versionstamp: versionFrom(version) };
}
