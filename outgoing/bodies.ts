/**
 * Bodies of answers: bounded, and whole or a failure.
 *
 * @module
 */
import { abortReason, failed, type FailureReason, type OutgoingFailure } from "./outcome.ts";
import { joinBytes } from "../shared/join_bytes.ts";

/** The head of an answer, and its body as it arrives. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** To be read to its end, or to be ended; it throws when it breaks or the signal aborts. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The bytes of a body, or the failure in their place. */
export type BodyOutcome =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly failure: OutgoingFailure };

/**
 * Reads the body of an answer. No compression is asked for, so a body with one is `broken`: a small
 * one could become large.
 *
 * @param signal the signal of the request, which tells a time-out from a broken connection
 */
export async function readBody(
  { headers, body }: Pick<OutgoingAnswer, "headers" | "body">,
  maxBytes: number,
  signal: AbortSignal,
): Promise<BodyOutcome> {
  const brokenBy = (reason: FailureReason) => failed(reason, true);
  const encoding = headers.get("content-encoding") ?? "identity";
  const isEncoded = encoding.toLowerCase() !== "identity";
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    // A return out of the loop ends the body, and with it the connection.
    for await (const piece of body) {
      if (isEncoded) return brokenBy("broken");
      length += piece.byteLength;
      if (length > maxBytes) return brokenBy("large");
      pieces.push(piece);
    }
  } catch {
    return brokenBy(signal.aborted ? abortReason(signal) : "broken");
  }
  return { bytes: joinBytes(pieces) };
}
