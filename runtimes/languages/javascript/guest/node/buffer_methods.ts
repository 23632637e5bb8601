/**
 * The methods of Node's `Buffer` that compare, copy, slice, and convert between bytes and text.
 *
 * @module
 */
import { INSPECT, type Inspect } from "../web/expose.ts";
import { invalidArgument, nodeError, outOfRange } from "../web/node_error.ts";
import { type Encoding, findEncoding, requireEncoding, UTF8 } from "./buffer_encodings.ts";
import type { Methods } from "./buffer_numbers.ts";

/** Bytes of a buffer that `console.log` shows. */
export const INSPECT_MAX_BYTES = 50;

const subarrayOf = Uint8Array.prototype.subarray;
const apply = Reflect.apply;

/** Makes a buffer over the memory of another view. */
export type Wrap = (buffer: ArrayBufferLike, offset: number, length: number) => Uint8Array;

/** Order of two byte sequences. */
export function compareBytes(left: Uint8Array, right: Uint8Array): -1 | 0 | 1 {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const [a, b] = [left[i] ?? 0, right[i] ?? 0];
    if (a !== b) return a < b ? -1 : 1;
  }
  return left.length === right.length ? 0 : left.length < right.length ? -1 : 1;
}

function bytesArgument(name: string, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw invalidArgument(name, "an instance of Buffer or Uint8Array", value);
}

function position(name: string, value: unknown, fallback: number, greatest: number): number {
  if (value === undefined) return fallback;
  const number = Math.trunc(+(value as number)) || 0;
  if (number < 0 || number > greatest) throw outOfRange(name, `>= 0 && <= ${greatest}`, value);
  return number;
}

/** A part of a view, as a plain view. */
function part(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + start, Math.max(end - start, 0));
}

function toText(bytes: Uint8Array, encodingName: unknown, from: unknown, to: unknown): string {
  const { length } = bytes;
  const start = Math.max(Math.trunc(+(from as number)) || 0, 0);
  const end = to === undefined ? length : Math.min(Math.trunc(+(to as number)) || 0, length);
  if (start >= length || end <= start) return "";
  return requireEncoding(encodingName).decode(part(bytes, start, end));
}

function write(bytes: Uint8Array, text: unknown, args: readonly unknown[]): number {
  if (typeof text !== "string") {
    throw nodeError(TypeError, "ERR_INVALID_ARG_TYPE", "argument must be a string");
  }
  let [offset, length, name] = args;
  if (typeof offset === "string") [offset, length, name] = [undefined, undefined, offset];
  else if (typeof length === "string") [length, name] = [undefined, length];
  const start = position("offset", offset, 0, bytes.length);
  const room = bytes.length - start;
  const limit = length === undefined
    ? room
    : Math.min(position("length", length, room, 2 ** 31), room);
  return requireEncoding(name).write(text, part(bytes, start, start + limit));
}

function copy(source: Uint8Array, target: unknown, args: readonly unknown[]): number {
  const to = bytesArgument("target", target);
  const toStart = Math.trunc(+(args[0] as number)) || 0;
  if (toStart < 0) throw outOfRange("targetStart", ">= 0", args[0]);
  const start = position("sourceStart", args[1], 0, source.length);
  const end = args[2] === undefined ? source.length : Math.trunc(+(args[2] as number)) || 0;
  if (end < 0) throw outOfRange("sourceEnd", ">= 0", args[2]);
  if (toStart >= to.length || start >= end) return 0;
  const count = Math.min(end, source.length, start + to.length - toStart) - start;
  to.set(part(source, start, start + count), toStart);
  return count;
}

function swap(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length % size !== 0) {
    const message = `Buffer size must be a multiple of ${8 * size}-bits`;
    throw nodeError(RangeError, "ERR_INVALID_BUFFER_SIZE", message);
  }
  for (let at = 0; at < bytes.length; at += size) part(bytes, at, at + size).reverse();
  return bytes;
}

