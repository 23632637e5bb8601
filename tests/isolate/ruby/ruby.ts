/**
 * The Ruby engine under test: made once for a file of tests, put back before every run.
 */
import { assert } from "@std/assert";
import type {
  Ending,
  GuestError,
  RunLimits,
  RunOutcome,
} from "../../../runtimes/isolate/engine.ts";
import { limitOutput } from "../../../runtimes/isolate/output.ts";
import { createRubyEngine } from "../../../runtimes/isolate/ruby/create.ts";
import type { RubyEngine } from "../../../runtimes/isolate/ruby/engine.ts";
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { builtIsolate } from "../../support/built.ts";

/** Limits wide enough for any test that is not about them. */
export const LIMITS: RunLimits = {
  fuel: 20_000_000_000,
  outputBytes: 1 << 20,
  outputLines: 10_000,
  resultBytes: 1 << 18,
  tracebackBytes: 1 << 16,
  wallMs: 10_000,
};

/** How a run is to differ from the usual one. */
export interface RunOptions {
  readonly limits?: Partial<RunLimits>;
  readonly env?: Readonly<Record<string, string>>;
}

/** An outcome, and what was written. */
export interface Ran extends RunOutcome {
  readonly stdout: string;
  readonly stderr: string;
}

let engine: Promise<RubyEngine> | undefined;

/** An engine with nothing in common with another but the built bytes. */
export async function anotherEngine(): Promise<RubyEngine> {
  const { artifact } = await builtIsolate("ruby");
  return await createRubyEngine({ ...artifact, memoryBytes: MEMORY_BYTES.ruby });
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
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const written = { 1: "", 2: "" };
  const { sink } = limitOutput(limits, (stream, bytes) => {
    written[stream] += decoders[stream].decode(bytes, { stream: true });
  });
  const env = new Map(Object.entries(options.env ?? {}));
  const outcome = on.run({ code, env, typescript: false, limits }, sink);
  return { ...outcome, stdout: written[1], stderr: written[2] };
}

/** Runs a program on the engine of this file's tests. */
export async function run(code: string, options: RunOptions = {}): Promise<Ran> {
  return runOn(await rubyEngine(), code, options);
}

/** The exception a run ended with. */
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
