/**
 * The history of a context: its latest runs, from their stored answers
 * (docs/contract.md#history-of-a-context).
 *
 * A restore takes a context back to an earlier count of runs. The runs that it undid are not in the
 * history: of the runs with one count, the newest is.
 *
 * @module
 */
import { z } from "zod";
import { blobRefSchema } from "../store/blobs.ts";
import type { BlobRef } from "../store/blobs.ts";
import { answerTimesPrefix } from "../store/keys.ts";
import { isoTimestamp } from "../shared/clock.ts";
import { contextNotFound } from "../shared/errors.ts";
import { CONTEXT_HISTORY, STORED_ANSWER_MS } from "../shared/limits.ts";
import { jsonTextResponse } from "../shared/responses.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { ContextRecord, SandboxAddress, SandboxRecord } from "./root_record.ts";
import type { AnsweredRun } from "./stored_answers.ts";

/**
 * The store lists forwards only. So the times before the last run of the context are read in steps,
 * until one has enough runs. In milliseconds.
 */
const STEPS_MS = [5 * 60_000, 60 * 60_000, STORED_ANSWER_MS] as const;
/** Entries that one step reads. */
const MAX_READ = 1_000;

/** A run whose answer is stored. */
interface StoredRunAnswer extends AnsweredRun {
  readonly body: BlobRef;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Answers of earlier versions do not name their run. */
const runSchema: z.ZodType<AnsweredRun> = z.object({
  contextId: z.string(),
  executions: z.number(),
});

/** The body of `GET /contexts/:contextId/history`, newest first. Throws `CONTEXT_NOT_FOUND`. */
export async function contextHistory(
  options: OperationOptions,
  address: SandboxAddress,
  contextId: string,
): Promise<Response> {
  const state = await options.changes.current(address);
  const runs = await options.stored.steady(state, async ({ record }) => {
    const context = record?.contexts.find(({ id }) => id === contextId);
    if (record === undefined || context === undefined) throw contextNotFound(contextId);
    return await storedExecutions(options, record, context);
  });
  await options.changes.use(state);
  const texts = runs.map(({ text, expiresAt }) => {
    const endedAt = isoTimestamp(() => expiresAt - STORED_ANSWER_MS);
    return `{"endedAt":${JSON.stringify(endedAt)},"execution":${text}}`;
  });
  return jsonTextResponse(`{"runs":[${texts.join()}]}`);
}

/** The stored result of a run, as JSON. */
export interface StoredExecution {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The stored results of the latest runs of a context, newest first. Throws BlobCorrupt. */
export async function storedExecutions(
  options: OperationOptions,
  record: SandboxRecord,
  context: ContextRecord,
): Promise<readonly StoredExecution[]> {
  const answers = await newestAnswers(options, record, context);
  return await Promise.all(answers.map(async ({ body, expiresAt }) => ({
    text: new TextDecoder().decode(await options.stored.contents(record.lifetime, body)),
    expiresAt,
  })));
}

async function newestAnswers(
  options: OperationOptions,
  record: SandboxRecord,
  context: ContextRecord,
): Promise<readonly StoredRunAnswer[]> {
  if (record.answers === undefined) return [];
  let found: readonly StoredRunAnswer[] = [];
  for (const stepMs of STEPS_MS) {
    const from = context.lastUsed + STORED_ANSWER_MS - stepMs;
    const { count, answers } = await answersFrom(options, record.lifetime, from);
    const latest = latestRuns(answers, context);
    // of more entries than one step reads, the newest are missing
    if (count < MAX_READ || found.length === 0) found = latest;
    if (count === MAX_READ || found.length === CONTEXT_HISTORY.runs) break;
  }
  return withinBytes(found);
}

/** The answers that expire from a time on, oldest first. */
async function answersFrom(
  { kv, clock }: OperationOptions,
  lifetime: string,
  from: number,
): Promise<{ readonly count: number; readonly answers: readonly StoredRunAnswer[] }> {
  const answers: StoredRunAnswer[] = [];
  const prefix = answerTimesPrefix(lifetime);
  const now = clock();
  let count = 0;
  const selector = { prefix, start: [...prefix, Math.max(from, now)] };
  for await (const { key, value } of kv.list(selector, { limit: MAX_READ })) {
    count++;
    const expiresAt = key[prefix.length];
    const run = runSchema.safeParse(value);
    if (typeof expiresAt !== "number" || expiresAt <= now || !run.success) continue;
    answers.push({ ...run.data, body: blobRefSchema.parse(value), expiresAt });
  }
  return { count, answers };
}

/** The latest runs of a context, newest first. */
function latestRuns(
  answers: readonly StoredRunAnswer[],
  { id, executions }: ContextRecord,
): readonly StoredRunAnswer[] {
  let below = executions + 1;
  const newestFirst = answers.toSorted((a, b) =>
    b.expiresAt - a.expiresAt || b.executions - a.executions
  );
  return newestFirst.filter((answer) => {
    if (answer.contextId !== id || answer.executions >= below) return false;
    below = answer.executions;
    return true;
  }).slice(0, CONTEXT_HISTORY.runs);
}

/** The newest, and those after it as far as there is room. */
function withinBytes(answers: readonly StoredRunAnswer[]): readonly StoredRunAnswer[] {
  let bytes = 0;
  const end = answers.findIndex(({ body }, index) => {
    bytes += body.bytes;
    return index > 0 && bytes > CONTEXT_HISTORY.bytes;
  });
  return end === -1 ? answers : answers.slice(0, end);
}
