/**
 * A run as the lines that E2B's SDKs read.
 *
 * @module
 */
import { NDJSON, type OutputEvent } from "../../client/protocol/run_events.ts";
import type { Display } from "../../client/protocol/types.ts";
import { parseExactJson } from "../../shared/exact_json.ts";
import { lineListener } from "../../shared/run_listener.ts";
import { failureSchema, resultSchema } from "../../shared/run_schemas.ts";
import type { StreamEncoding } from "../../shared/streamed_run.ts";
import { displayForms, type Forms, valueForms } from "./result_forms.ts";

const END_LINE = { type: "end_of_execution" };
/** Timestamps are nanoseconds. */
const NS_PER_MS = 1_000_000;

const NOTHING = new Uint8Array();

/** The lines of one run. */
export class RunLines implements StreamEncoding {
  readonly mediaType = NDJSON;
  /** Epoch milliseconds. */
  readonly #now: () => number;
  readonly #encoder = new TextEncoder();
  readonly #lines = lineListener((event) => {
    if (event.type === "stdout" || event.type === "stderr") this.#addOutput(event);
    else if (event.type === "display") this.#add(displayLines(event.display));
  });
  /** The text of lines that are not sent yet. */
  #text = "";

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(): Uint8Array {
    return NOTHING;
  }

  output(stream: OutputEvent["type"], bytes: Uint8Array): Uint8Array {
    this.#lines.listener.output(stream, bytes);
    return this.#take();
  }

  display(display: Display): Uint8Array {
    this.#lines.listener.display(display);
    return this.#take();
  }

  keepalive(): Uint8Array {
    this.#add([{ type: "keepalive" }]);
    return this.#take();
  }

  *end(status: number, body: Uint8Array): Generator<Uint8Array> {
    this.#lines.end();
    yield this.#take();
    const json = new TextDecoder().decode(body);
    const lines = status === 200 ? endLines(parseExactJson(json)) : failureLines(JSON.parse(json));
    yield NOTHING; // reading a long answer is a step of its own
    this.#add(lines);
    yield this.#take();
  }

  #addOutput({ type, text }: OutputEvent): void {
    this.#add([{ type, text: `${text}\n`, timestamp: this.#now() * NS_PER_MS }]);
  }

  #add(lines: readonly unknown[]): void {
    for (const line of lines) this.#text += `${JSON.stringify(line)}\n`;
  }

  #take(): Uint8Array {
    if (this.#text === "") return NOTHING;
    const bytes = this.#encoder.encode(this.#text);
    this.#text = "";
    return bytes;
  }
}

/** The value of the last expression comes with the end. */
function displayLines({ data, main }: Display): readonly unknown[] {
  return main ? [] : [resultLine(displayForms(data), false)];
}

function endLines(told: unknown): readonly unknown[] {
  const { language, results: [value], displays = [], error, executionCount } = resultSchema
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
