/**
 * Displays of Python programs, for tests.
 */
import type { Display } from "../../../../client/protocol/types.ts";
import type { Ending } from "../../../../runtimes/engine/engine.ts";
import type { PythonEngine } from "../../../../runtimes/languages/python/engine.ts";
import { pythonEngine, type Ran, runIn, type RunOptions } from "./support.ts";

export type { Display } from "../../../../client/protocol/types.ts";

/** A run with what it displayed. */
export type Displayed = Omit<Ran, "displays"> & { readonly displays: readonly Display[] };

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

/** The displays of a program that does not fail. */
export async function shownBy(code: string): Promise<readonly Display[]> {
  const { displays, ending } = await displaysOf(code);
  if (ending.kind === "none" || ending.kind === "text" || ending.kind === "json") return displays;
  throw new Error(`${messageOf(ending)} from ${code}`);
}

function messageOf(ending: Ending): string {
  return ending.kind === "error" ? ending.error.traceback.join("\n") : JSON.stringify(ending);
}
