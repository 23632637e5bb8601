/**
 * A store that is measured: how often it is asked for what, and how long that takes.
 *
 * @module
 */
import { isTelemetryOn, meter } from "../wire/telemetry.ts";
import type { KvAtomic, KvListOptions, KvStore } from "./kv.ts";

type Operation = "get" | "getMany" | "set" | "delete" | "list" | "commit";
/** Does an operation and measures it. */
type Measure = <T>(operation: Operation, work: () => Promise<T>) => Promise<T>;

const SECOND_MS = 1_000;

/** The same store, measured where somebody listens. */
export function withKvTelemetry(kv: KvStore): KvStore {
  if (!isTelemetryOn()) return kv;
  const duration = meter().createHistogram("belljar.kv.duration", {
    unit: "s",
    description: "Operations of the store",
  });
  return measuredStore(kv, async (operation, work) => {
    const began = performance.now();
    let outcome = "failed";
    try {
      const value = await work();
      outcome = "done";
      return value;
    } finally {
      duration.record((performance.now() - began) / SECOND_MS, { operation, outcome });
    }
  });
}

function measuredStore(kv: KvStore, measure: Measure): KvStore {
  return {
    get: (key, options) => measure("get", () => kv.get(key, options)),
    getMany: (keys, options) => measure("getMany", () => kv.getMany(keys, options)),
    set: (key, value, options) => measure("set", () => kv.set(key, value, options)),
    delete: (key) => measure("delete", () => kv.delete(key)),
    list: (selector, options) => measuredList(kv, measure, selector, options),
    atomic: () => measuredAtomic(kv.atomic(), measure),
    close: () => kv.close(),
  };
}

/** Each step of a listing counts; steps within a batch take no time. */
async function* measuredList<T>(
  kv: KvStore,
  measure: Measure,
  selector: Deno.KvListSelector,
  options: KvListOptions | undefined,
): AsyncIterable<Deno.KvEntry<T>> {
  const entries = kv.list<T>(selector, options)[Symbol.asyncIterator]();
  for (;;) {
    const step = await measure("list", () => entries.next());
    if (step.done) return;
    yield step.value;
  }
}

function measuredAtomic(atomic: KvAtomic, measure: Measure): KvAtomic {
  const measured: KvAtomic = {
    check: (...checks) => (atomic.check(...checks), measured),
    set: (key, value) => (atomic.set(key, value), measured),
    delete: (key) => (atomic.delete(key), measured),
    sum: (key, n) => (atomic.sum(key, n), measured),
    commit: () => measure("commit", () => atomic.commit()),
  };
  return measured;
}
