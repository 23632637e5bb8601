/**
 * Reads the beginning of a body into memory: all of a short one. A longer one is passed on as it
 * arrives.
 *
 * @module
 */
import { type ChunkPause, chunkPauses } from "./chunk_pauses.ts";
import { validationFailed } from "./errors.ts";
import { joinBytes } from "./join_bytes.ts";
import { abandon, type BodyMeter, discard, discardBody, nextChunk, tooLarge } from "./read_body.ts";

/** How much of a body is read, and for how long. */
export interface AheadRules {
  /** Length up to which a body is read as a whole, in bytes. */
  readonly aheadBytes: number;
  /** Maximum length of the body. */
  readonly maxBytes: number;
  /** Milliseconds from now to the last byte. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly meter: BodyMeter;
}

/** The chunks of a body, and the end of its reading. */
interface Arrival {
  readonly reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly rules: AheadRules;
  readonly pause: ChunkPause;
  /** Throws when the deadline has passed or the signal has fired. */
  check(): void;
  /** Ends the timer and the listener. */
  stop(): void;
}

/**
 * Reads a body, or its beginning. The stream must be read to its end or cancelled.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for a body that is incomplete or late, with 413 for one
 * that is too long; what the meter throws. The stream fails with the same errors.
 */
export async function readAhead(
  request: Request,
  rules: AheadRules,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { meter, maxBytes, aheadBytes } = rules;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
    await discardBody(request, meter);
    throw tooLarge(maxBytes);
  }
  const arrival = arrivalOf(request, rules);
  const { reader, pause } = arrival;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (let length = 0; length <= aheadBytes;) {
      const { done, value } = await nextChunk(reader);
      arrival.check();
      if (done) {
        arrival.stop();
        return joinBytes(chunks);
      }
      meter.take(value.length);
      length += value.length;
      chunks.push(value);
      await pause(value.length);
    }
  } catch (refusal) {
    arrival.stop();
    await discard(reader, pause);
    throw refusal;
  }
  return streamOf(chunks, arrival);
}

function arrivalOf({ body }: Request, rules: AheadRules): Arrival {
  const { deadlineMs, signal, meter } = rules;
  const reader = (body ?? new Blob([]).stream()).getReader();
  let late = false;
  const stopReading = () => abandon(reader);
  const timer = setTimeout(() => {
    late = true;
    stopReading();
  }, deadlineMs);
  signal.addEventListener("abort", stopReading, { once: true });
  if (signal.aborted) stopReading();
  return {
    reader,
    rules,
    pause: chunkPauses(meter.tenant),
    check: () => {
      signal.throwIfAborted();
      if (late) throw validationFailed(`The request body took longer than ${deadlineMs} ms`);
    },
    stop: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stopReading);
    },
  };
}

/** The chunks that were read, then the rest. Their memory is given back as they are taken. */
function streamOf(
  chunks: Uint8Array<ArrayBuffer>[],
  arrival: Arrival,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { reader, pause, rules: { meter, maxBytes } } = arrival;
  let length = chunks.reduce((sum, { length }) => sum + length, 0);
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const first = chunks.shift();
        if (first !== undefined) {
          meter.give?.(first.length);
          return controller.enqueue(first);
        }
        const { done, value } = await nextChunk(reader);
        arrival.check();
        if (done) {
          arrival.stop();
          return controller.close();
        }
        length += value.length;
        if (length > maxBytes) throw tooLarge(maxBytes);
        controller.enqueue(value);
        await pause(value.length);
      } catch (thrown) {
        arrival.stop();
        abandon(reader);
        throw thrown;
      }
    },
    cancel: () => {
      arrival.stop();
      abandon(reader);
    },
  }, { highWaterMark: 0 });
}
