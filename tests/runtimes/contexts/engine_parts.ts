/**
 * Parts of engines for tests: what a service keeps of its engine in the store.
 *
 * @module
 */
import { baselineName, engineDigest } from "../../../runtimes/builder/engine_names.ts";
import { PartArchive } from "../../../runtimes/contexts/part_archive.ts";
import type { KvStore } from "../../../store/kv.ts";
import type { EnginePart } from "../../../store/keys.ts";
import { openStore } from "../../../store/open.ts";

/** The language of the engines. */
export const LANGUAGE = "perl";
/** A unique id with each call. */
export const newId = () => crypto.randomUUID();

/** The kinds of parts. */
export const PARTS: readonly EnginePart[] = ["baseline", "module"];
const FACTS = { abi: 1, metering: 1, engineName: "Engine" };

/** A part of an engine with the given bytes, as a service's current one. */
export function partOf(
  kv: KvStore,
  fill: number,
  { part, clock, size = 2_000_000 }: { part: EnginePart; clock: () => number; size?: number },
) {
  const bytes = new Uint8Array(size);
  let state = fill; // bytes that no compression makes fewer: they take several commits
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    bytes[at] = state >>> 24;
  }
  const isModule = part === "module";
  const nameOf = (whole: Uint8Array) => isModule ? engineDigest(whole, FACTS) : baselineName(whole);
  const name = nameOf(bytes);
  const current = {
    name,
    read: () => Promise.resolve(bytes),
    ...(isModule ? { facts: FACTS } : {}),
  };
  const kept = new PartArchive({ kv, part, language: LANGUAGE, clock, current, nameOf, newId });
  return { name, bytes, kept };
}

/** The bytes of a part as they are stored. */
export async function load(kept: PartArchive, name: string): Promise<Uint8Array | undefined> {
  const found = await kept.find(name);
  return found && await kept.read(name, found.record);
}

/** How many keys there are below a prefix. */
export async function keysUnder(kv: KvStore, prefix: Deno.KvKey): Promise<number> {
  let count = 0;
  for await (const _entry of kv.list({ prefix })) count++;
  return count;
}

/** Gives a test a store of its own. */
export async function withStore(test: (kv: KvStore) => Promise<void>): Promise<void> {
  const kv = await openStore(":memory:");
  try {
    await test(kv);
  } finally {
    kv.close();
  }
}
