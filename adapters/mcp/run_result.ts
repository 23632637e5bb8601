/**
 * Converts the result of a run to the result of a tool: text for the model, then images and
 * other displays, and the whole result as structured content.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { displayBlocks } from "./display_blocks.ts";
import { fits } from "./message_size.ts";
import type { OutputFile } from "./output_file.ts";
import { shortened, TEXT_BYTES, WRITE_FILES } from "./results.ts";
import type { Run } from "./run_schemas.ts";
import { fittingWaiting, waitingText } from "./waiting_text.ts";
import { isTooLong, smallerRun } from "./smaller_run.ts";

/** Bytes of output that are always whole: the end of a cut text has fewer. */
const END_BYTES = TEXT_BYTES / 2 - 1024;

/** Notes for the model besides the run. */
export interface Additions {
  /** An additional text. */
  readonly note?: string | undefined;
  /** The file with the whole output, or the reason why there is none. */
  readonly output?: OutputFile | undefined;
}

/** Whether the text of a run lacks a part of its output. */
export function cutsOutput(run: Run): boolean {
  const { stdout, stderr } = run.logs;
  if (linesLength(stdout) + linesLength(stderr) <= END_BYTES) return false;
  const shown = (run.displays ?? [])
    .map((display, index) => displayBlocks(display, index + 1, { withResource: false }).text);
  const text = textOf(run, shown, { value: run.results[0] && textOfValue(run.results[0]) });
  return bytesOf(text) > TEXT_BYTES;
}

function linesLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + bytesOf(line) + 1, 0);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Makes the result. */
export function runResult(execution: Run, additions: Additions = {}): CallToolResult {
  const { code: _code, results, waiting, ...rest } = execution;
  const run = {
    ...rest,
    results: results.map(({ repr: _repr, ...entry }) => entry),
    ...(waiting === undefined ? {} : { waiting: fittingWaiting(waiting) }),
  };
  const value = results[0] && textOfValue(results[0]);
  if (isTooLong(run)) return smallerResult(run, { value, ...additions });
  const whole = resultOf(run, run, { value, ...additions, withResources: true });
  if (fits(whole)) return whole;
  // the data of displays is in the structured content, too
  const once = resultOf(run, run, { value, ...additions, withResources: false });
  if (fits(once)) return once;
  return smallerResult(run, { value, ...additions });
}

/** A value as text: its own form in its language. */
function textOfValue({ text, json, repr }: Run["results"][number]): string {
  return text ?? (typeof repr === "string" ? repr : JSON.stringify(json));
}

function smallerResult(run: Run, texts: Texts): CallToolResult {
  const less = smallerRun(run);
  return resultOf({ ...less, logs: run.logs }, less, { ...texts, withResources: false });
}

interface Texts extends Additions {
  /** The value of the run as text. */
  readonly value?: string | undefined;
}

interface ResultOptions extends Texts {
  readonly withResources: boolean;
}

/** The result with the text of one run and the data of another. */
function resultOf(
  shownRun: Run,
  run: Run,
  { withResources: withResource, output, ...texts }: ResultOptions,
): CallToolResult {
  const shown = (run.displays ?? [])
    .map((display, index) => displayBlocks(display, index + 1, { withResource }));
  const structuredContent = run.displays === undefined
    ? run
    : { ...run, displays: shown.map(({ rest }) => rest) };
  const text = textOf(shownRun, shown.map(({ text }) => text), texts);
  return {
    content: [
      {
        type: "text",
        text: output === undefined ? shortened(text) : shortened(text, adviceOf(output)),
      },
      ...shown.flatMap(({ images }) => images),
      ...shown.flatMap(({ resources }) => resources),
    ],
    structuredContent,
    ...(run.error === undefined ? {} : { isError: true }),
  };
}

function textOf(
  run: Run,
  displays: readonly string[],
  { value, note }: Pick<Texts, "value" | "note">,
): string {
  const { logs: { stdout, stderr }, error, context, waiting } = run;
  const parts = [
    stdout.join("\n"),
    section("stderr", stderr.join("\n")),
    ...displays,
    value === undefined ? "" : section("result", value),
    error === undefined ? "" : section("error", errorOf(error)),
    context?.rolledBack === true ? "[note] Variables and files are as before this run." : "",
    note === undefined ? "" : `[note] ${note}`,
    waiting === undefined ? "" : section("waiting", waitingText(waiting)),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "[no output]" : parts.join("\n");
}

function adviceOf(output: OutputFile): string {
  return "path" in output
    ? `The whole output is in ${output.path}: read parts of it`
    : `The whole output could not be stored (${output.refusedWith}). ${WRITE_FILES}`;
}

function section(name: string, text: string): string {
  return text === "" ? "" : `[${name}]\n${text}`;
}

function errorOf({ name, message, traceback }: NonNullable<Run["error"]>): string {
  const trace = traceback.join("\n");
  if (trace.includes(message) && trace.includes(name)) return trace;
  return [message === "" ? name : `${name}: ${message}`, trace].filter(Boolean).join("\n");
}
