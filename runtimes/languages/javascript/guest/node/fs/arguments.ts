/**
 * The arguments of Node's `fs`, checked with Node's errors.
 *
 * @module
 */
import { inspectWith } from "../../inspect/inspect.ts";
import {
  ArrayBufferIsView,
  ArrayBufferPrototypeSlice,
  NumberIsInteger,
  ObjectPrototypeHasOwnProperty,
  StringPrototypeIncludes,
  StringPrototypeToLowerCase,
} from "../../primordials.ts";
import { decodeUtf8, encodeUtf8 } from "../../web/utf8.ts";
import { invalidArgument, nodeError, outOfRange } from "../../web/node_error.ts";
import { NAMED_FLAGS } from "./constants.ts";

const BINARY = "of type string or an instance of Buffer, TypedArray, or DataView";
const PATH = "of type string or an instance of Buffer or URL";
const MAX_DESCRIPTOR = 2 ** 31 - 1;
const UMASK = 0o022;

/** Node's encodings by all their names. */
const ENCODINGS: Readonly<Record<string, string>> = {
  "utf8": "utf8",
  "utf-8": "utf8",
  "ucs2": "utf16le",
  "ucs-2": "utf16le",
  "utf16le": "utf16le",
  "utf-16le": "utf16le",
  "latin1": "latin1",
  "binary": "latin1",
  "ascii": "ascii",
  "base64": "base64",
  "base64url": "base64url",
  "hex": "hex",
};

/** `ERR_INVALID_ARG_VALUE`. */
function invalidValue(name: string, why: string, value: unknown): Error {
  return nodeError(
    TypeError,
    "ERR_INVALID_ARG_VALUE",
    `The argument '${name}' ${why}. Received ${inspectWith(value)}`,
  );
}

/** A path: a string, a Buffer, or a `file:` URL. */
export function toPath(value: unknown, name = "path"): string {
  const path = typeof value === "string" ? value : pathOfObject(value, name);
  if (StringPrototypeIncludes(path, "\0")) {
    throw invalidValue(name, "must be a string, Uint8Array, or URL without null bytes", value);
  }
  return path;
}

function pathOfObject(value: unknown, name: string): string {
  if (value instanceof Uint8Array) return decodeUtf8(value);
  if (typeof value !== "object" || value === null || !("href" in value) || !("protocol" in value)) {
    throw invalidArgument(name, PATH, value);
  }
  if (value.protocol !== "file:") {
    throw nodeError(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  }
  return decodeURIComponent("pathname" in value ? `${value.pathname}` : "");
}

/** A descriptor. */
export function toDescriptor(value: unknown): number {
  return toInteger(value, "fd", 0, MAX_DESCRIPTOR);
}

/** A whole number within bounds. */
export function toInteger(
  value: unknown,
  name: string,
  min: number = Number.MIN_SAFE_INTEGER,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value !== "number") throw invalidArgument(name, "of type number", value);
  if (!NumberIsInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value);
  return value;
}

/** Flags of `open`, as a number. */
export function toFlags(value: unknown, fallback: string): number {
  const flags = value ?? fallback;
  if (typeof flags === "number") return toInteger(flags, "flags", 0, MAX_DESCRIPTOR);
  const number = typeof flags === "string" ? NAMED_FLAGS[flags] : undefined;
  if (number === undefined) throw invalidValue("flags", "is invalid", flags);
  return number;
}

/** Permission bits, given as a number or as octal digits. */
export function toMode(value: unknown, name = "mode"): number {
  if (typeof value === "number") return toInteger(value, name, 0, 2 ** 32 - 1);
  if (typeof value !== "string") throw invalidArgument(name, "of type number", value);
  const digits = /^[0-7]+$/.exec(value);
  if (digits === null) {
    throw invalidValue(name, "must be a 32-bit unsigned integer or an octal string", value);
  }
  return parseInt(value, 8);
}

