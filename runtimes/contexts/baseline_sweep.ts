/**
 * Removes baselines that no context needs any more. The baseline of a running service is never old,
 * because each service refreshes its own.
 *
 * @module
 */
import {
  baselineKey,
  baselinePrefix,
  baselinesSelector,
  baselineUsesPrefix,
} from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { deletePrefix } from "../../store/prefix.ts";
import type { Clock } from "../../wire/clock.ts";
import type { BaselineRecord, Baselines } from "./baselines.ts";

/** What a sweep needs. */
export interface BaselineSweepOptions {
  readonly kv: KvStore;
  readonly language: string;
  readonly baselines: Baselines;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * How long a baseline without a context is kept: older services on the same store may still create
 * one.
 */
const KEPT_MS = 7 * DAY_MS;

/** Refreshes the current baseline, and removes old ones without a context. Returns how many. */
export async function sweepBaselines(
  { kv, language, baselines, clock }: BaselineSweepOptions,
  signal: AbortSignal,
): Promise<number> {
  await baselines.refreshPresent(DAY_MS);
  let removed = 0;
  for (let id = await nextId(kv, language); id !== undefined; id = await nextId(kv, language, id)) {
    signal.throwIfAborted();
    const key = baselineKey(language, id);
    const { value, versionstamp } = await kv.get<Partial<BaselineRecord>>(key);
    if ((value?.storedAt ?? 0) > clock() - KEPT_MS || await isUsed(kv, language, id)) continue;
    const done = await kv.atomic().check({ key, versionstamp }).delete(key).commit();
    if (!done.ok) continue; // another process has just refreshed it
    await deletePrefix(kv, baselinePrefix(language, id), signal);
    removed++;
  }
  return removed;
}

/** The name of the baseline that follows another one. */
async function nextId(kv: KvStore, language: string, after?: string): Promise<string | undefined> {
  const options = { limit: 1, batchSize: 1 };
  for await (const { key } of kv.list(baselinesSelector(language, after), options)) {
    return String(key[2]);
  }
  return undefined;
}

async function isUsed(kv: KvStore, language: string, id: string): Promise<boolean> {
  const prefix = baselineUsesPrefix(language, id);
  for await (const _use of kv.list({ prefix }, { limit: 1, batchSize: 1 })) return true;
  return false;
}
