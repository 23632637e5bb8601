/**
 * `TextDecoder` of the Encoding Standard, for UTF-8, UTF-16 and windows-1252, which the labels
 * `latin1` and `ascii` mean. Other encodings are a RangeError, as in a Node without ICU.
 *
 * @module
 */
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { invalidArgument, nodeError } from "./node_error.ts";
import {
  bytesToBinary,
  concatenate,
  decodeUtf8,
  incompleteTail,
  InvalidUtf8,
  unitsToText,
} from "./utf8.ts";

const LABELS: Readonly<Record<string, string>> = {
  "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
  "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
  "utf-16be": "unicodefffe utf-16be",
  "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 " +
    "iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
};

/** The characters of windows-1252 for the bytes 0x80 to 0x9f. */
const WINDOWS_1252 = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039" +
  "\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a" +
  "\u0153\x9d\u017e\u0178";

function encodingOf(label: string): string {
  const wanted = label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "").toLowerCase();
  for (const name of Object.keys(LABELS)) {
    if (LABELS[name]?.split(" ").includes(wanted)) return name;
  }
  throw nodeError(
    RangeError,
    "ERR_ENCODING_NOT_SUPPORTED",
    `The "${label}" encoding is not supported`,
  );
}

function viewBytes(input: unknown): Uint8Array {
  if (input === undefined) return new Uint8Array(0);
  if (input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) {
    return new Uint8Array(input);
  }
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  throw nodeError(
    TypeError,
    "ERR_INVALID_ARG_TYPE",
    'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.',
  );
}

function decodeWindows1252(bytes: Uint8Array): string {
  return bytesToBinary(bytes).replace(
    /[\x80-\x9f]/g,
    (unit) => WINDOWS_1252[unit.charCodeAt(0) - 0x80] ?? unit,
  );
}

function decodeUtf16(bytes: Uint8Array, bigEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >> 1;
  const units: number[] = [];
  for (let i = 0; i < count; i++) units[i] = view.getUint16(2 * i, !bigEndian);
  return unitsToText(units, count);
}

/** Incomplete UTF-16 at the end of a piece: an odd byte, a high surrogate. */
function incompleteUtf16(bytes: Uint8Array, bigEndian: boolean): number {
  const odd = bytes.length & 1;
  const high = bytes[bytes.length - odd - (bigEndian ? 2 : 1)] ?? 0;
  return high >= 0xd8 && high <= 0xdb ? odd + 2 : odd;
}

/** Decodes bytes as text. */
export class TextDecoder {
  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  #pending: Uint8Array = new Uint8Array(0);
  #started = false;

  constructor(label: unknown = "utf-8", options: unknown = undefined) {
    this.#encoding = encodingOf(`${label}`);
    if (options !== undefined && options !== null && typeof options !== "object") {
      throw invalidArgument("options", "of type object", options);
    }
    const flags = (options ?? {}) as { fatal?: unknown; ignoreBOM?: unknown };
    this.#fatal = Boolean(flags.fatal);
    this.#ignoreBom = Boolean(flags.ignoreBOM);
  }

  get encoding(): string {
    return this.#encoding;
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }

  decode(input: unknown = undefined, options: unknown = undefined): string {
    const stream = Boolean((options as { stream?: unknown } | null | undefined)?.stream);
    const bytes = concatenate(this.#pending, viewBytes(input));
    const keep = stream ? this.#incomplete(bytes) : 0;
    const now = bytes.subarray(0, bytes.length - keep);
    this.#pending = bytes.slice(bytes.length - keep);
    const first = !this.#started;
    this.#started = stream && (this.#started || now.length > 0);
    const text = this.#decodeAll(now, bytes);
    return first && !this.#ignoreBom && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  #incomplete(bytes: Uint8Array): number {
    if (this.#encoding === "utf-8") return incompleteTail(bytes);
    if (this.#encoding === "windows-1252") return 0;
    return incompleteUtf16(bytes, this.#encoding === "utf-16be");
  }

  #decodeAll(bytes: Uint8Array, all: Uint8Array): string {
    try {
      if (this.#encoding === "utf-8") return decodeUtf8(bytes, this.#fatal);
      if (this.#encoding === "windows-1252") return decodeWindows1252(bytes);
      return this.#decodeUtf16(bytes);
    } catch (error) {
      if (!(error instanceof InvalidUtf8)) throw error;
      this.#pending = all.slice(all.length);
      this.#started = false;
      throw nodeError(
        TypeError,
        "ERR_ENCODING_INVALID_ENCODED_DATA",
        `The encoded data was not valid for encoding ${this.#encoding}`,
      );
    }
  }

  #decodeUtf16(bytes: Uint8Array): string {
    const text = decodeUtf16(bytes, this.#encoding === "utf-16be");
    const odd = (bytes.length & 1) === 1;
    if (this.#fatal && (odd || !text.isWellFormed())) throw new InvalidUtf8();
    return text.toWellFormed() + (odd ? "\ufffd" : "");
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    const fields = { encoding: this.encoding, fatal: this.fatal, ignoreBOM: this.ignoreBOM };
    return inspectAs(this, "TextDecoder", fields, args);
  }
}

/** Sets the name of the class that guests see. */
export function exposeTextDecoder(): void {
  exposeInterface(TextDecoder, "TextDecoder");
}