/** Permission bits of a new entry, after the mask; undefined when none were given. */
export function toNewMode(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : toMode(value) & ~UMASK;
}

/** A time, in milliseconds: a Date, or seconds as a number or digits. */
export function toTime(value: unknown): number {
  if (typeof value === "object" && value instanceof Date) return value.getTime();
  const seconds = typeof value === "string" && value !== "" ? +value : value;
  if (typeof seconds === "number" && seconds === seconds && isFinite(seconds)) {
    return seconds * 1000;
  }
  throw invalidArgument("time", "an instance of Date or an Time in seconds", value);
}

/** A position in a file; null for the descriptor's own offset. */
export function toPosition(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return Number(value) < 0 ? null : Number(value);
  if (typeof value !== "number" || !NumberIsInteger(value)) {
    throw invalidArgument("position", "of type bigint or integer", value);
  }
  return value < 0 ? null : value;
}

/** Options that may be an encoding, an object, or nothing. */
export type Options = Readonly<Record<string, unknown>>;

/** Reads `options`, an object or an encoding alone, and checks the encoding. */
export function toOptions(value: unknown): Options {
  if (value === undefined || value === null || typeof value === "function") return {};
  const options = typeof value === "string" ? { encoding: value } : value;
  if (!isOptions(options)) {
    throw invalidArgument("options", "of type string or an instance of Object", value);
  }
  toEncoding(options.encoding);
  return options;
}

/** Options that must be an object. */
export function toObjectOptions(value: unknown): Options {
  if (value === undefined || value === null || typeof value === "function") return {};
  if (!isOptions(value)) throw invalidArgument("options", "of type object", value);
  return value;
}

function isOptions(value: unknown): value is Options {
  return typeof value === "object" && value !== null;
}

/** An encoding by its canonical name; undefined for none, and for `buffer`. */
export function toEncoding(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "" || value === "buffer") {
    return undefined;
  }
  const name = StringPrototypeToLowerCase(`${value}`);
  if (typeof value !== "string" || !ObjectPrototypeHasOwnProperty(ENCODINGS, name)) {
    throw invalidValue("encoding", "is invalid encoding", value);
  }
  return ENCODINGS[name];
}

/** A view of bytes that a call reads into or writes from. */
export function toView(value: unknown): ArrayBufferView<ArrayBuffer> {
  if (isView(value)) return value;
  throw invalidArgument("buffer", "an instance of Buffer, TypedArray, or DataView", value);
}

function isView(value: unknown): value is ArrayBufferView<ArrayBuffer> {
  return ArrayBufferIsView(value);
}

/** Data to write, as part of a request: text with its encoding, or bytes. */
export interface Payload {
  readonly fields: { readonly text?: string; readonly encoding?: string };
  readonly bytes: ArrayBuffer | undefined;
}

/** Data to write: a string, or a view of bytes. The host encodes text, which is far faster. */
export function toPayload(data: unknown, encoding: unknown, name = "data"): Payload {
  if (typeof data === "string") {
    return { fields: { text: data, encoding: toEncoding(encoding) ?? "utf8" }, bytes: undefined };
  }
  if (isView(data)) return { fields: {}, bytes: viewedBytes(data, 0, data.byteLength) };
  throw invalidArgument(name, BINARY, data);
}

/**
 * Some of a view's bytes, in their own buffer; the view's buffer itself when they are all of it.
 */
export function viewedBytes(
  view: ArrayBufferView<ArrayBuffer>,
  offset: number,
  length: number,
): ArrayBuffer {
  const { buffer, byteOffset } = view;
  const start = byteOffset + offset;
  if (start === 0 && length === buffer.byteLength) return buffer;
  return ArrayBufferPrototypeSlice(buffer, start, start + length);
}

/** The bytes of text in UTF-8. */
export function utf8Bytes(text: string): ArrayBuffer {
  return encodeUtf8(text).buffer;
}
