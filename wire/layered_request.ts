/**
 * The request for a stateless run from a sandbox to a runtime: the caller's request together with
 * the variables of the sandbox.
 *
 * @module
 */
import { SANDBOX_LIMITS } from "./limits.ts";

/**
 * Maximum length of JSON for one byte of a variable: `"A":"",` for a name of one letter without a
 * value; in a value, six bytes for a control character.
 */
const JSON_BYTES = 7;

/**
 * Maximum body of such a request, if a caller may send that many bytes. The sender has enforced
 * that limit, and the service's own JSON is never longer than the JSON that it was read from.
 */
export function layeredRequestBytes(requestBytes: number): number {
  return requestBytes + JSON_BYTES * SANDBOX_LIMITS.envLayerBytes;
}
