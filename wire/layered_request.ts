/**
 * The request for a stateless run on its way from a sandbox to a runtime: what the caller sent,
 * and the variables of the sandbox with it.
 *
 * @module
 */
import { SANDBOX_LIMITS } from "./limits.ts";

/**
 * Longest JSON of a byte of a variable: `"A":"",` for a name of one letter without a value, and
 * in a value six bytes for a control character.
 */
const JSON_BYTES = 7;

/**
 * Longest body of such a request, where a caller may send that many bytes. Whoever sends it has
 * held the caller to that; JSON of our own is never longer than the JSON it was read from.
 */
export function layeredRequestBytes(requestBytes: number): number {
  return requestBytes + JSON_BYTES * SANDBOX_LIMITS.envLayerBytes;
}