function compare(bytes: Uint8Array, target: unknown, args: readonly unknown[]): number {
  const other = bytesArgument("target", target);
  const start = position("targetStart", args[0], 0, 2 ** 53);
  const end = position("targetEnd", args[1], other.length, other.length);
  const ownStart = position("sourceStart", args[2], 0, 2 ** 53);
  const ownEnd = position("sourceEnd", args[3], bytes.length, bytes.length);
  if (ownStart >= ownEnd) return start >= end ? 0 : -1;
  if (start >= end) return 1;
  return compareBytes(part(bytes, ownStart, ownEnd), part(other, start, end));
}

/** Own properties besides the bytes, which a console shows after the bytes. */
function extras(bytes: Uint8Array, options: object, inspect: Inspect): string {
  const keys = Object.keys(bytes).filter((key) => !/^\d+$/.test(key));
  return keys.map((key) => `, ${key}: ${inspect(Reflect.get(bytes, key), options)}`).join("");
}

function inspectBytes(bytes: Uint8Array, options: unknown, inspect: unknown): string {
  const shown = part(bytes, 0, Math.min(bytes.length, INSPECT_MAX_BYTES));
  const pairs = Array.from(shown, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = bytes.length - shown.length;
  const more = rest > 0 ? ` ... ${rest} more byte${rest > 1 ? "s" : ""}` : "";
  const tail = typeof inspect === "function"
    ? extras(bytes, options as object, inspect as Inspect)
    : "";
  return `<${bytes.constructor?.name ?? "Buffer"} ${pairs}${more}${tail}>`;
}

/** `latin1Slice`, `hexWrite` and similar methods. */
function addEncodingMethods(methods: Methods): void {
  const names = ["ascii", "base64", "base64url", "latin1", "hex", "ucs2", "utf8"];
  for (const name of names) {
    const encoding: Encoding = findEncoding(name) ?? UTF8;
    methods[`${name}Slice`] = function (start: unknown, end: unknown) {
      return toText(this, encoding.name, start, end);
    };
    methods[`${name}Write`] = function (text: unknown, offset: unknown, length: unknown) {
      return write(this, text, [offset, length, encoding.name]);
    };
  }
}

/** The methods by name; `wrap` makes the results of `slice` and `subarray`. */
export function createMethods(wrap: Wrap): Methods {
  const cut = (bytes: Uint8Array, start: unknown, end: unknown) => {
    const { buffer, byteOffset, length } = apply(subarrayOf, part(bytes, 0, bytes.length), [
      start as number,
      end as number,
    ]);
    return wrap(buffer, byteOffset, length);
  };
  const methods: Methods = {
    copy(target: unknown, ...args: unknown[]) {
      return copy(this, target, args);
    },
    toString(this: Uint8Array, encoding: unknown, start: unknown, end: unknown) {
      return toText(this, encoding, start, end);
    },
    equals(other: unknown) {
      const bytes = bytesArgument("otherBuffer", other);
      return this === bytes || (this.length === bytes.length && compareBytes(this, bytes) === 0);
    },
    compare(target: unknown, ...args: unknown[]) {
      return compare(this, target, args);
    },
    write(text: unknown, ...args: unknown[]) {
      return write(this, text, args);
    },
    toJSON() {
      return { type: "Buffer", data: Array.from(this) };
    },
    subarray(start: unknown, end: unknown) {
      return cut(this, start, end);
    },
    slice(start: unknown, end: unknown) {
      return cut(this, start, end);
    },
    swap16() {
      return swap(this, 2);
    },
    swap32() {
      return swap(this, 4);
    },
    swap64() {
      return swap(this, 8);
    },
    inspect(_depth: unknown, options: unknown, inspect: unknown) {
      return inspectBytes(this, options, inspect);
    },
  };
  addEncodingMethods(methods);
  const { inspect, toString } = methods;
  if (toString !== undefined) methods["toLocaleString"] = toString;
  if (inspect !== undefined) Object.defineProperty(methods, INSPECT, { value: inspect });
  return methods;
}
