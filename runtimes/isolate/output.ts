/**
 * The output of a run within its limits: text, exact to the byte and the line, and displays.
 *
 * @module
 */
import { DisplayLines } from "./displays.ts";
import type { OutputSink, RunOutcome } from "../engine/engine.ts";
import { DISPLAYS, type Stream } from "../files/devices.ts";

/** Limits of a run's output: of both streams together, and of the displays. */
export interface OutputLimits {
  readonly outputBytes: number;
  readonly outputLines: number;
  /** Bytes of JSON of all displays together. */
  readonly displayBytes: number;
}

/** A sink that stops at the limits and counts what passed. */
export interface LimitedOutput {
  readonly sink: OutputSink;
  /** Takes the JSON of a display that is not the program's own; without room for it, it is dropped. */
  offer(json: Uint8Array): void;
  /** Bytes of both streams passed on so far. */
  bytes(): number;
  /** Bytes of displays passed on so far. */
  displayBytes(): number;
  /** The outcome of a run that showed more than the limits allow. */
  outcome(outcome: RunOutcome): RunOutcome;
}

const NEWLINE = 10;

/** Number of bytes up to and including the last of `lines` newlines; all when there are fewer. */
function cutAfterLines(
  bytes: Uint8Array,
  lines: number,
): { readonly length: number; readonly lines: number } {
  let seen = 0;
  let at = bytes.indexOf(NEWLINE);
  while (at >= 0) {
    seen++;
    if (seen === lines) return { length: at + 1, lines: seen };
    at = bytes.indexOf(NEWLINE, at + 1);
  }
  return { length: bytes.length, lines: seen };
}

/**
 * Passes output on to `write` until a limit is reached, and drops the rest. Of displays it gets the
 * JSON of one at a time.
 */
export function limitOutput(
  limits: OutputLimits,
  write: (stream: Stream, bytes: Uint8Array) => void,
): LimitedOutput {
  let bytesLeft = limits.outputBytes;
  let linesLeft = limits.outputLines;
  const displays = new DisplayLines(limits.displayBytes, (json) => write(DISPLAYS, json));
  const sink: OutputSink = (stream, bytes) => {
    if (bytes.length === 0) return true;
    if (stream === DISPLAYS) {
      displays.push(bytes);
      return true;
    }
    if (linesLeft === 0) return false;
    const room = bytes.subarray(0, bytesLeft);
    const taken = cutAfterLines(room, linesLeft);
    if (taken.length > 0) write(stream, room.subarray(0, taken.length));
    bytesLeft -= taken.length;
    linesLeft -= taken.lines;
    return taken.length === bytes.length;
  };
  return {
    sink,
    offer: (json) => displays.offer(json),
    bytes: () => limits.outputBytes - bytesLeft,
    displayBytes: () => displays.bytes,
    outcome: (outcome) => displays.outcome(outcome),
  };
}
