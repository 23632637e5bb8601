/**
 * Measurements of the whole process: isolates, places taken, memory. They are read whenever
 * telemetry is collected.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import type { Admission } from "../gateway/admission.ts";
import { isTelemetryOn, meter } from "../telemetry/meter.ts";
import { tellSteps } from "../telemetry/spans.ts";
import type { LanguageRuntime } from "../shared/binding.ts";

/** The measured parts of the service. */
export interface MeasuredBackend {
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
  /** Absent where tenants have no places. */
  readonly admission?: Pick<Admission, "counts">;
  close(): Promise<void>;
}

const PAGE_BYTES = 4096;

/** Measures the process, if telemetry is on, until the backend is closed. */
export function withMeasurements<B extends MeasuredBackend>(backend: B): B {
  if (!isTelemetryOn()) return backend;
  const end = measure(backend);
  const close = async () => {
    end();
    await backend.close();
    tellSteps();
  };
  return { ...backend, close };
}

/** Returns a function that stops it. */
function measure({ runtimes, admission }: MeasuredBackend): () => void {
  const endings = [
    observe("belljar.isolates", (seen) => {
      for (const [language, runtime] of runtimes) {
        const { isolates, state } = runtime.health();
        seen(isolates, { language, state });
      }
    }),
    observe("belljar.admission", (seen) => {
      if (admission === undefined) return;
      for (const [state, runs] of Object.entries(admission.counts())) seen(runs, { state });
    }),
    observe("belljar.memory", async (seen) => {
      seen(Deno.memoryUsage().rss, { part: "service" });
      const isolates = await childrenMemory();
      if (isolates !== undefined) seen(isolates, { part: "isolates" });
    }, "By"),
  ];
  return () => endings.forEach((end) => end());
}

type See = (value: number, attributes: { readonly [name: string]: string }) => void;

function observe(name: string, look: (seen: See) => void | Promise<void>, unit = "1"): () => void {
  const gauge = meter().createObservableGauge(name, { unit });
  const callback: Parameters<typeof gauge.addCallback>[0] = (result) =>
    look((value, attributes) => result.observe(value, attributes));
  gauge.addCallback(callback);
  return () => gauge.removeCallback(callback);
}

/** Resident bytes of this process's children, which are its isolates. Undefined except on Linux. */
async function childrenMemory(): Promise<number | undefined> {
  try {
    const pids = await Deno.readTextFile(`/proc/self/task/${Deno.pid}/children`);
    const sizes = await Promise.all(pids.trim().split(" ").filter(Boolean).map(residentBytes));
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** 0 for a process that has ended meanwhile. */
async function residentBytes(pid: string): Promise<number> {
  try {
    const [, resident = "0"] = (await Deno.readTextFile(`/proc/${pid}/statm`)).split(" ");
    return Number(resident) * PAGE_BYTES;
  } catch (thrown) {
    if (isAbsent(thrown)) return 0;
    throw thrown;
  }
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof Deno.errors.NotFound || thrown instanceof Deno.errors.NotCapable ||
    thrown instanceof Deno.errors.PermissionDenied;
}
