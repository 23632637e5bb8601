/**
 * Results of tools: text for the model, and the service's errors as results.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ErrorCode } from "../../client/protocol/error_codes.ts";

/** Maximum length of a result's text in bytes of UTF-8, except where the caller sets a length. */
export const TEXT_BYTES: number = 16 * 1024;

/** Advice for the model about an error, by its code. */
const ADVICE: { readonly [C in ErrorCode]?: string } = {
  CHECKPOINT_NOT_FOUND: "save_checkpoint returns the id of one.",
  CONFLICT: "This call changed nothing.",
  FILE_NOT_FOUND: "list_files shows the files.",
  RUN_WAITING: "answer_run answers it, cancel_run ends it.",
  NO_SPACE: "Delete files or sandboxes that are not needed.",
  SNAPSHOT_INCOMPATIBLE: "Use another context. The files of the sandbox are there.",
  SNAPSHOT_CORRUPT: "Use another context. The files of the sandbox are there.",
};

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  context: z.looseObject({ retryAfterMs: z.number().optional(), run: z.string().optional() }),
  httpStatus: z.number(),
});

/** A text, and the same as data. */
export function textResult(
  text: string,
  structuredContent: { readonly [field: string]: unknown },
): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** A failed call of a tool. */
export function errorText(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** The result for an answer of the service that is not a success. */
export async function refusal(answer: Response): Promise<CallToolResult> {
  const text = await answer.text();
  // the answer to a caller that has disconnected has no body
  return text === "" ? errorText("The call was cancelled") : refusalOf(JSON.parse(text));
}

/** The result for an ErrorResponse. */
export function refusalOf(error: unknown): CallToolResult {
  const { code, message, context, httpStatus } = errorSchema.parse(error);
  const { retryAfterMs, run } = context;
  const advice = retryAfterMs === undefined
    ? Object.entries(ADVICE).find(([of]) => of === code)?.[1]
    : `Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`;
  const where = run === undefined ? "" : `, run ${run}`;
  const line = `${message} (${code}, status ${httpStatus}${where})`;
  return errorText(advice === undefined ? line : `${line}. ${advice}`);
}

/** Advice for a program whose output is cut. */
export const WRITE_FILES = "Write long output to a file and read parts of it";

/**
 * A text of at most {@link TEXT_BYTES}. The middle of a longer one is replaced by a note, which ends
 * with advice of at most some hundred ASCII characters.
 */
export function shortened(text: string, advice: string = WRITE_FILES): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= TEXT_BYTES) return text;
  const note = `\n[... cut here: ${TEXT_BYTES} of ${bytes.length} bytes are shown. ` +
    `${advice} ...]\n`;
  const half = Math.floor((TEXT_BYTES - note.length) / 2);
  return firstBytes(bytes, half) + note + lastBytes(bytes, half);
}

/** The longest prefix of whole characters with at most that many bytes. */
export function firstBytes(bytes: Uint8Array, count: number): string {
  return new TextDecoder().decode(bytes.subarray(0, count), { stream: true });
}

/** Whole characters at the end, of at most that many bytes. */
export function lastBytes(bytes: Uint8Array, count: number): string {
  let from = bytes.length - count;
  while (isContinuation(bytes[from])) from++;
  return new TextDecoder().decode(bytes.subarray(from));
}

/** Whether a byte of UTF-8 is not the first of its character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
