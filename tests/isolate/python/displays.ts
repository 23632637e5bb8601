/**
 * What Python programs display, for tests.
 */
import { driverSources } from "../../../runtimes/build/python.ts";
import type { Display } from "../../../client/protocol/types.ts";
import type { Ending } from "../../../runtimes/isolate/engine.ts";
import { bootImage, type BootOptions } from "../../../runtimes/isolate/python/boot.ts";
import { PythonEngine } from "../../../runtimes/isolate/python/engine.ts";
import { trampolineBytes } from "../../../runtimes/isolate/python/trampoline.ts";
import { builtIsolate } from "../../support/built.ts";
import { pythonEngine, type Ran, runIn, type RunOptions } from "./support.ts";

export type { Display } from "../../../client/protocol/types.ts";

/** A run with what it displayed. */
export type Displayed = Omit<Ran, "displays"> & { readonly displays: readonly Display[] };

/** The parts of a machine. */
export async function machineParts() {
  const { artifact } = await builtIsolate("python");
  return {
    module: await WebAssembly.compile(artifact.module),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: 4096,
  };
}

/** An engine with a library of its own. */
export async function engineWith(parts: Omit<BootOptions, "driver">): Promise<PythonEngine> {
  return new PythonEngine({
    ...parts,
    image: bootImage({ ...parts, driver: await driverSources() }),
    readOnlyFiles: parts.files,
    time: { now: () => 0, monotonic: () => 0 },
    random: (target) => void target.fill(7),
  });
}

/** The engine of a file's tests, at its baseline. */
export async function pristineEngine(): Promise<PythonEngine> {
  const on = await pythonEngine();
  on.reset();
  return on;
}

/** Runs a program in the engine's current state. */
export function displayIn(on: PythonEngine, code: string, options: RunOptions = {}): Displayed {
  const { displays, ...ran } = runIn(on, code, options);
  return { ...ran, displays: displays.map((json): Display => JSON.parse(json)) };
}

/** Runs a program on the pristine engine. */
export async function displaysOf(code: string, options: RunOptions = {}): Promise<Displayed> {
  return displayIn(await pristineEngine(), code, options);
}

/** What a program displays that does not fail. */
export async function shownBy(code: string): Promise<readonly Display[]> {
  const { displays, ending } = await displaysOf(code);
  if (ending.kind === "none" || ending.kind === "text" || ending.kind === "json") return displays;
  throw new Error(`${messageOf(ending)} from ${code}`);
}

function messageOf(ending: Ending): string {
  return ending.kind === "error" ? ending.error.traceback.join("\n") : JSON.stringify(ending);
}
