/**
 * Shared helpers of the store's tests: stores, a manual clock, seeded bytes, and a listing of all
 * keys.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { openStore } from "../../store/open.ts";
import { withRetry } from "../../store/retry.ts";
import type { Timers } from "../../shared/timers.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { HAS_PREFIX, HAS_TEST_URL, withTestStore } from "../support/test_store.ts";
import { FaultyKv } from "./faulty_kv.ts";

/**
 * Runs a test on each kind of store: in memory or that of `KV_TEST_URL`, in a file, and slow and
 * often locked. A test that `fillsCommits` is skipped where keys have a prefix.
 */
export function storeTest(
  name: string,
  test: (kv: KvStore) => Promise<void>,
  { fillsCommits = false }: { readonly fillsCommits?: boolean } = {},
): void {
  if (fillsCommits && HAS_PREFIX) {
    Deno.test({ name: `${name} (needs a store of its own)`, ignore: true, fn() {} });
    return;
  }
  Deno.test(`${name} (${HAS_TEST_URL ? "KV_TEST_URL" : "memory"})`, () => withTestStore(test));
  if (!HAS_TEST_URL) Deno.test(`${name} (file)`, () => withFile((kv) => test(kv)));
  Deno.test(`${name} (slow and locked)`, () =>
    withTestStore((kv) => {
      const random = seeded(printedSeed(name));
      const faulty = new FaultyKv(kv, {
        faultAt: () => random() < 0.15 ? "locked" : undefined,
        latency: () => random() < 0.2 ? random() * 3 : 0,
      });
      return test(withRetry(faulty, { random }));
    }));
}

/** An empty store in memory, for tests of the limits and times of Deno's own. */
export async function withMemory(test: (kv: KvStore) => Promise<void>): Promise<void> {
  const kv = await openStore(":memory:");
  try {
    await test(kv);
  } finally {
    await kv.close();
  }
}

/** A store in a file, in a folder that is removed afterwards. */
export async function withFile(test: (kv: KvStore, path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-store-" });
  const path = `${folder}/kept/data.sqlite3`;
  const kv = await openStore(path);
  try {
    await test(kv, path);
  } finally {
    await kv.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** All keys below a prefix, as text, in order. */
export async function keysUnder(kv: KvStore, prefix: Deno.KvKey = []): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of kv.list({ prefix })) keys.push(key.join("/"));
  return keys;
}

/** Bytes that differ from part to part and from seed to seed. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const random = seeded(seed);
  const words = new Uint32Array(bytes.buffer, 0, length >> 2);
  for (let index = 0; index < words.length; index++) words[index] = random() * 2 ** 32;
  for (let index = words.byteLength; index < length; index++) bytes[index] = random() * 256;
  return bytes;
}

/** Throws unless both hold the same bytes; fast on every version of Deno, unlike deep equality. */
export function assertBytes(actual: Uint8Array, expected: Uint8Array, message?: string): void {
  const same = actual.length === expected.length &&
    actual.every((byte, index) => byte === expected[index]);
  assert(same, message ?? "the bytes differ");
}

/** An empty store, and a clock that waits for it. */
export function withTime(test: (kv: KvStore, time: ManualTime) => Promise<void>): Promise<void> {
  return withTestStore((kv) => {
    const counted = new FaultyKv(kv);
    return test(counted, new ManualTime(() => counted.inFlight === 0));
  });
}

/** A clock and timers that stand still until they are advanced. */
export class ManualTime implements Timers {
  now = 1_700_000_000_000;
  readonly #isIdle: () => boolean;
  readonly clock = (): number => this.now;
  #calls: { readonly at: number; readonly call: () => void }[] = [];

  /** `isIdle`: whether all work that the advanced clock started has ended. */
  constructor(isIdle: () => boolean) {
    this.#isIdle = isIdle;
  }

  after(ms: number, call: () => void): () => void {
    const entry = { at: this.now + ms, call };
    this.#calls.push(entry);
    return () => {
      this.#calls = this.#calls.filter((other) => other !== entry);
    };
  }

  /** The number of scheduled calls. */
  get pending(): number {
    return this.#calls.length;
  }

  /** Advances the clock, makes the due calls in order, and lets each proceed. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const [next] = this.#calls.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#calls = this.#calls.filter((other) => other !== next);
      this.now = Math.max(this.now, next.at);
      next.call();
      await this.#settle();
    }
    this.now = end;
    await this.#settle();
  }

  async #settle(): Promise<void> {
    for (let idle = 0; idle < 3;) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      idle = this.#isIdle() ? idle + 1 : 0;
    }
  }
}
