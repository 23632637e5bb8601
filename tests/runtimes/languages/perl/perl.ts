/**
 * A Perl engine for tests, made once in each file, and programs run on it.
 *
 * @module
 */
import type { EngineArtifact, RunLimits, RunOutcome } from "../../../../runtimes/engine/engine.ts";
import { createPerlEngine } from "../../../../runtimes/languages/perl/create.ts";
import type { PerlEngine } from "../../../../runtimes/languages/perl/engine.ts";
import { builtIsolate } from "../../../support/built.ts";
import { runOn as runAsIs, WIDE_LIMITS } from "../../../support/engine_runs.ts";

export const LIMITS: RunLimits = { ...WIDE_LIMITS, fuel: 4_000_000_000 };

/** The outcome of a run, with its output and the JSON of its displays. */
export interface Ran extends RunOutcome {
  readonly out: string;
  readonly err: string;
  readonly displays: readonly string[];
}

export interface RunOptions {
  readonly limits?: Partial<RunLimits>;
  readonly env?: ReadonlyMap<string, string>;
  readonly inContext?: boolean;
  readonly cwd?: string;
  readonly stdin?: string;
  /** Epoch milliseconds of a clock that stands but for sleeps. */
  readonly clock?: number;
}

let built: Promise<EngineArtifact> | undefined;

/** The artifact of the build, read when first asked for. */
export function artifact(): Promise<EngineArtifact> {
  built ??= builtIsolate("perl").then((loaded) => loaded.artifact);
  return built;
}

/** A separate engine. */
export async function newEngine(): Promise<PerlEngine> {
  return await createPerlEngine(await artifact());
}

let shared: Promise<PerlEngine> | undefined;

/** The engine that tests of a file share. */
export function perl(): Promise<PerlEngine> {
  shared ??= newEngine();
  return shared;
}

/** Runs a program from the image, within limits. */
export async function run(code: string, options: RunOptions = {}): Promise<Ran> {
  const engine = await perl();
  engine.reset();
  return runOn(engine, code, options);
}

/** Runs a program in the engine's current state. */
export function runOn(engine: PerlEngine, code: string, options: RunOptions = {}): Ran {
  const { stdout, stderr, ...outcome } = runAsIs(engine, {
    code,
    limits: { ...LIMITS, ...options.limits },
    env: options.env ?? new Map(),
    inContext: options.inContext ?? false,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.stdin === undefined ? {} : { stdin: new TextEncoder().encode(options.stdin) }),
  });
  return { ...outcome, out: stdout, err: stderr };
}

/** The ending in a few words, for tables of cases. */
export function brief({ ending }: RunOutcome): string {
  switch (ending.kind) {
    case "text":
      return `text ${ending.text}`;
    case "json":
      return `json ${ending.json}`;
    case "error":
      return `${ending.error.name}: ${ending.error.message}`;
    case "limit":
      return `limit ${ending.limit}`;
    default:
      return ending.kind;
  }
}

/** A run in a context: its outcome, followed by its output. */
export function next(engine: PerlEngine, code: string, options: RunOptions = {}): Ran {
  const ran = runOn(engine, code, { ...options, inContext: true });
  engine.state.endRun();
  return ran;
}

/** The outcome and output of a run, in short. */
export function told(ran: Ran): string {
  return [brief(ran), ran.out, ran.err].filter((text) => text !== "").join(" | ");
}
