/**
 * Answers to the calls and questions of a run: read, checked as a whole, then added to its journal.
 *
 * @module
 */
import { z } from "zod";
import type { Additions } from "./additions.ts";
import type { Decider } from "../client/protocol/journal.ts";
import { contentHash } from "../shared/content_hash.ts";
import { quoted, utf8Length } from "../client/protocol/text.ts";
import type { JsonValue } from "../client/protocol/types.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { callAnswered, callNotFound, runNotFound, validationFailed } from "../shared/errors.ts";
import { hasInfinity } from "../shared/exact_json.ts";
import { canonicalJson, valueFault } from "../shared/json_schema.ts";
import { type BodyOwner, parseExactObject, readJsonBytes } from "../shared/read_body.ts";
import { parseBody } from "../shared/schemas.ts";
import type { ProgramRun } from "./program_run.ts";
import { memoryUsedUp } from "./run_memory.ts";
import { isOutdated } from "./run_answer.ts";
import { RunOutdated } from "./run_terms.ts";
import type { Entry } from "./run_journal.ts";

/** One answer of a list. */
type Answer =
  & { readonly key: string }
  & (
    | { readonly value: JsonValue }
    | { readonly error: { readonly message: string; readonly data?: JsonValue } }
    | { readonly deny: string }
    | { readonly approve: true }
  );

/** Maximum length of an error's message or the reason of a denial, in bytes. */
const MESSAGE_BYTES = 16 * 1024;

/** Maximum length of a body. */
export const ANSWERS_BYTES: number = CALL_LIMITS.allAnswerBytes + 64 * 1024;

const message = (field: string) =>
  z.string(`${field} must be a string`).refine(
    (text) => utf8Length(text) <= MESSAGE_BYTES,
    `${field} is larger than ${MESSAGE_BYTES} bytes`,
  );

const answerSchema: z.ZodType<Answer, unknown> = z.union([
  z.strictObject({ key: z.string(), value: z.custom<JsonValue>((value) => value !== undefined) }),
  z.strictObject({
    key: z.string(),
    error: z.strictObject({
      message: message("error.message"),
      data: z.custom<JsonValue>().exactOptional(),
    }),
  }),
  z.strictObject({ key: z.string(), deny: message("deny") }),
  z.strictObject({ key: z.string(), approve: z.literal(true) }),
], "each of answers must have a key and one of value, error, deny and approve");

const ANSWERS_SCHEMA: z.ZodType<{ readonly answers: readonly Answer[] }, unknown> = z.object(
  {
    answers: z.array(answerSchema, "answers must be an array").max(
      CALL_LIMITS.calls,
      `answers has more than ${CALL_LIMITS.calls} answers`,
    ),
  },
);

