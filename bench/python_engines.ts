/**
 * Python in this process: the built engine, and the same without metering, for comparison.
 *
 * @module
 */
import { cpythonModule } from "../runtimes/languages/python/build/builder.ts";
import { ModulePatch } from "../wasm/metering/module_patch.ts";
import { createPythonEngine } from "../runtimes/languages/python/create.ts";
import type { PythonEngine } from "../runtimes/languages/python/engine.ts";
import { putLinuxErrors } from "../runtimes/languages/python/build/linux_errors_patch.ts";
import { builtIsolate } from "../tests/support/built.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../shared/limits.ts";
import { unmetered } from "../wasm/metering/unmetered.ts";

const LIMITS = { ...SHARED_LIMITS, fuel: Number.MAX_SAFE_INTEGER, wallMs: 3_600_000 };

/** The engine with the published code, and the built one. */
export async function pythonEngines(): Promise<
  { readonly plain: PythonEngine; readonly metered: PythonEngine }
> {
  const { artifact } = await builtIsolate("python");
  const patch = new ModulePatch(await cpythonModule());
  putLinuxErrors(patch);
  const module = unmetered(patch.bytes, MEMORY_BYTES.python);
  const memoryBytes = MEMORY_BYTES.python;
  return {
    plain: await createPythonEngine({ ...artifact, module, memoryBytes }),
    metered: await createPythonEngine({ ...artifact, memoryBytes }),
  };
}

/** Runs a program in an instance at its baseline; returns its value as text and its time. */
export function timedRun(
  engine: PythonEngine,
  code: string,
): { readonly value: string; readonly ms: number } {
  engine.reset();
  const { ending, durationMs } = engine.run(
    { code, env: new Map(), typescript: false, limits: LIMITS },
    () => true,
  );
  if (ending.kind !== "text") throw new Error(`The program ended with ${JSON.stringify(ending)}`);
  return { value: ending.text, ms: durationMs };
}
