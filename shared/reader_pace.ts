/**
 * How fast a caller must read an answer that takes up memory until it is read.
 *
 * @module
 */
import { READER_BYTES_PER_SECOND, READER_PAUSE_MS } from "./limits.ts";

/** The slowest acceptable reader. */
export interface ReaderLimits {
  /** Longest pause, in milliseconds. @default {30_000} */
  readonly pauseMs?: number | undefined;
  /** Bytes per second on average after the first pause. @default {32_768} */
  readonly bytesPerSecond?: number | undefined;
}

/** Watches one reader. */
export interface ReaderPace {
  /** The reader has got that many bytes, and must ask for more in time. */
  handed(bytes: number): void;
  /** The reader asks for more, or nothing is left: it is not late. */
  rest(): void;
}

/** Starts to watch a reader; `onLate` is called when it stops or is too slow. */
export function readerPace(
  { pauseMs = READER_PAUSE_MS, bytesPerSecond = READER_BYTES_PER_SECOND }: ReaderLimits,
  onLate: () => void,
): ReaderPace {
  const began = performance.now();
  let total = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => clearTimeout(timer);
  const handed = (bytes: number) => {
    rest();
    total += bytes;
    const due = began + pauseMs + 1_000 * total / bytesPerSecond;
    timer = setTimeout(onLate, Math.min(pauseMs, Math.max(0, due - performance.now())));
    Deno.unrefTimer(timer);
  };
  handed(0);
  return { handed, rest };
}
