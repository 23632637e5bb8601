/**
 * Base64 with functions that every runtime has.
 *
 * @module
 */
import { ShapeError } from "./json_shape.ts";

/** Number of bytes that are passed as arguments of one call. */
const CHUNK = 0x8000;

/** Encodes bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

/** Decodes untrusted base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new ShapeError("content is not base64", { cause });
  }
}
