/**
 * The run that an isolate is asked for.
 *
 * @module
 */
import { replayOf } from "../shared/replay.ts";
import type { LanguageLimits } from "../shared/limits.ts";
import type { Replay } from "../client/protocol/types.ts";
import type { RunRequest } from "./engine/engine.ts";

/** A program and its inputs. */
export type Program = Pick<RunRequest, "code" | "env" | "typescript" | "notebook" | "preloaded"> & {
  /** Standard input as text; empty when absent. */
  readonly stdin?: string | undefined;
  /** Whether the own form of the value is wanted. */
  readonly repr?: boolean | undefined;
  /** The fields that the caller fixes. */
  readonly replay: Replay;
};

/** A program with the limits that apply to it. */
export function runRequest(
  { stdin = "", replay, repr = false, ...program }: Program,
  limits: LanguageLimits,
): RunRequest {
  const { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, displayBytes } = limits;
  const { wallMs } = limits;
  return {
    ...program,
    ...(stdin === "" ? {} : { stdin: new TextEncoder().encode(stdin) }),
    ...replayOf(replay),
    ...(repr ? { repr } : {}),
    limits: {
      fuel,
      outputBytes,
      outputLines,
      resultBytes,
      tracebackBytes,
      displayBytes,
      wallMs,
    },
  };
}
