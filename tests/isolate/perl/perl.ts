/**
 * A Perl engine for tests, built once in each file, and programs run on it.
 *
 * @module
 */
import { buildPerl } from "../../../runtimes/build/perl.ts";
import type { EngineArtifact, RunLimits, RunOutcome } from "../../../runtimes/isolate/engine.ts";
import { limitOutput } from "../../../runtimes/isolate/output.ts";
import { createPerlEngine } from "../../../runtimes/isolate/perl/create.ts";
import type { PerlEngine } from "../../../runtimes/isolate/perl/engine.ts";
import { MEMORY_BYTES } from "../../../wire/limits.ts";

export const LIMITS: RunLimits = {
  fuel: 4_000_000_000,
  outputBytes: 1 << 20,
  outputLines: 10_000,
  resultBytes: 256 * 1024,
  tracebackBytes: 64 * 1024,
  wallMs: 10_000,
};

/** The outcome of a run, with its output. */
export interface Ran extends RunOutcome {
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly limits?: Partial<RunLimits>;
  readonly env?: ReadonlyMap<string, string>;
  readonly inContext?: boolean;
  readonly cwd?: string;
}

let built: Promise<EngineArtifact> | undefined;

/** The artifact, built when first asked for. */
export function artifact(): Promise<EngineArtifact> {
  built ??= buildPerl();
  return built;
}

/** An engine of its own. */
export async function newEngine(): Promise<PerlEngine> {
  return await createPerlEngine({ ...await artifact(), memoryBytes: MEMORY_BYTES.perl });
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

/** Runs a program in the state the engine is in. */
export function runOn(engine: PerlEngine, code: string, options: RunOptions = {}): Ran {
  const limits = { ...LIMITS, ...options.limits };
  const chunks: Record<1 | 2, number[]> = { 1: [], 2: [] };
  const output = limitOutput(limits, (stream, bytes) => {
    for (const byte of bytes) chunks[stream].push(byte);
  });
  const outcome = engine.run({
    code,
    env: options.env ?? new Map(),
    typescript: false,
    limits,
    inContext: options.inContext ?? false,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }, output.sink);
  const text = (stream: 1 | 2) => new TextDecoder().decode(new Uint8Array(chunks[stream]));
  return { ...outcome, out: text(1), err: text(2) };
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
