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
  const { code: _code, results, ...rest } = execution;
  const run = { ...rest, results: results.map(({ repr: _repr, ...entry }) => entry) };
  const value = results[0] && textOfValue(results[0]);
  if (isTooLong(run)) return smallerResult(run, { value, note });
  const whole = resultOf(run, run, { value, note, withResources: true });
  if (fits(whole)) return whole;
  // the data of displays is in the structured content, too
  const once = resultOf(run, run, { value, note, withResources: false });
  if (fits(once)) return once;
  return smallerResult(run, { value, note });
}

/** A value as text: its own form in its language. */
function textOfValue({ text, json, repr }: Run["results"][number]): string {
  return text ?? (typeof repr === "string" ? repr : JSON.stringify(json));
}

function smallerResult(run: Run, additions: Pick<ResultOptions, "value" | "note">): CallToolResult {
  const less = smallerRun(run);
  return resultOf({ ...less, logs: run.logs }, less, { ...additions, withResources: false });
}

interface ResultOptions {
  /** The value of the run as text. */
  readonly value: string | undefined;
  readonly note: string | undefined;
  readonly withResources: boolean;
}

/** The result with the text of one run and the data of another. */
function resultOf(
  shownRun: Run,
  run: Run,
  { value, note, withResources: withResource }: ResultOptions,
): CallToolResult {
  const shown = (run.displays ?? [])
    .map((display, index) => displayBlocks(display, index + 1, { withResource }));
  const structuredContent = run.displays === undefined
    ? run
    : { ...run, displays: shown.map(({ rest }) => rest) };
  const text = textOf(shownRun, shown.map(({ text }) => text), { value, note });
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

function textOf(
  run: Run,
  displays: readonly string[],
  { value, note }: Pick<ResultOptions, "value" | "note">,
): string {
  const { logs: { stdout, stderr }, error, context } = run;
  const parts = [
    stdout.join("\n"),
    section("stderr", stderr.join("\n")),
    ...displays,
    value === undefined ? "" : section("result", value),
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
