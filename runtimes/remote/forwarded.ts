/**
 * Answers of a runtime on another machine that are forwarded. They are rebuilt from the checked
 * parts, so that no header and no body of another shape passes.
 *
 * @module
 */
import { EXECUTE_PATH } from "../../client/protocol/paths.ts";
import type { Language, RunLimits } from "../../client/protocol/types.ts";
import { PROTOCOL_HEADER } from "../../wire/binding.ts";
import { REWRITTEN_BYTES } from "../../wire/display.ts";
import type { LanguageLimits } from "../../wire/limits.ts";
import { jsonTextResponse } from "../../wire/responses.ts";
import { isWithin } from "./checked_outcome.ts";
import type { RemoteReply } from "./connection.ts";
import type { HeardRun } from "./heard_run.ts";
import { RemoteFailure } from "./remote_failure.ts";
import { errorBodySchema, statelessResultSchema } from "./shapes.ts";

/** Headers that callers use, and their allowed form. */
const HEADERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["allow", /^[A-Z, ]{1,100}$/],
  ["retry-after", /^\d{1,9}$/],
  [PROTOCOL_HEADER, /^\d{1,3}$/],
  ["server-timing", /^[a-z0-9=;., ]{1,200}$/],
];
/** Maximum length of one byte escaped in JSON. */
const ESCAPED = 6;
/** Room in an answer besides texts of the guest. */
const SLACK_BYTES = 64 * 1024;

/** Maximum length of an answer of a runtime with these limits. */
export function maxAnswerBytes(limits: LanguageLimits): number {
  const { codeBytes, outputBytes, outputLines, resultBytes, tracebackBytes } = limits;
  const texts = codeBytes + outputBytes + resultBytes + tracebackBytes;
  return ESCAPED * texts + 3 * outputLines + REWRITTEN_BYTES + SLACK_BYTES;
}

/** The expectations that an answer must meet. */
export interface Forwarding {
  readonly path: string;
  readonly language: Language;
  /** The limits that the run requested, if any. */
  readonly limits: RunLimits | undefined;
  /** The run, if it has a listener. */
  readonly heard: HeardRun | undefined;
}

/** Rebuilds the answer to forward. Throws when it is not a valid answer of a runtime. */
export function forwarded(call: Forwarding, reply: RemoteReply): Response {
  const { status, headers } = reply;
  const body = new TextDecoder("utf-8", { fatal: true }).decode(reply.body);
  const value: unknown = JSON.parse(body);
  if (!isAnswer(call, status, value)) {
    throw new RemoteFailure("the answer has another shape");
  }
  const kept = HEADERS.flatMap(([name, pattern]) => {
    const given = headers.get(name);
    return given !== null && pattern.test(given) ? [[name, given]] : [];
  });
  return jsonTextResponse(body, { status, headers: Object.fromEntries(kept) });
}

function isAnswer(
  { path, language, limits, heard }: Forwarding,
  status: number,
  value: unknown,
): boolean {
  if (status !== 200 && status !== 201) {
    const error = errorBodySchema.safeParse(value);
    return error.success && error.data.httpStatus === status;
  }
  if (path !== EXECUTE_PATH) return typeof value === "object" && value !== null;
  const result = statelessResultSchema.safeParse(value);
  if (!result.success || status !== 200) return false;
  const { results, error, usage } = result.data;
  heard?.settle(result.data);
  return result.data.language === language && (error === undefined || results.length === 0) &&
    isWithin(usage, limits);
}
