/**
 * Passes the bytes of a body on as they arrive, so that no more than a chunk is in memory.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import { abandon, type BodyMeter, checkCoding, discard, nextChunk } from "./read_body.ts";
import { chunkPauses } from "./chunk_pauses.ts";

/** The body that is expected. */
export interface PipeRules {
  /** Its length; undefined: any up to `maxBytes`. */
  readonly bytes?: number;
  /** Maximum length, and the error for a longer one; not checked when absent. */
  readonly most?: { readonly bytes: number; readonly tooLong: (bytes: number) => Error };
  /** Milliseconds from now to the last byte. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Meters the chunk that is being passed on. */
  readonly meter: BodyMeter | undefined;
}

/**
 * Calls `take` with each chunk and waits for it. Resolves with the length of the body.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for a body that is incomplete, late or of another length,
 * with 415 for a coded one; what the meter and `take` throw.
 */
export async function pipeBody(
  request: Request,
  rules: PipeRules,
  take: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<number> {
  const { deadlineMs, signal, meter } = rules;
  const reader = (request.body ?? new Blob([]).stream()).getReader();
  const pause = chunkPauses(meter?.tenant ?? "");
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abandon(reader);
  }, deadlineMs);
  const onAbort = () => abandon(reader);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    checkCoding(request.headers);
    checkLength(Number(request.headers.get("content-length") ?? NaN), rules, true);
    let length = 0;
    for (;;) {
      const { done, value } = await nextChunk(reader);
      if (signal.aborted) throw validationFailed("The request body is incomplete");
      if (late) throw validationFailed(`The request body took longer than ${deadlineMs} ms`);
      if (done) break;
      length += value.length;
      checkLength(length, rules, false);
      meter?.take(value.length);
      try {
        await take(value);
      } finally {
        meter?.give?.(value.length);
      }
      await pause(value.length);
    }
    if (rules.bytes !== undefined && length < rules.bytes) {
      throw validationFailed("The request body is incomplete");
    }
    return length;
  } catch (refusal) {
    if (!signal.aborted && !late) await discard(reader, pause);
    throw refusal;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Throws for a body that is longer than expected, or, if it is declared, of another length. */
function checkLength(length: number, { bytes, most }: PipeRules, isDeclared: boolean): void {
  if (Number.isNaN(length)) return;
  if (most !== undefined && length > most.bytes) throw most.tooLong(length);
  if (bytes === undefined) return;
  if (length > bytes || (isDeclared && length !== bytes)) {
    throw validationFailed(
      `The request body does not have the ${bytes} bytes of its Content-Range`,
    );
  }
}
