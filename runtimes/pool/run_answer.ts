/**
 * The check of an isolate's answer. A guest that broke out of its engine could write anything here,
 * so only what the schema names is accepted, and everything has a maximum.
 *
 * @module
 */
import { z } from "zod";
import { REPR_BYTES, WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { decodeMessage, ProtocolError } from "../../shared/message.ts";
import type { ContextAnswerHead, RunAnswerHead } from "../isolate/protocol.ts";
import { MAX_TIME_MS } from "../engine/time_value.ts";

/** A checked answer. */
export interface RunAnswer {
  readonly head: RunAnswerHead;
  /** Text of the value, for the endings `text` and `json`; empty otherwise. */
  readonly value: string;
  /** The new segment and the contents of files, for a run in a context; otherwise empty. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

/** Structural characters of a head besides the lines of a traceback; most belong to paths. */
const MAX_HEAD_STRUCTURE = 8 * WORKSPACE_LIMITS.entries;
/** The value, the segment of a snapshot, and the contents of files, `/tmp` included. */
const MAX_PARTS = 2 + 2 * WORKSPACE_LIMITS.entries;
/** The engine chooses the names of globals. */
const MAX_NAME_LENGTH = 64;
const MAX_EXIT_CODE = 255;

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

const text = z.string();
const lines = z.array(text);
const count = z.number().int().nonnegative();
const milliseconds = z.number().nonnegative();

const word = z.number().int().min(-(2 ** 31)).max(2 ** 32 - 1);
const instant = z.number().nonnegative().max(MAX_TIME_MS);
const path = z.string().max(WORKSPACE_LIMITS.pathBytes);

const contextSchema: z.ZodType<ContextAnswerHead> = z.object({
  memoryBytes: count,
  globals: z.record(z.string().max(MAX_NAME_LENGTH), word),
  pages: count,
  reusedSegments: count,
  cwd: path,
  clock: z.object({ epochMs: instant, monotonicMs: instant }),
  dirs: z.array(path).optional(),
  files: z.array(z.tuple([path, z.number().min(-MAX_TIME_MS).max(MAX_TIME_MS)])),
  deleted: z.array(path),
  captureMs: milliseconds,
});

const answerSchema: z.ZodType<RunAnswerHead> = z.object({
  run: count,
  ending: z.union([
    z.object({ kind: z.literal("crash") }),
    z.object({
      kind: z.literal("none"),
      exitCode: z.int().min(0).max(MAX_EXIT_CODE).optional(),
      unterminated: z.array(z.enum(["stdout", "stderr"])).min(1).max(2).optional(),
    }),
    z.object({ kind: z.enum(["text", "json"]), repr: z.string().max(REPR_BYTES).optional() }),
    z.object({
      kind: z.literal("error"),
      name: text,
      message: text,
      traceback: lines,
      lineNumber: count.optional(),
    }),
    z.object({
      kind: z.literal("limit"),
      limit: z.enum([
        ...["fuel", "wall clock", "output", "result", "display", "memory"] as const,
        ...["snapshot", "calls"] as const,
      ]),
      traceback: lines,
    }),
  ]),
  fuelConsumed: count,
  memoryBytes: count,
  durationMs: milliseconds,
  resetMs: milliseconds,
  outputBytes: count,
  displayBytes: count,
  calls: z.object({ calls: count, waits: count }).optional(),
  healthy: z.boolean(),
  context: contextSchema.optional(),
});

/**
 * Checks the bytes of an answer to the run with that number and limit of the traceback. Throws a
 * ProtocolError.
 */
export function readRunAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  run: number,
  tracebackBytes: number,
): RunAnswer {
  const message = decodeMessage(bytes, MAX_HEAD_STRUCTURE + tracebackBytes, MAX_PARTS);
  const parsed = answerSchema.safeParse(message.head);
  if (!parsed.success) throw new ProtocolError("the answer has another shape");
  if (parsed.data.run !== run) throw new ProtocolError("the answer is of another run");
  const { data: head } = parsed;
  const [value = new Uint8Array(), ...parts] = message.parts;
  const expected = head.context === undefined ? 0 : 1 + head.context.files.length;
  if (parts.length !== expected) throw new ProtocolError("the answer has other parts");
  return { head, value: DECODER.decode(value), parts };
}
