/**
 * Node's `string_decoder` module: decodes bytes in pieces without cutting characters.
 *
 * It is written by hand and not taken from npm's `string_decoder`. Version 1.3.0 has neither
 * `base64url` nor Node's error codes, and accepts no `Uint8Array` that is not a Buffer. A layer
 * that fixes this would be as long.
 *
 * @module
 */
import { setName } from "../web/expose.ts";
import { invalidArgument } from "../web/node_error.ts";
import { concatenate, incompleteTail } from "../web/utf8.ts";
import { type Encoding, requireEncoding } from "./buffer_encodings.ts";

function bytesOf(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  throw invalidArgument("buf", "an instance of Buffer, TypedArray, or DataView", value);
}

/** Number of bytes at the end that begin an incomplete character. */
function pendingBytes(encoding: Encoding, bytes: Uint8Array): number {
  switch (encoding.name) {
    case "utf8":
      return incompleteTail(bytes);
    case "utf16le": {
      const odd = bytes.length & 1;
      const high = bytes[bytes.length - odd - 1] ?? 0;
      return high >= 0xd8 && high <= 0xdb ? odd + 2 : odd;
    }
    case "base64":
    case "base64url":
      return bytes.length % 3;
    default:
      return 0;
  }
}

/** Decodes a stream of bytes. */
export class StringDecoder {
  readonly #encoding: Encoding;
  #pending: Uint8Array = new Uint8Array(0);

  constructor(encoding: unknown = undefined) {
    this.#encoding = requireEncoding(encoding);
  }

  get encoding(): string {
    return this.#encoding.name;
  }

  /** Bytes kept for the next call. */
  get lastNeed(): number {
    return this.#pending.length;
  }

  write(chunk: unknown): string {
    if (typeof chunk === "string") return chunk;
    const bytes = concatenate(this.#pending, bytesOf(chunk));
    const whole = bytes.length - pendingBytes(this.#encoding, bytes);
    this.#pending = bytes.slice(whole);
    return this.#encoding.decode(bytes.subarray(0, whole));
  }

  end(chunk: unknown = undefined): string {
    const text = chunk === undefined ? "" : this.write(chunk);
    const rest = this.#pending;
    this.#pending = new Uint8Array(0);
    return text + this.#encoding.decode(rest);
  }
}

/** Makes the module. */
export function createStringDecoderModule(): { readonly StringDecoder: typeof StringDecoder } {
  setName(StringDecoder, "StringDecoder");
  return { StringDecoder };
}
