/**
 * The events of a run as the lines that E2B's SDKs read.
 *
 * @module
 */
import { z } from "zod";
import { eventsOf, type StreamEvent } from "../../shared/run_event_reader.ts";
import { THREAD } from "../../shared/slices.ts";
import { displayForms, type Forms, valueForms } from "./result_forms.ts";

const displaySchema = z.object({
  data: z.record(z.string(), z.unknown()),
  main: z.boolean().optional(),
});
const executionSchema = z.object({
  language: z.string(),
  results: z.array(z.object({ text: z.string().optional(), json: z.unknown().optional() })),
  displays: z.array(displaySchema).optional(),
  error: z.object({
    name: z.string(),
    message: z.string(),
    traceback: z.array(z.string()),
  }).optional(),
  executionCount: z.number().optional(),
});
const failureSchema = z.object({ code: z.string(), message: z.string() });

const END_LINE = { type: "end_of_execution" };
/** Characters of lines from which on their encoding takes turns with other work. */
const LONG_LINES = 64 * 1024;
/** Timestamps are nanoseconds. */
const NS_PER_MS = 1_000_000;

/** How a stream of lines is made. */
export interface RunLinesOptions {
  /** Whose turns of the thread the work takes. */
  readonly tenant: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called when the reader disconnects. */
  readonly onGone: () => void;
}

/** The lines for the events of a stream. It is read only as fast as the lines are. */
export function runLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { tenant, now, onGone }: RunLinesOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const events = eventsOf(body, tenant);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await events.next();
        if (done) return controller.close();
        const lines = linesOf(value, now).map((line) => `${JSON.stringify(line)}\n`).join("");
        if (lines.length > LONG_LINES) await THREAD.next(tenant);
        if (lines !== "") return controller.enqueue(encoder.encode(lines));
      }
    },
    cancel: onGone,
  }, { highWaterMark: 0 });
}

function linesOf(event: StreamEvent, now: () => number): readonly unknown[] {
  switch (event.type) {
    case "stdout":
    case "stderr":
      return [{ type: event.type, text: `${event.text}\n`, timestamp: now() * NS_PER_MS }];
    case "display":
      return displayLines(event.display);
    case "keepalive":
      return [{ type: "keepalive" }];
    case "end":
      return endLines(event.execution);
    case "failed":
      return failureLines(event.error);
    default:
      return [];
  }
}

/** The value of the last expression comes with the end. */
function displayLines(told: unknown): readonly unknown[] {
  const { data, main = false } = displaySchema.parse(told);
  return main ? [] : [resultLine(displayForms(data), false)];
}

function endLines(told: unknown): readonly unknown[] {
  const { language, results: [value], displays = [], error, executionCount } = executionSchema
    .parse(told);
  const main = displays.find(({ main }) => main)?.data ?? {};
  const forms = {
    ...(value === undefined ? {} : valueForms(value, language)),
    ...displayForms(main),
  };
  return [
    ...(executionCount === undefined
      ? []
      : [{ type: "number_of_executions", execution_count: executionCount }]),
    ...(Object.keys(forms).length === 0 ? [] : [resultLine(forms, true)]),
    ...(error === undefined ? [] : [{
      type: "error",
      name: error.name,
      value: error.message,
      traceback: error.traceback.join("\n"),
    }]),
    END_LINE,
  ];
}

function resultLine(forms: Forms, isMain: boolean) {
  return { type: "result", extra: {}, ...forms, is_main_result: isMain };
}

function failureLines(told: unknown): readonly unknown[] {
  const { code, message } = failureSchema.parse(told);
  return [
    { type: "error", name: code, value: message, traceback: message },
    END_LINE,
  ];
}
