/**
 * A part of a store that others use too: all its keys begin with one prefix.
 *
 * @module
 */
import type { KvAtomic, KvListOptions, KvStore } from "../../store/kv.ts";
import { deletePrefix } from "../../store/prefix.ts";

/** The store below a prefix. Closing it removes everything below. */
export class PrefixedStore implements KvStore {
  readonly #kv: KvStore;
  readonly #prefix: Deno.KvKey;
  readonly repeatsCommits: boolean;

  constructor(kv: KvStore, prefix: Deno.KvKey) {
    this.#kv = kv;
    this.#prefix = prefix;
    this.repeatsCommits = kv.repeatsCommits ?? false;
  }

  async get<T = unknown>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return { ...await this.#kv.get<T>(this.#inner(key)), key };
  }

  async getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    const found = await this.#kv.getMany<unknown[]>(keys.map((key) => this.#inner(key)));
    const entries: unknown = found.map((entry, at) => ({ ...entry, key: keys[at] }));
    return entries as { [K in keyof T]: Deno.KvEntryMaybe<T[K]> };
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }) {
    return this.#kv.set(this.#inner(key), value, options);
  }

  delete(key: Deno.KvKey): Promise<void> {
    return this.#kv.delete(this.#inner(key));
  }

  async *list<T = unknown>(
    selector: Deno.KvListSelector,
    options?: KvListOptions,
  ): AsyncIterable<Deno.KvEntry<T>> {
    const inner = (key: Deno.KvKey) => this.#inner(key);
    const below = {
      ...("prefix" in selector ? { prefix: inner(selector.prefix) } : {}),
      ...("start" in selector ? { start: inner(selector.start) } : {}),
      ...("end" in selector ? { end: inner(selector.end) } : {}),
    };
    const isListable = (found: object): found is Deno.KvListSelector =>
      Object.keys(found).length > 0;
    if (!isListable(below)) throw new TypeError("a listing needs a selector");
    for await (const entry of this.#kv.list<T>(below, options)) {
      yield { ...entry, key: entry.key.slice(this.#prefix.length) };
    }
  }

  atomic(): KvAtomic {
    return new PrefixedAtomic(this.#kv.atomic(), (key) => this.#inner(key));
  }

  async close(): Promise<void> {
    await deletePrefix(this.#kv, this.#prefix);
    await this.#kv.close();
  }

  #inner(key: Deno.KvKey): Deno.KvKey {
    return [...this.#prefix, ...key];
  }
}

class PrefixedAtomic implements KvAtomic {
  readonly #atomic: KvAtomic;
  readonly #inner: (key: Deno.KvKey) => Deno.KvKey;

  constructor(atomic: KvAtomic, inner: (key: Deno.KvKey) => Deno.KvKey) {
    this.#atomic = atomic;
    this.#inner = inner;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.#atomic.check(...checks.map((check) => ({ ...check, key: this.#inner(check.key) })));
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    this.#atomic.set(this.#inner(key), value);
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#atomic.delete(this.#inner(key));
    return this;
  }

  sum(key: Deno.KvKey, n: bigint): this {
    this.#atomic.sum(this.#inner(key), n);
    return this;
  }

  commit() {
    return this.#atomic.commit();
  }
}
