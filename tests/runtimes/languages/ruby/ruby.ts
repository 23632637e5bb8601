/** The Ruby engine under test: made once for a file of tests, reset before every run. */
import { assert } from "@std/assert";
import type { Ending, GuestError, RunLimits } from "../../../../runtimes/engine/engine.ts";
import { createRubyEngine } from "../../../../runtimes/languages/ruby/create.ts";
import type { RubyEngine } from "../../../../runtimes/languages/ruby/engine.ts";
import { builtIsolate } from "../../../support/built.ts";
import { type Ran, runOn as runAsIs, WIDE_LIMITS } from "../../../support/engine_runs.ts";

export type { Ran } from "../../../support/engine_runs.ts";

/** Limits wide enough for any test that is not about them. */
export const LIMITS: RunLimits = WIDE_LIMITS;

/** How a run differs from the default. */
export interface RunOptions {
  readonly limits?: Partial<RunLimits>;
  readonly env?: Readonly<Record<string, string>>;
}

let engine: Promise<RubyEngine> | undefined;

/** An engine that shares only the built bytes with others. */
export async function anotherEngine(): Promise<RubyEngine> {
  const { artifact } = await builtIsolate("ruby");
  return await createRubyEngine(artifact);
}

/** The engine of this file's tests. */
export function rubyEngine(): Promise<RubyEngine> {
  engine ??= anotherEngine();
  return engine;
}

/** Runs a program from the pristine state. */
export function runOn(on: RubyEngine, code: string, options: RunOptions = {}): Ran {
  on.reset();
  const limits = { ...LIMITS, ...options.limits };
  const env = new Map(Object.entries(options.env ?? {}));
  return runAsIs(on, { code, env, limits });
}

/** Runs a program on the engine of this file's tests. */
export async function run(code: string, options: RunOptions = {}): Promise<Ran> {
  return runOn(await rubyEngine(), code, options);
}

/** The exception that a run ended with. */
export function errorOf(ending: Ending): GuestError {
  assert(ending.kind === "error", `the run ended with ${JSON.stringify(ending).slice(0, 500)}`);
  return ending.error;
}

/** How a run ended, as one line: `text 1`, `json [1]`, `none`, `limit fuel`, `error TypeError`. */
export function shortEnding(ending: Ending): string {
  switch (ending.kind) {
    case "text":
      return `text ${ending.text}`;
    case "json":
      return `json ${ending.json}`;
    case "limit":
      return `limit ${ending.limit}`;
    case "error":
      return `error ${ending.error.name}`;
    default:
      return ending.kind;
  }
}
