/**
 * The methods of Node's `Buffer` that read and write numbers.
 *
 * @module
 */
import { invalidArgument, nodeError, outOfRange } from "../web/node_error.ts";

type Method = (this: Uint8Array, ...args: never[]) => unknown;

/** Methods by name. */
export type Methods = Record<string, Method>;

function checkOffset(bytes: Uint8Array, offset: unknown, size: number): number {
  if (typeof offset !== "number") throw invalidArgument("offset", "of type number", offset);
  const last = bytes.length - size;
  if (offset >= 0 && offset <= last && Number.isInteger(offset)) return offset;
  if (!Number.isInteger(offset)) throw outOfRange("offset", "an integer", offset);
  if (last < 0) {
    const message = "Attempt to access memory outside buffer bounds";
    throw nodeError(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", message);
  }
  throw outOfRange("offset", `>= 0 and <= ${last}`, offset);
}

function checkSize(size: unknown): number {
  if (typeof size !== "number") throw invalidArgument("byteLength", "of type number", size);
  if (!Number.isInteger(size)) throw outOfRange("byteLength", "an integer", size);
  if (size < 1 || size > 6) throw outOfRange("byteLength", ">= 1 and <= 6", size);
  return size;
}

function readInteger(
  bytes: Uint8Array,
  offset: unknown,
  size: number,
  little: boolean,
  signed: boolean,
): number {
  const start = checkOffset(bytes, offset, size);
  let value = 0;
  for (let i = 0; i < size; i++) {
    value = value * 256 + (bytes[little ? start + size - 1 - i : start + i] ?? 0);
  }
  const limit = 2 ** (8 * size);
  return signed && value >= limit / 2 ? value - limit : value;
}

function rangeText(least: number, greatest: number, size: number): string {
  if (size <= 4) return `>= ${least} and <= ${greatest}`;
  const bits = 8 * size;
  return least === 0 ? `>= 0 and < 2 ** ${bits}` : `>= -(2 ** ${bits - 1}) and < 2 ** ${bits - 1}`;
}

function writeInteger(
  bytes: Uint8Array,
  given: unknown,
  offset: unknown,
  size: number,
  little: boolean,
  signed: boolean,
): number {
  const value = +(given as number);
  const span = 2 ** (8 * size);
  const least = signed ? -span / 2 : 0;
  const greatest = least + span - 1;
  if (value > greatest || value < least) {
    throw outOfRange("value", rangeText(least, greatest, size), value);
  }
  const start = checkOffset(bytes, offset, size);
  let rest = Math.trunc(value) || 0;
  if (rest < 0) rest += span;
  for (let i = 0; i < size; i++) {
    bytes[little ? start + i : start + size - 1 - i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return start + size;
}

function addIntegers(methods: Methods, sign: string, signed: boolean): void {
  for (const [bits, order] of [[8, ""], [16, "LE"], [16, "BE"], [32, "LE"], [32, "BE"]] as const) {
    const name = `${sign}${bits}${order}`;
    const size = bits / 8;
    const little = order === "LE";
    methods[`read${name}`] = function (offset = 0) {
      return readInteger(this, offset, size, little, signed);
    };
    methods[`write${name}`] = function (value, offset = 0) {
      return writeInteger(this, value, offset, size, little, signed);
    };
  }
  for (const order of ["LE", "BE"]) {
    const little = order === "LE";
    methods[`read${sign}${order}`] = function (offset, size) {
      return readInteger(this, offset, checkSize(size), little, signed);
    };
    methods[`write${sign}${order}`] = function (value, offset, size) {
      return writeInteger(this, value, offset, checkSize(size), little, signed);
    };
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function addFloats(methods: Methods, name: "Float32" | "Float64", shown: string): void {
  const size = name === "Float32" ? 4 : 8;
  for (const order of ["LE", "BE"]) {
    const little = order === "LE";
    methods[`read${shown}${order}`] = function (offset = 0) {
      return viewOf(this)[`get${name}`](checkOffset(this, offset, size), little);
    };
    methods[`write${shown}${order}`] = function (value, offset = 0) {
      viewOf(this)[`set${name}`](checkOffset(this, offset, size), +value, little);
      return offset + size;
    };
  }
}

function checkBigInt(value: unknown, signed: boolean): bigint {
  if (typeof value !== "bigint") {
    throw new TypeError("Cannot mix BigInt and other types, use explicit conversions");
  }
  const least = signed ? -(2n ** 63n) : 0n;
  if (value >= least && value < least + 2n ** 64n) return value;
  const range = signed ? ">= -(2n ** 63n) and < 2n ** 63n" : ">= 0n and < 2n ** 64n";
  throw outOfRange("value", range, value);
}

function addBigIntegers(methods: Methods, name: "BigInt64" | "BigUint64", shown: string): void {
  const signed = name === "BigInt64";
  for (const order of ["LE", "BE"]) {
    const little = order === "LE";
    methods[`read${shown}${order}`] = function (offset = 0) {
      return viewOf(this)[`get${name}`](checkOffset(this, offset, 8), little);
    };
    methods[`write${shown}${order}`] = function (value, offset = 0) {
      viewOf(this)[`set${name}`](
        checkOffset(this, offset, 8),
        checkBigInt(value, signed),
        little,
      );
      return offset + 8;
    };
  }
}

/** All methods, under both spellings of "unsigned". */
export function createNumberMethods(): Methods {
  const methods: Methods = {};
  addBigIntegers(methods, "BigUint64", "BigUInt64");
  addBigIntegers(methods, "BigInt64", "BigInt64");
  addIntegers(methods, "UInt", false);
  addIntegers(methods, "Int", true);
  addFloats(methods, "Float32", "Float");
  addFloats(methods, "Float64", "Double");
  for (const name of Object.keys(methods)) {
    const method = methods[name];
    if (method !== undefined) methods[name.replace("UInt", "Uint")] = method;
  }
  return methods;
}
