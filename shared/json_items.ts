/**
 * Reads a long list in JSON item by item, so that neither its whole text nor all its values are in memory
 * at once, and the reader pauses in between.
 *
 * @module
 */
import type { JsonObject } from "./read_body.ts";

/** A quotation mark or a brace. */
const MARK = /["{}]/g;

/** An object of the service's own whose field is an array of objects; other fields are small. */
export class JsonItems implements AsyncIterable<unknown> {
  readonly #body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #start: string;
  readonly #pause: () => Promise<void>;
  /** The text without the items. */
  #rest = "";

  /** `pause` is awaited for each item. */
  constructor(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    field: string,
    pause: () => Promise<void>,
  ) {
    this.#body = body;
    this.#start = `"${field}":[`;
    this.#pause = pause;
  }

  /** The object with an empty array in the field, once all items are read. */
  get rest(): JsonObject {
    return JSON.parse(this.#rest);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    let text = "";
    let [inItems, isOver] = [false, false];
    for await (const piece of this.#body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      let at = 0;
      if (!inItems && !isOver) {
        // no string contains this text, because its quotation marks are escaped there
        const start = text.indexOf(this.#start);
        if (start === -1) continue;
        at = start + this.#start.length;
        this.#rest = text.slice(0, at);
        inItems = true;
      }
      while (inItems) {
        if (text[at] === ",") at++;
        if (text[at] === "]") [inItems, isOver] = [false, true];
        const end = text[at] === "{" ? endOfObject(text, at) : -1;
        if (end === -1) break;
        yield JSON.parse(text.slice(at, end));
        at = end;
        await this.#pause();
      }
      text = text.slice(at);
    }
    this.#rest += text;
  }
}

/** The index after an object, or -1 if its end has not been read. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start;;) {
    MARK.lastIndex = at;
    const mark = MARK.exec(text);
    if (mark === null) return -1;
    at = mark[0] === '"' ? endOfString(text, mark.index) : mark.index + 1;
    if (at === 0) return -1;
    if (mark[0] === "{") depth++;
    if (mark[0] === "}" && --depth === 0) return at;
  }
}

/** The index after a string, or 0 if its end has not been read. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1;) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return 0;
}
