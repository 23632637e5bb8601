/**
 * Splits a form (`multipart/form-data`, RFC 7578) into its parts while it arrives. Of a part, no more
 * than a chunk is in memory.
 *
 * @module
 */
import { validationFailed } from "../../shared/errors.ts";
import { joinBytes } from "../../shared/join_bytes.ts";

/** Longest header of a part, in bytes. */
const HEADER_BYTES = 16 * 1024;
/** Longest padding after a delimiter, in bytes. */
const PADDING_BYTES = 1_024;
const LINE_BREAK = new TextEncoder().encode("\r\n");
const END_OF_HEADER = new TextEncoder().encode("\r\n\r\n");
const HYPHEN = 45;

type Bytes = Uint8Array<ArrayBuffer>;

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  /** Absent for a field. */
  readonly filename?: string;
  /** The content. What is not read of it is skipped with the next part. */
  readonly content: AsyncGenerator<Bytes, void>;
}

/**
 * The parts of a form, in order.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for a malformed form, with 413 for one with too many
 * parts; what the chunks throw.
 */
export async function* formParts(
  chunks: AsyncIterator<Bytes, void>,
  boundary: string,
  maxParts: number,
): AsyncGenerator<FormPart, void> {
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  const window = new Window(chunks);
  await skip(window.contentUntil(delimiter));
  for (let parts = 0; await window.hasPart();) {
    if (++parts > maxParts) throw validationFailed(`The form has more than ${maxParts} parts`, 413);
    const header = new TextDecoder().decode(await window.header());
    const content = window.contentUntil(delimiter);
    yield { ...partOf(header), content };
    await skip(content);
  }
}

/** The error for a malformed form. */
export function malformedForm(): Error {
  return validationFailed("The body is not a form");
}

async function skip(content: AsyncIterable<Bytes>): Promise<void> {
  for await (const _ of content);
}

/** The bytes of a form that were read and belong to no part yet. */
class Window {
  readonly #chunks: AsyncIterator<Bytes, void>;
  /** The line break that may precede the first delimiter is there already. */
  #bytes: Bytes = LINE_BREAK;

  constructor(chunks: AsyncIterator<Bytes, void>) {
    this.#chunks = chunks;
  }

  /** Yields the bytes before a delimiter, and moves behind it. */
  async *contentUntil(delimiter: Bytes): AsyncGenerator<Bytes, void> {
    for (;;) {
      const at = delimiterIn(this.#bytes, delimiter);
      const end = at ?? Math.max(0, this.#bytes.length - delimiter.length - 1);
      const content = this.#bytes.subarray(0, end);
      this.#bytes = this.#bytes.subarray(end + (at === undefined ? 0 : delimiter.length));
      if (content.length > 0) yield content;
      if (at !== undefined) return;
      await this.#more();
    }
  }

  /** The header of a part, without the line break that precedes it. Moves behind the header. */
  async header(): Promise<Bytes> {
    const end = await this.#find(END_OF_HEADER, HEADER_BYTES);
    const header = this.#bytes.subarray(Math.min(2, end), end);
    this.#bytes = this.#bytes.subarray(end + END_OF_HEADER.length);
    return header;
  }

  /** After a delimiter: whether a part begins. Moves to the line break before its header. */
  async hasPart(): Promise<boolean> {
    while (this.#bytes.length < 2) await this.#more();
    if (this.#bytes[0] === HYPHEN && this.#bytes[1] === HYPHEN) return false;
    this.#bytes = this.#bytes.subarray(await this.#find(LINE_BREAK, PADDING_BYTES));
    return true;
  }

  /** Where a text begins, within a length. */
  async #find(text: Bytes, maxBytes: number): Promise<number> {
    for (let from = 0;;) {
      const at = indexOf(this.#bytes, text, from);
      if (at !== -1 && at <= maxBytes) return at;
      if (at !== -1 || this.#bytes.length > maxBytes + text.length) throw malformedForm();
      from = Math.max(0, this.#bytes.length - text.length + 1);
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw malformedForm();
    this.#bytes = this.#bytes.length === 0 ? value : joinBytes([this.#bytes, value]);
  }
}

/** The first delimiter that is followed by two more bytes, as a delimiter is. */
function delimiterIn(bytes: Bytes, delimiter: Bytes): number | undefined {
  for (let from = 0;;) {
    const at = indexOf(bytes, delimiter, from);
    const after = at + delimiter.length;
    if (at === -1 || bytes.length < after + 2) return undefined;
    const [first, second] = bytes.subarray(after, after + 2);
    if (first === HYPHEN && second === HYPHEN) return at;
    if (first === 32 || first === 9 || (first === 13 && second === 10)) return at;
    from = after;
  }
}

/** Where a text begins, from an index on; -1: nowhere. */
function indexOf(bytes: Bytes, text: Bytes, from: number): number {
  const [first = 0] = text;
  const last = bytes.length - text.length;
  for (let at = bytes.indexOf(first, from); at !== -1 && at <= last;) {
    let same = 1;
    while (same < text.length && bytes[at + same] === text[same]) same++;
    if (same === text.length) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return -1;
}

/** Reads the header of a part, of which only `Content-Disposition` counts. */
function partOf(header: string): { readonly name: string; readonly filename?: string } {
  const line = header.split("\r\n").find((line) => /^content-disposition:/i.test(line)) ?? "";
  const parameters = new Map(segmentsOf(line).map(parameterOf));
  const name = parameters.get("name") ?? "";
  const filename = parameters.get("filename");
  return filename === undefined ? { name } : { name, filename };
}

/** Splits a header field at its semicolons, except for those in quotes. */
function segmentsOf(line: string): readonly string[] {
  const segments: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (char === "\\" && isQuoted) at++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === ";" && !isQuoted) {
      segments.push(line.slice(start, at));
      start = at + 1;
    }
  }
  return [...segments, line.slice(start)];
}

function parameterOf(segment: string): readonly [name: string, value: string] {
  const at = segment.indexOf("=");
  const value = segment.slice(at + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  const name = segment.slice(0, Math.max(0, at)).trim().toLowerCase();
  return [name, isQuoted ? unescaped(value.slice(1, -1)) : value];
}

/** Browsers escape quotes and line breaks with percent signs, other senders with backslashes. */
function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, "$1")
    .replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}
