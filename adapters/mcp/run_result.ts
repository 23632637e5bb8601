/**
 * Converts the result of a run to the result of a tool: text for the model, then images and
 * other displays, and the whole result as structured content.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { displayBlocks } from "./display_blocks.ts";
import { fits } from "./message_size.ts";
import { shortened } from "./results.ts";
import type { Run } from "./run_schemas.ts";
import { isTooLong, smallerRun } from "./smaller_run.ts";

/** Makes the result. `note`: an additional text for the model. */
export function runResult(execution: Run, note?: string): CallToolResult {
  const { code: _code, ...run } = execution;
  if (isTooLong(run)) return smallerResult(run, note);
  const whole = resultOf(run, run, { note, withResources: true });
  if (fits(whole)) return whole;
  // the data of displays is in the structured content, too
  const once = resultOf(run, run, { note, withResources: false });
  if (fits(once)) return once;
  return smallerResult(run, note);
}

function smallerResult(run: Run, note: string | undefined): CallToolResult {
  const less = smallerRun(run);
  return resultOf({ ...less, logs: run.logs }, less, { note, withResources: false });
}

interface ResultOptions {
  readonly note: string | undefined;
  readonly withResources: boolean;
}

/** The result with the text of one run and the data of another. */
function resultOf(
  shownRun: Run,
  run: Run,
  { note, withResources: withResource }: ResultOptions,
): CallToolResult {
  const shown = (run.displays ?? [])
    .map((display, index) => displayBlocks(display, index + 1, { withResource }));
  const structuredContent = run.displays === undefined
    ? run
    : { ...run, displays: shown.map(({ rest }) => rest) };
  const text = textOf(shownRun, shown.map(({ text }) => text), note);
  return {
    content: [
      { type: "text", text: shortened(text) },
      ...shown.flatMap(({ images }) => images),
      ...shown.flatMap(({ resources }) => resources),
    ],
    structuredContent,
    ...(run.error === undefined ? {} : { isError: true }),
  };
}

function textOf(run: Run, displays: readonly string[], note: string | undefined): string {
  const { logs: { stdout, stderr }, results: [result], error, context } = run;
  const parts = [
    stdout.join("\n"),
    section("stderr", stderr.join("\n")),
    ...displays,
    result === undefined ? "" : section("result", result.text ?? JSON.stringify(result.json)),
    error === undefined ? "" : section("error", errorOf(error)),
    context?.rolledBack === true ? "[note] Variables and files are as before this run." : "",
    note === undefined ? "" : `[note] ${note}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "[no output]" : parts.join("\n");
}

function section(name: string, text: string): string {
  return text === "" ? "" : `[${name}]\n${text}`;
}

function errorOf({ name, message, traceback }: NonNullable<Run["error"]>): string {
  const trace = traceback.join("\n");
  if (trace.includes(message) && trace.includes(name)) return trace;
  return [message === "" ? name : `${name}: ${message}`, trace].filter(Boolean).join("\n");
}
