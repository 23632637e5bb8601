/**
 * The check of an isolate's answer. A guest that broke out of its interpreter could write
 * anything here, so nothing is taken that the schema does not name, and nothing without a cap.
 *
 * @module
 */
import { z } from "zod";
import { decodeMessage, ProtocolError, type RunAnswerHead } from "../isolate/protocol.ts";

/** A checked answer. */
export interface RunAnswer {
  readonly head: RunAnswerHead;
  /** Text of the value, for the endings `text` and `json`; empty otherwise. */
  readonly value: string;
}

const text = z.string();
const lines = z.array(text);
const count = z.number().int().nonnegative();
const milliseconds = z.number().nonnegative();

const answerSchema: z.ZodType<RunAnswerHead> = z.object({
  run: count,
  ending: z.union([
    z.object({ kind: z.enum(["none", "text", "json", "crash"]) }),
    z.object({
      kind: z.literal("error"),
      name: text,
      message: text,
      traceback: lines,
      lineNumber: count.optional(),
    }),
    z.object({
      kind: z.literal("limit"),
      limit: z.enum(["fuel", "wall clock", "output", "result", "memory"]),
      traceback: lines,
    }),
  ]),
  fuelConsumed: count,
  memoryBytes: count,
  durationMs: milliseconds,
  resetMs: milliseconds,
  outputBytes: count,
  healthy: z.boolean(),
});

/**
 * Reads an answer's body of at most `limit` bytes. Isolates say how long their answers are, and
 * HTTP holds them to it; one that does not, or says too much, is refused with a ProtocolError
 * before a byte is read.
 */
export async function readCapped(
  response: Response,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(response.headers.get("content-length") ?? NaN);
  if (!(length <= limit)) {
    await response.body?.cancel();
    throw new ProtocolError("the answer has no length, or is too large");
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Checks an answer's bytes for the run with that number. Throws a ProtocolError. */
export function readRunAnswer(bytes: Uint8Array<ArrayBuffer>, run: number): RunAnswer {
  const message = decodeMessage(bytes);
  const parsed = answerSchema.safeParse(message.head);
  if (!parsed.success) throw new ProtocolError("the answer has another shape");
  if (parsed.data.run !== run) throw new ProtocolError("the answer is of another run");
  const [part = new Uint8Array()] = message.parts;
  return { head: parsed.data, value: new TextDecoder("utf-8", { ignoreBOM: true }).decode(part) };
}
