/**
 * `indexOf`, `lastIndexOf`, `includes` and `fill` of Node's `Buffer`.
 *
 * @module
 */
import { invalidArgument, nodeError, outOfRange } from "../web/node_error.ts";
import { requireEncoding, UTF8 } from "./buffer_encodings.ts";
import type { Methods } from "./buffer_numbers.ts";

const indexOfByte = Uint8Array.prototype.indexOf;
const fillBytes = Uint8Array.prototype.fill;

/** The bytes to search for, and the step between positions where a match may begin. */
interface Needle {
  readonly bytes: Uint8Array;
  readonly step: number;
}

function readNeedle(value: unknown, encodingName: unknown): Needle {
  if (typeof value === "number") return { bytes: Uint8Array.of(value), step: 1 };
  const encoding = requireEncoding(encodingName);
  const step = encoding.name === "utf16le" ? 2 : 1;
  if (typeof value === "string") return { bytes: encoding.encode(value), step };
  if (value instanceof Uint8Array) return { bytes: value, step };
  const expected = "one of type number or string or an instance of Buffer or Uint8Array";
  throw invalidArgument("value", expected, value);
}

/** The first position to search; -1 when there is none. */
function startOf(length: number, offset: number, needleLength: number, forward: boolean): number {
  if (offset < 0) {
    if (offset + length >= 0) return offset + length;
    return forward || needleLength === 0 ? 0 : -1;
  }
  if (offset + needleLength <= length) return offset;
  if (needleLength === 0) return length;
  return forward ? -1 : length - 1;
}

function matches(bytes: Uint8Array, needle: Uint8Array, at: number): boolean {
  for (let i = 0; i < needle.length; i++) if (bytes[at + i] !== needle[i]) return false;
  return true;
}

function searchForward(bytes: Uint8Array, { bytes: needle, step }: Needle, start: number): number {
  const last = bytes.length - needle.length;
  const first = needle[0] ?? 0;
  for (let at = start; at <= last; at += step) {
    if (step === 1) at = Reflect.apply(indexOfByte, bytes, [first, at]);
    if (at < 0 || at > last) return -1;
    if (matches(bytes, needle, at)) return at;
  }
  return -1;
}

function searchBackward(bytes: Uint8Array, { bytes: needle, step }: Needle, start: number): number {
  const last = Math.min(start, bytes.length - needle.length);
  for (let at = last - last % step; at >= 0; at -= step) {
    if (matches(bytes, needle, at)) return at;
  }
  return -1;
}

function search(
  bytes: Uint8Array,
  value: unknown,
  from: unknown,
  encoding: unknown,
  forward: boolean,
): number {
  const named = typeof from === "string" ? from : encoding;
  const offset = typeof from === "string" ? NaN : +(from as number);
  const needle = readNeedle(value, named);
  const whole = Number.isNaN(offset) ? (forward ? 0 : bytes.length) : Math.trunc(offset);
  const start = startOf(bytes.length, whole, needle.bytes.length, forward);
  if (needle.bytes.length === 0 || start < 0) return start;
  return forward ? searchForward(bytes, needle, start) : searchBackward(bytes, needle, start);
}

function checkPosition(name: string, value: unknown, greatest: number): number {
  if (typeof value !== "number") throw invalidArgument(name, "of type number", value);
  if (!Number.isInteger(value) || value < 0 || value > greatest) {
    throw outOfRange(name, `>= 0 && <= ${greatest}`, value);
  }
  return value;
}

function fillWith(target: Uint8Array, pattern: Uint8Array, value: unknown): void {
  if (pattern.length === 0 && target.length > 0) {
    const shown = typeof value === "string" ? `'${value}'` : "[]";
    const message = `The argument 'value' is invalid. Received ${shown}`;
    throw nodeError(TypeError, "ERR_INVALID_ARG_VALUE", message);
  }
  const first = Math.min(pattern.length, target.length);
  target.set(pattern.subarray(0, first));
  for (let done = first; done < target.length; done *= 2) target.copyWithin(done, 0, done);
}

function fill(
  bytes: Uint8Array,
  value: unknown,
  offset: unknown,
  end: unknown,
  encodingName: unknown,
): void {
  let [from, to, name] = [offset, end, encodingName];
  if (typeof from === "string") [from, to, name] = [undefined, undefined, from];
  else if (typeof to === "string") [to, name] = [undefined, to];
  const start = from === undefined ? 0 : checkPosition("offset", from, Number.MAX_SAFE_INTEGER);
  const stop = to === undefined ? bytes.length : checkPosition("end", to, bytes.length);
  if (start >= stop) return;
  const target = new Uint8Array(bytes.buffer, bytes.byteOffset + start, stop - start);
  if (typeof value === "string" && value !== "") {
    const encoding = name === undefined ? UTF8 : requireEncoding(name);
    fillWith(target, encoding.encode(value), value);
  } else if (value instanceof Uint8Array) {
    fillWith(target, value.slice(), value);
  } else {
    Reflect.apply(fillBytes, target, [typeof value === "string" ? 0 : +(value as number) & 255]);
  }
}

/** The methods by name. */
export function createSearchMethods(): Methods {
  return {
    indexOf(value: unknown, from: unknown, encoding: unknown) {
      return search(this, value, from, encoding, true);
    },
    lastIndexOf(value: unknown, from: unknown, encoding: unknown) {
      return search(this, value, from, encoding, false);
    },
    includes(value: unknown, from: unknown, encoding: unknown) {
      return search(this, value, from, encoding, true) !== -1;
    },
    fill(value: unknown, offset: unknown, end: unknown, encoding: unknown) {
      fill(this, value, offset, end, encoding);
      return this;
    },
  };
}
