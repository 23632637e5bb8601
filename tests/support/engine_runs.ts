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
} from "../../runtimes/isolate/engine.ts";
import { limitOutput } from "../../runtimes/isolate/output.ts";

/** Limits wide enough for any test that is not about them. */
export const WIDE_LIMITS: RunLimits = {
  fuel: 20_000_000_000,
  outputBytes: 1 << 20,
  outputLines: 10_000,
  resultBytes: 1 << 18,
  tracebackBytes: 1 << 16,
  wallMs: 10_000,
};

/** A program; what is not said is as in a plain request. */
export type Program = Pick<RunRequest, "code" | "limits"> & Partial<RunRequest>;

/** An outcome, and what was written. */
export interface Ran extends RunOutcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in the state the engine is in. `limited` puts a bound to its output. */
export function runOn(
  engine: Engine,
  program: Program,
  limited: (sink: OutputSink) => OutputSink = limitedBy(program.limits),
): Ran {
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const written = { 1: "", 2: "" };
  const outcome = engine.run(
    { env: new Map(), typescript: false, ...program },
    limited((stream, bytes) => {
      written[stream] += decoders[stream].decode(bytes, { stream: true });
      return true;
    }),
  );
  return {
    ...outcome,
    stdout: written[1] + decoders[1].decode(),
    stderr: written[2] + decoders[2].decode(),
  };
}

/** The bound that a run's limits put to its output, as the isolate's server has it. */
function limitedBy(limits: RunLimits): (sink: OutputSink) => OutputSink {
  return (sink) => limitOutput(limits, sink).sink;
}
