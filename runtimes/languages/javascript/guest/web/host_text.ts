/**
 * Converts bytes to text and back by the host, for lengths at which that is cheaper than a loop.
 * When the host returns nothing, the caller converts by itself.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { RegExpPrototypeExec } from "../primordials.ts";

/** Number of bytes or characters from which a host call is cheaper. */
const LEAST = 48;
/** Matches Base64 in the standard alphabet, without a lone last character. */
const PLAIN = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

let host: HostFunction | undefined;

/** Sets the host function that computes. Call it once. */
export function useTextHost(use: HostFunction): void {
  host = use;
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? buffer : new Uint8Array(bytes).buffer;
}

function bytesFrom(reply: unknown): Uint8Array<ArrayBuffer> | undefined {
  return reply instanceof ArrayBuffer ? new Uint8Array(reply) : undefined;
}

/** Base64 of bytes, with padding. */
export function hostBase64(bytes: Uint8Array): string | undefined {
  if (bytes.length < LEAST) return undefined;
  const reply = host?.("text", "to base64", bufferOf(bytes));
  return typeof reply === "string" ? reply : undefined;
}

/** The bytes of standard Base64, padded or not. */
export function hostBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length < LEAST || RegExpPrototypeExec(PLAIN, text) === null) return undefined;
  return bytesFrom(host?.("text", "from base64", text));
}

/** UTF-8 with U+FFFD for each maximal part of an invalid sequence. */
export function hostRepair(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  return bytes.length < LEAST ? undefined : bytesFrom(host?.("text", "repair", bufferOf(bytes)));
}
