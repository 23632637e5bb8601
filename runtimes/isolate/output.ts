/**
 * The output limit of a run, exact to the byte and the line.
 *
 * @module
 */
import type { OutputSink, Stream } from "./engine.ts";

/** Limits of a run's output, both streams together. */
export interface OutputLimits {
  readonly outputBytes: number;
  readonly outputLines: number;
}

/** A sink that stops at the limits and counts what passed. */
export interface LimitedOutput {
  readonly sink: OutputSink;
  /** Bytes passed on so far. */
  bytes(): number;
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

/** Passes output on to `write` until a limit is reached, and drops the rest. */
export function limitOutput(
  limits: OutputLimits,
  write: (stream: Stream, bytes: Uint8Array) => void,
): LimitedOutput {
  let bytesLeft = limits.outputBytes;
  let linesLeft = limits.outputLines;
  const sink: OutputSink = (stream, bytes) => {
    if (bytes.length === 0) return true;
    if (linesLeft === 0) return false;
    const room = bytes.subarray(0, bytesLeft);
    const taken = cutAfterLines(room, linesLeft);
    if (taken.length > 0) write(stream, room.subarray(0, taken.length));
    bytesLeft -= taken.length;
    linesLeft -= taken.lines;
    return taken.length === bytes.length;
  };
  return { sink, bytes: () => limits.outputBytes - bytesLeft };
}
