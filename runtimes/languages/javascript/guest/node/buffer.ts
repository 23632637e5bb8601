/**
 * Node's `buffer` module. `Buffer` is a `Uint8Array` with Node's methods, errors and console
 * output.
 *
 * It is written by hand and not taken from npm's `buffer`. That package takes twice the space in
 * every image, its last release has neither `base64url` nor Node's error codes, and it decodes
 * broken UTF-8 differently from Node.
 *
 * @module
 */
import { atob, btoa } from "../web/base64.ts";
import { Blob, File } from "../web/blob.ts";
import { INSPECT, nameFunctions, setName } from "../web/expose.ts";
import { invalidArgument, nodeError, outOfRange } from "../web/node_error.ts";
import { decodeUtf8, InvalidUtf8 } from "../web/utf8.ts";
import { findEncoding, requireEncoding, UTF8 } from "./buffer_encodings.ts";
import { compareBytes, createMethods, INSPECT_MAX_BYTES } from "./buffer_methods.ts";
import { createNumberMethods } from "./buffer_numbers.ts";
import { createSearchMethods } from "./buffer_search.ts";

/** The maximum number of bytes in a buffer, and of characters in a string. */
const MAX_LENGTH = 2 ** 32;
const MAX_STRING_LENGTH = 0x3fffffff;
const FIRST_ARGUMENT = "of type string or an instance of Buffer, ArrayBuffer, or Array or an " +
  "Array-like Object";

/** The class behind `Buffer`; its prototype is `Buffer.prototype`. */
class FastBuffer extends Uint8Array<ArrayBufferLike> {}

function wrap(buffer: ArrayBufferLike, offset: number, length: number): FastBuffer {
  return new FastBuffer(buffer, offset, length);
}

function allocate(length: number): FastBuffer {
  return wrap(new ArrayBuffer(length), 0, length);
}

