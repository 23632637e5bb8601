/**
 * Compression and decompression by the npm package `pako`, a port of zlib, in the guest itself. The
 * guest pays for the work as for any code, and no host code sees the bytes.
 *
 * @module
 */
import {
  type Z_CallStatus,
  Z_DATA_ERROR,
  Z_FINISH,
  Z_NEED_DICT,
  Z_OK,
  type Z_Strategy,
  Z_STREAM_END,
  zlibDeflate,
  zlibDeflateInit2,
  zlibDeflateSetDictionary,
  zlibInflate,
  zlibInflateInit2,
  zlibInflateReset,
  zlibInflateSetDictionary,
  ZStream,
} from "pako";

/** The format around compressed data: none, RFC 1950 or RFC 1952. */
export type Format = "raw" | "zlib" | "gzip";

/** How data are compressed. */
export interface CompressOptions {
  /** From -1 (zlib's own) to 9. */
  readonly level: number;
  /** From 8 to 15: the window is 2 to the power of it. */
  readonly windowBits: number;
  /** From 1 to 9. */
  readonly memLevel: number;
  readonly strategy: Z_Strategy;
  readonly dictionary: Uint8Array | undefined;
}

/** How data are decompressed. */
export interface DecompressOptions {
  readonly windowBits: number;
  readonly dictionary: Uint8Array | undefined;
  /** Truncated data give the output so far instead of an error. */
  readonly mayEndEarly: boolean;
  /** Most bytes of output. */
  readonly maxBytes: number;
}

/** Why data cannot be decompressed, in zlib's words. */
export class BadData extends Error {
  readonly code: "Z_BUF_ERROR" | "Z_DATA_ERROR" | "Z_NEED_DICT";

  constructor(message: string, code: BadData["code"] = "Z_DATA_ERROR") {
    super(message);
    this.code = code;
  }
}

/** The output would exceed its limit. */
export class TooLarge extends Error {}

const CHUNK_BYTES = 16 * 1024;
const DEFLATED = 8;
const DEFAULT_LEVEL = 6;
/** Added to the window bits: gzip, or detection of gzip or zlib from the data. */
const GZIP = 16;
const EITHER = 32;
const GZIP_FIRST_BYTE = 0x1f;

function windowOf(format: Format | "gzip or zlib", bits: number): number {
  switch (format) {
    case "raw":
      return -bits;
    case "zlib":
      return bits;
    case "gzip":
      return bits + GZIP;
    case "gzip or zlib":
      return bits + EITHER;
  }
}

function streamOver(input: Uint8Array): ZStream {
  const stream = new ZStream();
  stream.input = input;
  stream.avail_in = input.length;
  return stream;
}

/** Collects output in pieces. */
class Output {
  readonly #stream: ZStream;
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(stream: ZStream, maxBytes: number) {
    this.#stream = stream;
    this.#maxBytes = maxBytes;
  }

  /** Lets `step` fill a piece. */
  next(step: (stream: ZStream) => Z_CallStatus): Z_CallStatus {
    const stream = this.#stream;
    stream.output = new Uint8Array(CHUNK_BYTES);
    stream.next_out = 0;
    stream.avail_out = CHUNK_BYTES;
    const status = step(stream);
    this.#bytes += stream.next_out;
    if (this.#bytes > this.#maxBytes) throw new TooLarge();
    this.#chunks.push(stream.output.subarray(0, stream.next_out));
    return status;
  }

  whole(): Uint8Array {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}

/** Compresses. The options are within their bounds. */
export function compress(input: Uint8Array, format: Format, options: CompressOptions): Uint8Array {
  const { windowBits, memLevel, strategy, dictionary } = options;
  const level = options.level < 0 ? DEFAULT_LEVEL : options.level;
  const stream = streamOver(input);
  // only zlib's own format has windows of 8 bits
  const bits = windowOf(format, format === "zlib" ? windowBits : Math.max(9, windowBits));
  zlibDeflateInit2(stream, level, DEFLATED, bits, memLevel, strategy);
  if (dictionary !== undefined && format !== "gzip") zlibDeflateSetDictionary(stream, dictionary);
  const output = new Output(stream, Infinity);
  for (;;) {
    const status = output.next((one) => zlibDeflate(one, Z_FINISH));
    if (status === Z_STREAM_END) return output.whole();
    if (status !== Z_OK) throw new TypeError(`deflate ends with ${status}`);
  }
}

/** Decompresses; throws {@link BadData}, or {@link TooLarge}. */
export function decompress(
  input: Uint8Array,
  format: Format | "gzip or zlib",
  options: DecompressOptions,
): Uint8Array {
  const { windowBits, dictionary, mayEndEarly, maxBytes } = options;
  const stream = streamOver(input);
  zlibInflateInit2(stream, windowOf(format, windowBits));
  if (dictionary !== undefined && format === "raw") zlibInflateSetDictionary(stream, dictionary);
  const mayGoOn = format === "gzip" || format !== "raw" && input[0] === GZIP_FIRST_BYTE;
  const output = new Output(stream, maxBytes);
  for (;;) {
    let status = output.next((one) => zlibInflate(one, Z_FINISH));
    if (status === Z_NEED_DICT) status = giveDictionary(stream, dictionary);
    if (status === Z_STREAM_END) {
      // gzip members follow each other; zeros may follow the last one
      if (!mayGoOn || (input[stream.next_in] ?? 0) === 0) return output.whole();
      zlibInflateReset(stream);
    } else if (status === Z_DATA_ERROR) throw new BadData(stream.msg);
    else if (status !== Z_OK && stream.avail_out > 0) {
      if (mayEndEarly) return output.whole();
      throw new BadData("unexpected end of file", "Z_BUF_ERROR");
    }
  }
}

function giveDictionary(stream: ZStream, dictionary: Uint8Array | undefined): Z_CallStatus {
  if (dictionary === undefined) throw new BadData("Missing dictionary", "Z_NEED_DICT");
  const status = zlibInflateSetDictionary(stream, dictionary);
  if (status !== Z_OK) throw new BadData("Bad dictionary", "Z_NEED_DICT");
  return status;
}
