/**
 * Reads the driver's answer: a letter followed by its content. See `guest/program.rb`.
 *
 * @module
 */
import type { Ending, RunLimits, RunRequest } from "../../../engine/engine.ts";
import { exitError, readDescribedError } from "../../../engine/described_error.ts";
import { separateRepr, withTextAsRepr } from "../../../engine/value_repr.ts";
import { cutText } from "../../../engine/traceback.ts";
import { UNDESCRIBED } from "./guest_error.ts";

/** The exit status that a parent process sees. */
const STATUS_BITS = 0xff;
/** Used for a status that is not a number. */
const FAILURE = 1;
const RESULT_LIMIT: Ending = { kind: "limit", limit: "result", traceback: [] };

/** The ending of a run whose program exited with a status. */
export function exitEnding(status: number): Ending {
  const seen = Number.isInteger(status) ? status & STATUS_BITS : FAILURE;
  return seen === 0 ? { kind: "none" } : { kind: "error", error: exitError(seen) };
}

/** The driver counts too, but a guest may have changed the driver's limits. */
function isTooLong(text: string, { resultBytes }: RunLimits): boolean {
  return cutText(text, resultBytes).length < text.length;
}

/** Reads an answer; undefined means that the driver failed. */
export function readAnswer(
  bytes: Uint8Array | undefined,
  request: Pick<RunRequest, "limits" | "repr">,
): Ending {
  const { answer, repr } = separateRepr(bytes ?? new Uint8Array());
  const ending = endingOf(new TextDecoder().decode(answer), request.limits);
  return withTextAsRepr(ending, request, repr);
}

function endingOf(answer: string, limits: RunLimits): Ending {
  const text = answer.slice(1);
  switch (answer[0]) {
    case "n":
      return { kind: "none" };
    case "t":
      return isTooLong(text, limits) ? RESULT_LIMIT : { kind: "text", text };
    case "j":
      return isTooLong(text, limits) ? RESULT_LIMIT : { kind: "json", json: text };
    case "e":
      return {
        kind: "error",
        error: readDescribedError(text, {
          name: "Exception",
          message: UNDESCRIBED.message,
          tracebackBytes: limits.tracebackBytes,
        }),
      };
    case "x":
      return exitEnding(Number(text));
    case "l":
      return RESULT_LIMIT;
    default:
      return { kind: "error", error: UNDESCRIBED };
  }
}