/** A buffer over the bytes of a view. */
export function asBuffer(bytes: Uint8Array): Uint8Array {
  return wrap(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function checkSize(size: unknown): number {
  if (typeof size !== "number") throw invalidArgument("size", "of type number", size);
  if (!(size >= 0 && size <= MAX_LENGTH)) {
    throw outOfRange("size", `>= 0 && <= ${MAX_LENGTH}`, size);
  }
  return Math.trunc(size);
}

function isAnyArrayBuffer(value: unknown): value is ArrayBufferLike {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

function outOfBounds(name: string): Error {
  return nodeError(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", `"${name}" is outside of buffer bounds`);
}

function fromArrayBuffer(buffer: ArrayBufferLike, offset: unknown, length: unknown): FastBuffer {
  const start = Math.trunc(+(offset as number)) || 0;
  const room = buffer.byteLength - start;
  if (start < 0 || room < 0) throw outOfBounds("offset");
  if (length === undefined) return wrap(buffer, start, room);
  const count = Math.max(Math.trunc(+(length as number)) || 0, 0);
  if (count > room) throw outOfBounds("length");
  return wrap(buffer, start, count);
}

function fromArrayLike(items: ArrayLike<unknown>): FastBuffer {
  const buffer = allocate(checkSize(Math.max(items.length, 0) || 0));
  if (buffer.length > 0) buffer.set(items as ArrayLike<number>);
  return buffer;
}

function firstArgument(value: unknown): Error {
  const error = invalidArgument("", FIRST_ARGUMENT, value);
  error.message = error.message.replace('The "" argument', "The first argument");
  return error;
}

function fromPlainObject(value: object): FastBuffer | undefined {
  const { length, type, data } = value as { length?: unknown; type?: unknown; data?: unknown };
  if (length !== undefined || isAnyArrayBuffer(Reflect.get(value, "buffer"))) {
    return typeof length === "number" ? fromArrayLike(value as ArrayLike<unknown>) : allocate(0);
  }
  return type === "Buffer" && Array.isArray(data) ? fromArrayLike(data) : undefined;
}

function fromObject(value: object, encodingOrOffset: unknown, length: unknown): Uint8Array {
  if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
  const primitive: unknown = value.valueOf?.();
  const other = typeof primitive === "string" || typeof primitive === "object";
  if (other && primitive !== null && primitive !== value) {
    return from(primitive, encodingOrOffset, length);
  }
  const made = fromPlainObject(value);
  if (made !== undefined) return made;
  const convert: unknown = Reflect.get(value, Symbol.toPrimitive);
  if (typeof convert === "function") {
    const text: unknown = Reflect.apply(convert, value, ["string"]);
    if (typeof text === "string") return fromText(text, encodingOrOffset);
  }
  throw firstArgument(value);
}

function fromText(text: string, encoding: unknown): Uint8Array {
  return asBuffer(
    requireEncoding(typeof encoding === "string" ? encoding : undefined).encode(text),
  );
}

/** `Buffer.from`. */
export function from(value: unknown, encodingOrOffset?: unknown, length?: unknown): Uint8Array {
  if (typeof value === "string") return fromText(value, encodingOrOffset);
  if (typeof value === "object" && value !== null) {
    return fromObject(value, encodingOrOffset, length);
  }
  throw firstArgument(value);
}

function alloc(size: unknown, fill?: unknown, encoding?: unknown): FastBuffer {
  const buffer = allocate(checkSize(size));
  if (fill === undefined || fill === 0 || buffer.length === 0) return buffer;
  const name = typeof encoding === "string" ? encoding : undefined;
  Reflect.apply(buffer.fill, buffer, [fill, 0, buffer.length, name]);
  return buffer;
}

function concat(list: unknown, length?: unknown): FastBuffer {
  if (!Array.isArray(list)) throw invalidArgument("list", "an instance of Array", list);
  const parts = list.map((item: unknown, index) => {
    if (item instanceof Uint8Array) return item;
    throw invalidArgument(`list[${index}]`, "an instance of Buffer or Uint8Array", item);
  });
  const whole = parts.reduce((sum, part) => sum + part.length, 0);
  const buffer = allocate(length === undefined ? whole : checkSize(length));
  let at = 0;
  for (const part of parts) {
    if (at >= buffer.length) break;
    const fits = part.length <= buffer.length - at ? part : part.subarray(0, buffer.length - at);
    buffer.set(fits, at);
    at += fits.length;
  }
  return buffer;
}

function byteLength(value: unknown, encoding?: unknown): number {
  if (typeof value === "string") return (findEncoding(encoding) ?? UTF8).byteLength(value);
  if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return value.byteLength;
  const expected = "of type string or an instance of Buffer or ArrayBuffer";
  throw invalidArgument("string", expected, value);
}

function compareBuffers(left: unknown, right: unknown): number {
  for (const [name, value] of [["buf1", left], ["buf2", right]] as const) {
    if (!(value instanceof Uint8Array)) {
      throw invalidArgument(name, "an instance of Buffer or Uint8Array", value);
    }
  }
  return compareBytes(left as Uint8Array, right as Uint8Array);
}

function copyBytesFrom(view: unknown, offset: unknown = 0, length?: unknown): Uint8Array {
  if (!ArrayBuffer.isView(view) || view instanceof DataView) {
    throw invalidArgument("view", "an instance of TypedArray", view);
  }
  const items = view as Uint8Array;
  const start = Number(offset);
  const part = items.subarray(start, length === undefined ? items.length : start + Number(length));
  return asBuffer(new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice());
}

const STATICS = {
  from,
  copyBytesFrom,
  of: (...items: number[]): FastBuffer => fromArrayLike(items),
  alloc,
  allocUnsafe: (size: unknown): FastBuffer => allocate(checkSize(size)),
  allocUnsafeSlow: (size: unknown): FastBuffer => allocate(checkSize(size)),
  isBuffer: (value: unknown): boolean => value instanceof FastBuffer,
  compare: compareBuffers,
  isEncoding: (name: unknown): boolean => findEncoding(name) !== undefined,
  concat,
  byteLength,
};

function createBufferFunction(): object {
  const Buffer = function (value: unknown, encodingOrOffset: unknown, length: unknown): Uint8Array {
    if (typeof value !== "number") return from(value, encodingOrOffset, length);
    if (typeof encodingOrOffset === "string") {
      throw invalidArgument("string", "of type string", value);
    }
    return alloc(value);
  };
  setName(Buffer, "Buffer");
  Object.setPrototypeOf(Buffer, Uint8Array);
  Object.defineProperty(Buffer, "prototype", { value: FastBuffer.prototype, writable: false });
  Object.assign(Buffer, { poolSize: 8192 }, nameFunctions(STATICS));
  Object.defineProperty(Buffer, Symbol.species, { configurable: true, get: () => FastBuffer });
  return Buffer;
}

function definePrototype(prototype: object, Buffer: object): void {
  const tables = [createNumberMethods(), createMethods(wrap), createSearchMethods()];
  for (const table of tables) Object.assign(prototype, table);
  const inspect: unknown = Reflect.get(prototype, "inspect");
  const hidden = { configurable: true, writable: true, enumerable: false };
  Object.defineProperty(prototype, INSPECT, { ...hidden, value: inspect });
  Object.defineProperty(prototype, "constructor", { ...hidden, value: Buffer });
  const accessors = {
    get parent(): unknown {
      return this instanceof FastBuffer ? this.buffer : undefined;
    },
    get offset(): unknown {
      return this instanceof FastBuffer ? this.byteOffset : undefined;
    },
  };
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(accessors));
}

function bytesOf(name: string, value: unknown): Uint8Array {
  if (isAnyArrayBuffer(value)) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  throw invalidArgument(name, "an instance of ArrayBuffer, Buffer, or TypedArray", value);
}

function isUtf8(input: unknown): boolean {
  try {
    decodeUtf8(bytesOf("input", input), true);
    return true;
  } catch (error) {
    if (error instanceof InvalidUtf8) return false;
    throw error;
  }
}

function isAscii(input: unknown): boolean {
  return bytesOf("input", input).every((byte) => byte < 0x80);
}

/** Characters that the target encoding lacks become question marks. */
function transcode(source: unknown, fromName: unknown, toName: unknown): Uint8Array {
  const [decoder, encoder] = [requireEncoding(fromName), requireEncoding(toName)];
  const text = decoder.decode(bytesOf("source", source));
  if (encoder.name !== "latin1" && encoder.name !== "ascii") return asBuffer(encoder.encode(text));
  const kept = encoder.name === "ascii" ? /[^\0-\x7f]/gu : /[^\0-\xff]/gu;
  return asBuffer(encoder.encode(text.replace(kept, "?")));
}

/** The module, as `require("buffer")` returns it. */
export interface BufferModule {
  readonly Buffer: object;
  readonly [name: string]: unknown;
}

/** Makes the module; its `Buffer` is the global one too. */
export function createBufferModule(): BufferModule {
  const Buffer = createBufferFunction();
  definePrototype(FastBuffer.prototype, Buffer);
  return {
    Buffer,
    SlowBuffer: STATICS.allocUnsafeSlow,
    transcode,
    isUtf8,
    isAscii,
    kMaxLength: MAX_LENGTH,
    kStringMaxLength: MAX_STRING_LENGTH,
    btoa,
    atob,
    constants: { MAX_LENGTH, MAX_STRING_LENGTH },
    INSPECT_MAX_BYTES,
    Blob,
    File,
  };
}
