/**
 * `zlib`: deflate, gzip and their inverses: synchronous, with a callback, or as a stream that reads
 * all of its input before it writes output. There is no Brotli.
 *
 * @module
 */
import { invalidArgument, nodeError, outOfRange, requireFunction } from "../web/node_error.ts";
import { asBuffer, from as bufferFrom } from "./buffer.ts";
import { streams } from "./streams.ts";
import { BadData, compress, decompress, TooLarge } from "./zlib_codec.ts";

type Work = (input: Uint8Array, options: unknown) => Uint8Array;
type Callback = (error: unknown, result?: unknown) => void;

const DATA = "of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer";
const MAX_OUTPUT = 2 ** 31 - 1;
const MIN_WINDOW = 8;
const MAX_WINDOW = 15;
const DEFAULT_MEMORY = 8;
const STRATEGIES = [0, 1, 2, 3, 4] as const;
const CODES: Readonly<Record<string, number>> = {
  ...{ Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1, Z_STREAM_ERROR: -2 },
  ...{ Z_DATA_ERROR: -3, Z_MEM_ERROR: -4, Z_BUF_ERROR: -5, Z_VERSION_ERROR: -6 },
};
const CONSTANTS: Readonly<Record<string, number>> = {
  ...{ Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4 },
  ...{ Z_BLOCK: 5, ...CODES, Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9 },
  ...{ Z_DEFAULT_COMPRESSION: -1, Z_FILTERED: 1, Z_HUFFMAN_ONLY: 2, Z_RLE: 3, Z_FIXED: 4 },
  ...{ Z_DEFAULT_STRATEGY: 0, Z_MIN_WINDOWBITS: 8, Z_MAX_WINDOWBITS: 15 },
  ...{ Z_DEFAULT_WINDOWBITS: 15, Z_MIN_CHUNK: 64, Z_MAX_CHUNK: Infinity, Z_DEFAULT_CHUNK: 16384 },
  ...{ Z_MIN_MEMLEVEL: 1, Z_MAX_MEMLEVEL: 9, Z_DEFAULT_MEMLEVEL: 8, Z_MIN_LEVEL: -1 },
  ...{ Z_MAX_LEVEL: 9, Z_DEFAULT_LEVEL: -1 },
};

function bytesOf(data: unknown, name: string): Uint8Array {
  if (typeof data === "string") return bufferFrom(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (!ArrayBuffer.isView(data)) throw invalidArgument(name, DATA, data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** A numeric option, checked against its bounds. */
function option(options: unknown, name: string, least: number, most: number): number | undefined {
  const value: unknown = Object(options)[name];
  if (value === undefined || Number.isNaN(value)) return undefined;
  if (typeof value !== "number") {
    throw invalidArgument(`options.${name}`, "of type number", value);
  }
  if (value >= least && value <= most) return value;
  throw outOfRange(`options.${name}`, `>= ${least} and <= ${most}`, value);
}

function optionBytes(options: unknown, name: string): Uint8Array | undefined {
  const value: unknown = Object(options)[name];
  return value === undefined ? undefined : bytesOf(value, `options.${name}`);
}

function compressor(format: Parameters<typeof compress>[1]): Work {
  return (input, options) =>
    compress(input, format, {
      windowBits: option(options, "windowBits", MIN_WINDOW, MAX_WINDOW) ?? MAX_WINDOW,
      level: option(options, "level", -1, 9) ?? -1,
      memLevel: option(options, "memLevel", 1, 9) ?? DEFAULT_MEMORY,
      strategy: STRATEGIES[option(options, "strategy", 0, 4) ?? 0] ?? 0,
      dictionary: optionBytes(options, "dictionary"),
    });
}

function failure(error: unknown, limit: number): unknown {
  if (error instanceof TooLarge) {
    const message = `Cannot create a Buffer larger than ${limit} bytes`;
    return nodeError(RangeError, "ERR_BUFFER_TOO_LARGE", message);
  }
  if (!(error instanceof BadData)) return error;
  const { code, message } = error;
  return Object.assign(new Error(message), { errno: CODES[code], code });
}

function decompressor(format: Parameters<typeof decompress>[1]): Work {
  return (input, options) => {
    const maxBytes = option(options, "maxOutputLength", 1, MAX_OUTPUT) ?? MAX_OUTPUT;
    try {
      return decompress(input, format, {
        windowBits: option(options, "windowBits", MIN_WINDOW, MAX_WINDOW) ?? MAX_WINDOW,
        dictionary: optionBytes(options, "dictionary"),
        mayEndEarly: option(options, "finishFlush", 0, 5) === CONSTANTS["Z_SYNC_FLUSH"],
        maxBytes,
      });
    } catch (error) {
      throw failure(error, maxBytes);
    }
  };
}

const WORKS: Readonly<Record<string, Work>> = {
  deflate: compressor("zlib"),
  deflateRaw: compressor("raw"),
  gzip: compressor("gzip"),
  gunzip: decompressor("gzip"),
  inflate: decompressor("zlib"),
  inflateRaw: decompressor("raw"),
  unzip: decompressor("gzip or zlib"),
};

function withCallback(work: Work, later: (action: () => void) => void) {
  return (data: unknown, ...rest: readonly unknown[]): void => {
    const [options, callback] = rest.length > 1 ? rest : [undefined, rest[0]];
    requireFunction("callback", callback);
    const input = bytesOf(data, "buffer").slice();
    const done = callback as Callback;
    let result: Uint8Array;
    try {
      result = asBuffer(work(input, options));
    } catch (error) {
      later(() => done(error));
      return;
    }
    later(() => done(null, result));
  };
}

/** A stream that does its work when the input has ended. */
function streamOf(work: Work, options: unknown): object {
  const parts: Uint8Array[] = [];
  const behaviour = {
    transform(chunk: unknown, _encoding: unknown, done: Callback): void {
      parts.push(bytesOf(chunk, "chunk").slice());
      done(null);
    },
    flush(done: Callback): void {
      const input = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of parts.splice(0)) {
        input.set(part, at);
        at += part.length;
      }
      try {
        done(null, asBuffer(work(input, options)));
      } catch (error) {
        done(error);
      }
    },
  };
  return Reflect.construct(Object(streams.Transform), [behaviour]);
}

/** Makes the module; `later` calls back when nothing else runs. */
export function createZlib(later: (action: () => void) => void): object {
  const module: Record<string, unknown> = {};
  for (const [name, work] of Object.entries(WORKS)) {
    const upper = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    module[name] = withCallback(work, later);
    module[`${name}Sync`] = (data: unknown, options?: unknown) =>
      asBuffer(work(bytesOf(data, "buffer"), options));
    module[`create${upper}`] = (options?: unknown) => streamOf(work, options);
  }
  return {
    ...module,
    crc32(data: unknown, value: unknown = 0): number {
      if (typeof value !== "number") throw invalidArgument("value", "of type number", value);
      return crc32(bytesOf(data, "data"), value);
    },
    constants: Object.freeze({ ...CONSTANTS }),
    codes: Object.freeze({
      ...CODES,
      ...Object.fromEntries(Object.entries(CODES).map(([name, code]) => [code, name])),
    }),
  };
}

const POLYNOMIAL = 0xedb88320;

function remainderOf(byte: number): number {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? rest >>> 1 ^ POLYNOMIAL : rest >>> 1;
  return rest;
}

let remainders: Int32Array | undefined;

/** The checksum of gzip: CRC-32 of bytes that follow those whose CRC-32 is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  remainders ??= Int32Array.from({ length: 256 }, (_, byte) => remainderOf(byte));
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) {
    crc = crc >>> 8 ^ (remainders[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}
