/**
 * Spans of time as `console.timeEnd` writes them.
 *
 * @module
 */
import {
  MathFloor,
  NumberPrototypeToFixed,
  StringPrototypePadStart,
  StringPrototypeSlice,
} from "../primordials.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function pad(value: number | string): string {
  return StringPrototypePadStart(`${value}`, 2, "0");
}

/** Formats milliseconds in the most readable unit. */
export function elapsedText(ms: number): string {
  if (ms < SECOND) return `${Number(NumberPrototypeToFixed(ms, 3))}ms`;
  if (ms < MINUTE) return `${NumberPrototypeToFixed(ms / SECOND, 3)}s`;
  const hours = MathFloor(ms / HOUR);
  const minutes = MathFloor((ms % HOUR) / MINUTE);
  const text = NumberPrototypeToFixed((ms % MINUTE) / SECOND, 3);
  const seconds = StringPrototypeSlice(text, 0, -4);
  const rest = StringPrototypeSlice(text, -3);
  const head = hours > 0 ? `${hours}:${pad(minutes)}` : `${minutes}`;
  return `${head}:${pad(seconds)}.${rest} (${hours > 0 ? "h:m" : ""}m:ss.mmm)`;
}
