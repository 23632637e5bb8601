/**
 * Paths as bytes.
 *
 * @module
 */
import { FileError } from "./file_error.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
/** The replacement character of a decoder for invalid UTF-8. */
const REPLACEMENT = "\ufffd";

/**
 * A path in UTF-8 as text. EILSEQ. A decoder with `fatal` takes twenty times as
 * long to refuse bytes.
 */
export function decodePath(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (text.includes(REPLACEMENT) && !isEncoding(bytes, text)) throw new FileError("EILSEQ");
  return text;
}

function isEncoding(bytes: Uint8Array, text: string): boolean {
  const encoded = encoder.encode(text);
  if (encoded.length !== bytes.length) return false;
  for (let index = 0; index < encoded.length; index++) {
    if (encoded[index] !== bytes[index]) return false;
  }
  return true;
}
