/**
 * A store with telemetry: counts and durations of operations by kind.
 *
 * @module
 */
import { isTelemetryOn, meter } from "../telemetry/meter.ts";
import type { KvStore } from "./kv.ts";
import { type StoreOperation, WrappedStore } from "./wrapped_store.ts";

const SECOND_MS = 1_000;

/** Returns the same store, measured if telemetry is on. */
export function withKvTelemetry(kv: KvStore): KvStore {
  return isTelemetryOn() ? new MeasuredStore(kv) : kv;
}

/** Each step of a listing counts. Steps within a batch take no time. */
class MeasuredStore extends WrappedStore {
  readonly #duration = meter().createHistogram("belljar.kv.duration", {
    unit: "s",
    description: "Operations of the store",
  });

  protected override async around<T>(
    operation: StoreOperation,
    work: () => Promise<T>,
  ): Promise<T> {
    const began = performance.now();
    let outcome = "failed";
    try {
      const value = await work();
      outcome = "done";
      return value;
    } finally {
      this.#duration.record((performance.now() - began) / SECOND_MS, { operation, outcome });
    }
  }
}
