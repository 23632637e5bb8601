/**
 * Programs run on an engine in the test's own process, with what they wrote.
 *
 * @module
 */
import type {
  Engine,
  OutputSink,
  RunLimits,
  RunOutcome,
  RunRequest,
} from "../../runtimes/engine/engine.ts";
import { DISPLAYS } from "../../runtimes/files/devices.ts";
import { limitOutput } from "../../runtimes/isolate/output.ts";

/** Limits wide enough for any test that is not about them. */
export const WIDE_LIMITS: RunLimits = {
  fuel: 20_000_000_000,
  outputBytes: 1 << 20,
  outputLines: 10_000,
  resultBytes: 1 << 18,
  tracebackBytes: 1 << 16,
  displayBytes: 1 << 20,
  wallMs: 10_000,
};

/** A program; what is not said is as in a plain request. */
export type Program = Pick<RunRequest, "code" | "limits"> & Partial<RunRequest>;

/** An outcome, and what was written. */
export interface Ran extends RunOutcome {
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON of each display. */
  readonly displays: readonly string[];
}

/** Runs a program in the state the engine is in. `limited` bounds its output further. */
export function runOn(
  engine: Engine,
  program: Program,
  limited: (sink: OutputSink) => OutputSink = (sink) => sink,
): Ran {
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const written = { 1: "", 2: "" };
  const displays: string[] = [];
  const output = limitOutput(program.limits, (stream, bytes) => {
    if (stream === DISPLAYS) displays.push(new TextDecoder().decode(bytes));
    else written[stream] += decoders[stream].decode(bytes, { stream: true });
  });
  const request = { env: new Map(), typescript: false, ...program };
  return {
    ...output.outcome(engine.run(request, limited(output.sink))),
    stdout: written[1] + decoders[1].decode(),
    stderr: written[2] + decoders[2].decode(),
    displays,
  };
}
