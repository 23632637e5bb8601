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

/** Reads a body, at most `limit` bytes of it. Throws a ProtocolError beyond. */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) throw new ProtocolError("the answer is too large");
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Checks an answer's bytes for the run with that number. Throws a ProtocolError. */
export function readRunAnswer(bytes: Uint8Array<ArrayBuffer>, run: number): RunAnswer {
  const message = decodeMessage(bytes);
  const parsed = answerSchema.safeParse(message.head);
  if (!parsed.success) throw new ProtocolError("the answer has another shape");
  if (parsed.data.run !== run) throw new ProtocolError("the answer is of another run");
  const [part = new Uint8Array()] = message.parts;
  return { head: parsed.data, value: new TextDecoder().decode(part) };
}
