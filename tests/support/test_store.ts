/**
 * Stores of tests: in memory, or of the kind that `KV_TEST_URL` names (a `postgres` URL, the URL of a
 * KV server, or a file). There each test has a place of its own.
 *
 * @module
 */
import type { KvStore } from "../../store/kv.ts";
import { openStore } from "../../store/open.ts";
import { PrefixedStore } from "./prefixed_store.ts";

const TEST_URL = Deno.env.get("KV_TEST_URL");
const IS_POSTGRES = TEST_URL?.startsWith("postgres") ?? false;
/** A test seldom needs more, and opening one takes a moment. */
const CONNECTIONS = "2";

/** Whether `KV_TEST_URL` is set, so that tests in memory are tests of that store. */
export const HAS_TEST_URL: boolean = TEST_URL !== undefined;

/**
 * Whether the keys of tests have a prefix, which the service does not know. Its largest commits fill an
 * atomic operation of KV, and have no room for it.
 */
export const HAS_PREFIX: boolean = HAS_TEST_URL && !IS_POSTGRES;

/** Does work with an empty store. */
export async function withTestStore(work: (store: KvStore) => Promise<void>): Promise<void> {
  const store = await openTestStore();
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** An empty store that several processes can open by its path. */
export async function withSharedStore(
  work: (store: KvStore, path: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-store-" });
  const path = TEST_URL !== undefined && IS_POSTGRES
    ? urlWith(TEST_URL, { schema: `test_${crypto.randomUUID().replaceAll("-", "")}` })
    : `${folder}/below/data.sqlite3`;
  const store = await openStore(path);
  try {
    await work(store, path);
  } finally {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function openTestStore(): Promise<KvStore> {
  if (TEST_URL === undefined) return await openStore(":memory:");
  const path = IS_POSTGRES ? urlWith(TEST_URL, {}) : TEST_URL;
  return new PrefixedStore(await openStore(path), ["test", crypto.randomUUID()]);
}

/** The URL with few connections, and other parameters. */
function urlWith(base: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(base);
  const all = { pool: CONNECTIONS, ...parameters };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}
