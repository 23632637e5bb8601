/**
 * The log: one line of JSON for each event, in ASCII.
 *
 * A line cannot be forged: no control character, line separator or character that changes the
 * direction of text reaches the output unescaped.
 *
 * @module
 */
import { type Clock, isoTimestamp } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";

/** Creates a log that passes each line, with its newline, to `write`. */
export function createLog(write: (line: string) => void, clock: Clock): Log {
  return (level, event, fields = {}) => {
    const line = JSON.stringify({
      ...fields,
      time: isoTimestamp(clock),
      level,
      event,
    });
    write(`${escapeToAscii(line)}\n`);
  };
}

/** In JSON, non-ASCII characters occur only in strings, where `\u` escapes mean the same. */
function escapeToAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
