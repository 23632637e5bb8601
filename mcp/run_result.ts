/**
 * Converts the result of a run to the result of a tool: text for the model, then images, and the
 * whole result as structured content.
 *
 * @module
 */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { fits } from "./message_size.ts";
import { shortened } from "./results.ts";
import type { Run, RunDisplay } from "./run_schemas.ts";
import { smallerRun } from "./smaller_run.ts";

/** The media types of image blocks. SVG is sent as text. */
const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** The forms of a display that a model can read, best first. */
const TEXT_TYPES: readonly string[] = [
  "text/markdown",
  "text/plain",
  "text/latex",
  "text/html",
  "image/svg+xml",
];

/** Makes the result. `note`: an additional text for the model. */
export function runResult(execution: Run, note?: string): CallToolResult {
  const { code: _code, ...run } = execution;
  const whole = resultOf(run, run, note);
  if (fits(whole)) return whole;
  const less = smallerRun(run);
  return resultOf({ ...less, logs: run.logs }, less, note);
}

/** The result with the text of one run and the data of another. */
function resultOf(told: Run, run: Run, note: string | undefined): CallToolResult {
  const shown = (run.displays ?? []).map(withoutImages);
  const images = shown.flatMap(({ images }) => images);
  const structuredContent = run.displays === undefined
    ? run
    : { ...run, displays: shown.map(({ display }) => display) };
  return {
    content: [{ type: "text", text: shortened(textOf(told, note)) }, ...images],
    structuredContent,
    ...(run.error === undefined ? {} : { isError: true }),
  };
}

interface ShownDisplay {
  readonly display: RunDisplay;
  readonly images: readonly ContentBlock[];
}

function withoutImages(display: RunDisplay): ShownDisplay {
  const images: ContentBlock[] = [];
  const rest: [string, unknown][] = [];
  for (const [type, data] of Object.entries(display.data)) {
    if (IMAGE_TYPES.includes(type) && typeof data === "string" && isBase64(data)) {
      images.push({ type: "image", data, mimeType: type });
    } else rest.push([type, data]);
  }
  return { display: { ...display, data: Object.fromEntries(rest) }, images };
}

/** Clients refuse a whole result if one image is not base64. */
function isBase64(text: string): boolean {
  return text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function textOf(run: Run, note: string | undefined): string {
  const { logs: { stdout, stderr }, results: [result], error, context } = run;
  const parts = [
    stdout.join("\n"),
    section("stderr", stderr.join("\n")),
    ...(run.displays ?? []).map((display) => section("display", displayText(display))),
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

/** A display of the last expression's value is also in `results`. */
function displayText({ data, main }: RunDisplay): string {
  const types = Object.keys(data);
  if (types.some((type) => IMAGE_TYPES.includes(type)) || main === true) return "";
  const best = TEXT_TYPES.find((type) => typeof data[type] === "string");
  return best === undefined ? JSON.stringify(data) : String(data[best]);
}

function errorOf({ name, message, traceback }: NonNullable<Run["error"]>): string {
  const trace = traceback.join("\n");
  if (trace.includes(message) && trace.includes(name)) return trace;
  return [message === "" ? name : `${name}: ${message}`, trace].filter(Boolean).join("\n");
}
