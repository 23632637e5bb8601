/**
 * A run whose result is too long for a message: its output loses the middle and, where that is not
 * enough, displays are left out. What is left out says so in its place.
 *
 * @module
 */
import { jsonBytes, linesBytes, MESSAGE_BYTES } from "./message_size.ts";
import { firstBytes, lastBytes, shortened, TEXT_BYTES } from "./results.ts";
import type { Run, RunDisplay } from "./run_schemas.ts";

/** Bytes of JSON for the run: a control character of the text for the model takes six. */
const ROOM = MESSAGE_BYTES - 6 * TEXT_BYTES - 1024;
/** Minimum size of the output beside displays, in bytes of JSON. */
const LEAST_LOGS = 16 * 1024;

/** The same run, of a size that fits. */
export function smallerRun(run: Run): Run {
  const others = jsonBytes({ ...run, logs: { ...run.logs, stdout: [], stderr: [] } });
  const logs = cutLogs(run.logs, ROOM - others);
  const displays = run.displays?.map((display) => ({ display, bytes: jsonBytes(display) })) ?? [];
  let over = others + logsBytes(logs) - ROOM;
  const dropped = new Set<RunDisplay>();
  for (const { display, bytes } of displays.toSorted((one, other) => other.bytes - one.bytes)) {
    if (over <= 0) break;
    dropped.add(display);
    over -= bytes;
  }
  const less = {
    ...run,
    logs,
    ...(run.displays === undefined ? {} : {
      displays: run.displays.map((display) =>
        dropped.has(display) ? withoutData(display) : display
      ),
    }),
  };
  return over <= 0 ? less : withShortResult(less);
}

function logsBytes({ stdout, stderr }: Run["logs"]): number {
  return linesBytes(stdout) + linesBytes(stderr);
}

/** Whether a run is too long for a message by its own data. */
export function isTooLong(run: Run): boolean {
  return logsBytes(run.logs) > MESSAGE_BYTES;
}

function cutLogs({ stdout, stderr, ...rest }: Run["logs"], room: number): Run["logs"] {
  const [out, err] = [linesBytes(stdout), linesBytes(stderr)];
  const share = Math.max(room, LEAST_LOGS) / (out + err);
  if (share >= 1) return { ...rest, stdout, stderr };
  return { ...rest, stdout: cutLines(stdout, out * share), stderr: cutLines(stderr, err * share) };
}

/** The first and the last of some lines, in so many bytes of JSON. */
function cutLines(lines: readonly string[], room: number): string[] {
  const bytes = new TextEncoder().encode(lines.join("\n"));
  // JSON takes more bytes than the text, by a share that may differ within it
  for (let half = Math.floor(Math.min(room, bytes.length) / 2);; half = Math.floor(half * 0.8)) {
    const note = `[... cut here: ${bytes.length - 2 * half} bytes are left out ...]`;
    const cut = [firstBytes(bytes, half), note, lastBytes(bytes, half)].join("\n").split("\n");
    if (half < 64 || linesBytes(cut) <= room) return cut;
  }
}

function withoutData(display: RunDisplay): RunDisplay {
  const types = Object.keys(display.data).join(", ");
  const note = `[${types}: ${jsonBytes(display.data)} bytes are too many for a message. Write it ` +
    "to a file and read parts of it]";
  return { ...display, data: { "text/plain": note } };
}

/** Only an operator's own limits for results and tracebacks make this necessary. */
function withShortResult({ results, error, ...run }: Run): Run {
  return {
    ...run,
    results: results.map(({ text, json }) => ({ text: shortened(text ?? JSON.stringify(json)) })),
    ...(error === undefined ? {} : {
      error: { ...error, traceback: shortened(error.traceback.join("\n")).split("\n") },
    }),
  };
}
