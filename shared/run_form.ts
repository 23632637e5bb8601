/**
 * The forms of a run's answer: one JSON object, or a stream of events in one of two media types
 * (docs/contract.md#streaming).
 *
 * @module
 */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import {
  EVENT_STREAM,
  type KeepaliveEvent,
  NDJSON,
  type NumberedEvent,
  type OutputEvent,
  type ProgramEvent,
  type RunEvent,
} from "../client/protocol/run_events.ts";
import type { Display } from "../client/protocol/types.ts";
import { lineListener } from "./run_listener.ts";
import {
  type ListenedRun,
  type StreamedRunOptions,
  type StreamEncoding,
  streamRun,
} from "./streamed_run.ts";

type StreamForm = typeof NDJSON | typeof EVENT_STREAM;

/** The streams, the preferred one first. */
const STREAM_FORMS: readonly StreamForm[] = [NDJSON, EVENT_STREAM];
const JSON_TYPE = "application/json";
/** Media ranges that allow JSON, the most specific first. A stream must be requested by its name. */
const ALLOWS_JSON: readonly string[] = [JSON_TYPE, "application/*", "*/*"];

const NOTHING = new Uint8Array();
/** Bytes of an answer that are decoded and encoded at a time. */
const PIECE_BYTES = 64 * 1024;

/** Answers a request for a run in the form that it asks for. Rejects with what the run throws. */
export async function answerRun(
  context: Context,
  options: StreamedRunOptions,
  run: ListenedRun,
): Promise<Response> {
  const { signal } = context.req.raw;
  const form = streamForm(context);
  if (form === undefined) return await run({ signal });
  return await streamRun(new EventEncoding(form), signal, options, run);
}

/** The stream that a request asks for; undefined when its answer is one JSON object. */
function streamForm(context: Context): StreamForm | undefined {
  const chosen = accepts(context, {
    header: "Accept",
    supports: [...STREAM_FORMS],
    default: JSON_TYPE,
    match: (accepted, config) => {
      const qualities = new Map(accepted.map(({ type, q }) => [type.toLowerCase(), q]));
      const allowing = ALLOWS_JSON.find((type) => qualities.has(type)) ?? JSON_TYPE;
      const json = qualities.get(allowing) ?? 0;
      let [best, quality] = [config.default, 0];
      for (const form of config.supports) {
        const q = qualities.get(form) ?? 0;
        if (q > quality && q >= json) [best, quality] = [form, q];
      }
      return best;
    },
  });
  return STREAM_FORMS.find((form) => form === chosen);
}

/** Events as text. */
class EventEncoding implements StreamEncoding {
  readonly mediaType: StreamForm;
  readonly #encoder = new TextEncoder();
  readonly #lines = lineListener((event) => this.#add(event));
  /** The text of events that are not sent yet. */
  #text = "";
  /** The position of the last event, in a run that can wait. */
  #last: number | undefined;

  constructor(form: StreamForm) {
    this.mediaType = form;
  }

  begin(): Uint8Array {
    this.#lines.listener.start();
    return this.#take();
  }

  output(stream: OutputEvent["type"], bytes: Uint8Array): Uint8Array {
    this.#lines.listener.output(stream, bytes);
    return this.#take();
  }

  display(display: Display): Uint8Array {
    this.#lines.listener.display(display);
    return this.#take();
  }

  event(event: NumberedEvent): Uint8Array {
    this.#last = event.id;
    this.#add(event);
    return this.#take();
  }

  keepalive(): Uint8Array {
    this.#add({ type: "keepalive" });
    return this.#take();
  }

  /** The value of the last event is the answer as it is, so that numbers keep their digits. */
  *end(status: number, body: Uint8Array): Generator<Uint8Array> {
    this.#lines.end();
    yield this.#take();
    const id = this.#last === undefined ? undefined : this.#last + 1;
    const [type, field] = status === 200
      ? ["end", "execution"] as const
      : ["failed", "error"] as const;
    const [before, after] = this.#frame(type, id);
    const decoder = new TextDecoder();
    this.#text = `${before}{"type":"${type}",${id === undefined ? "" : `"id":${id},`}"${field}":`;
    for (let at = 0; at < body.length; at += PIECE_BYTES) {
      this.#text += inOneLine(
        decoder.decode(body.subarray(at, at + PIECE_BYTES), { stream: true }),
      );
      yield this.#take();
    }
    this.#text += `}${after}`;
    yield this.#take();
  }

  #add(event: ProgramEvent | KeepaliveEvent): void {
    const [before, after] = this.#frame(event.type, "id" in event ? event.id : undefined);
    this.#text += before + inOneLine(JSON.stringify(event)) + after;
  }

  /** The text before and after the JSON of an event. */
  #frame(type: RunEvent["type"], id?: number): readonly [string, string] {
    if (this.mediaType === NDJSON) return ["", "\n"];
    const position = id === undefined ? "" : `id: ${id}\n`;
    return [`${position}event: ${type}\ndata: `, "\n\n"];
  }

  #take(): Uint8Array {
    if (this.#text === "") return NOTHING;
    const bytes = this.#encoder.encode(this.#text);
    this.#text = "";
    return bytes;
  }
}

/**
 * JSON as one line, also for readers that take any line break of Unicode for one. Between tokens,
 * JSON of another writer may contain `\r` and `\n`; the other breaks only occur in strings.
 */
function inOneLine(json: string): string {
  return json.replaceAll(/[\r\n]/g, " ").replaceAll(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