/**
 * Reads the body of a request.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export async function readAnswers(
  request: Request,
  owner: BodyOwner,
): Promise<readonly Answer[]> {
  const bytes = await readJsonBytes(request, { ...owner, maxBytes: ANSWERS_BYTES });
  const body = await parseExactObject(bytes, {
    tenant: owner.meter?.tenant ?? "",
    maxStructure: CALL_LIMITS.answerStructure,
  });
  const { answers } = parseBody(ANSWERS_SCHEMA, body);
  const keys = new Set<string>();
  for (const { key } of answers) {
    if (keys.has(key)) throw validationFailed(`answers has ${quoted(key)} twice`);
    keys.add(key);
  }
  return answers;
}

/** Who answers, and when. */
export interface Answerer {
  readonly by: Decider;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/**
 * Checks a list of answers and adds it to the run's journal: all of it or nothing.
 *
 * @throws {ServiceError} `CALL_NOT_FOUND`, `CALL_ANSWERED`, `VALIDATION_FAILED`
 */
export async function answerRun(
  run: ProgramRun,
  answers: readonly Answer[],
  answerer: Answerer,
): Promise<void> {
  // a key that is answered meanwhile is checked again
  while (!await addAnswers(run, answers, answerer));
}

async function addAnswers(
  run: ProgramRun,
  answers: readonly Answer[],
  { by, atMs }: Answerer,
): Promise<boolean> {
  if (isOutdated(run)) throw new RunOutdated();
  if (run.state === "cancelled") throw runNotFound(run.terms.id);
  const entries: Entry[] = [];
  const digests: Additions["digests"][number][] = [];
  const verdicts: NonNullable<Additions["verdicts"]>[number][] = [];
  let bytes = run.answerBytes;
  for (const [index, answer] of answers.entries()) {
    const { key, ...content } = answer;
    checkKind(run, answer, `answers[${index}]`);
    const digest = contentHash(new TextEncoder().encode(canonicalJson(content)));
    const before = run.calls.answerTo(key);
    if (before === digest) continue;
    if (before !== undefined) throw callAnswered(key);
    if ("approve" in answer) {
      if (run.end !== undefined) throw callNotFound(key);
      verdicts.push([key, { by, at: atMs, digest }]);
      continue;
    }
    const entry = entryOf(run, answer, `answers[${index}]`);
    if ("deny" in answer) verdicts.push([key, { by, at: atMs, digest, deny: answer.deny }]);
    bytes += entry.bytes;
    if (bytes > CALL_LIMITS.allAnswerBytes) {
      throw validationFailed(
        `The answers of the run are larger than ${CALL_LIMITS.allAnswerBytes} bytes`,
        413,
      );
    }
    entries.push({ ...entry.entry, atMs });
    digests.push([key, digest]);
  }
  if (!run.hasRoom(bytes - run.answerBytes)) throw memoryUsedUp();
  return await run.answer({ entries, digests, verdicts });
}

/** A call of the operator's tools is approved or denied, and no other one. */
function checkKind(run: ProgramRun, answer: Answer, place: string): void {
  const call = run.calls.call(answer.key);
  const { operator, name } = call ?? {};
  if (operator?.approval === "never") throw callNotFound(answer.key);
  if (operator === undefined && "approve" in answer) {
    if (call === undefined && run.calls.questionOf(answer.key) === undefined) {
      throw callNotFound(answer.key);
    }
    throw validationFailed(`${place} must have a value or an error: it is no tool of the operator`);
  }
  if (operator !== undefined && !("approve" in answer || "deny" in answer)) {
    throw validationFailed(
      `${place}: ${name} is a tool of the operator: its calls are approved or denied`,
    );
  }
}

function entryOf(
  run: ProgramRun,
  answer: Exclude<Answer, { readonly approve: true }>,
  place: string,
) {
  const { key } = answer;
  const call = run.end === undefined ? run.calls.call(key) : undefined;
  if (call !== undefined) {
    const { number, name } = call;
    if ("deny" in answer) {
      const error = { kind: "denied", message: answer.deny } as const;
      return { entry: { call: number, error }, bytes: utf8Length(answer.deny) };
    }
    if ("error" in answer) {
      const { message, data } = answer.error;
      const error = { kind: "tool", message, ...(data === undefined ? {} : { data }) } as const;
      return { entry: { call: number, error }, bytes: sizeOf(answer.error, `${place}.error`) };
    }
    const schema = run.calls.tool(call)?.outputSchema;
    const fault = schema && valueFault(schema, answer.value);
    if (fault !== undefined) {
      throw validationFailed(`${place}.value breaks the outputSchema of ${name}: ${fault}`);
    }
    const value = jsonOf(answer.value, `${place}.value`);
    return { entry: { call: number, value }, bytes: utf8Length(value) };
  }
  const question = run.end === undefined ? run.calls.questionOf(key) : undefined;
  if (question === undefined || question.number !== run.question) throw callNotFound(key);
  if (!("value" in answer) || (typeof answer.value !== "string" && answer.value !== null)) {
    throw validationFailed(`${place} must have a value: a line, or null for the end of input`);
  }
  const { value } = answer;
  const input = value === null || value.endsWith("\n") ? value : `${value}\n`;
  return { entry: { question: question.number, input }, bytes: sizeOf(value, `${place}.value`) };
}

function jsonOf(value: JsonValue | object, place: string): string {
  // JSON would say null in its place
  if (hasInfinity(value)) throw validationFailed(`${place} has a number that is too large`);
  return JSON.stringify(value);
}

/** The size of an error or a line of input, which cannot be a file. */
function sizeOf(value: JsonValue | object, place: string): number {
  const bytes = utf8Length(jsonOf(value, place));
  if (bytes <= CALL_LIMITS.answerBytes) return bytes;
  throw validationFailed(`${place} is larger than ${CALL_LIMITS.answerBytes} bytes as JSON`, 413);
}
