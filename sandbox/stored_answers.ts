/**
 * Answers of runs with an `Idempotency-Key`, stored with the sandbox for a day
 * (docs/contract.md#idempotency).
 *
 * An answer is part of the commit of its run, so there is an answer exactly if the run has
 * happened. Whatever adds or removes one also changes the root record, so a commit that checks the
 * root record needs no other check.
 *
 * | key | what a run with it does |
 * |---|---|
 * | new, or its answer has expired | runs |
 * | of a run that is going on | waits for its turn, then looks again |
 * | of an answer to the same request | nothing: it is answered with that answer |
 * | of an answer to another request | nothing: 409 |
 *
 * @module
 */
import { contentHash } from "../shared/content_hash.ts";
import { z } from "zod";
import { IDEMPOTENCY_REPLAYED_HEADER } from "../client/protocol/paths.ts";
import { type BlobRef, blobRefSchema } from "../store/blobs.ts";
import { type DueSandbox, expiringThingsTask } from "../store/expiry.ts";
import {
  answerTimeKey,
  answerTimesPrefix,
  sandboxBlobKey,
  storedAnswerKey,
} from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { Maintenance } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import { conflict, type ServiceError } from "../shared/errors.ts";
import { STORED_ANSWER_EXTRA_BYTES, STORED_ANSWER_MS } from "../shared/limits.ts";
import { jsonTextResponse } from "../shared/responses.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";
import type { Draft } from "./draft.ts";
import type { SandboxRecord, SandboxState, StoredAnswersRecord } from "./root_record.ts";
import type { OperationOptions, TakePlace } from "./operation_options.ts";

/** The key of a run, and the request that it stands for. */
export interface RunKey {
  readonly key: string;
  /** See {@link requestDigest}. */
  readonly digest: string;
}

/** A stored answer. */
interface StoredAnswer {
  /** Of its request. */
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** The body of the answer. */
  readonly body: BlobRef;
}

const answerSchema: z.ZodType<StoredAnswer> = z.object({
  digest: z.string(),
  expiresAt: z.number(),
  body: blobRefSchema,
});

/** Maximum number of sandboxes of which one round of the janitor removes answers. */
const PER_ROUND = 500;
/** Answers that one commit removes: their longest keys fit one atomic operation. */
const PER_COMMIT = 64;

/** The key of a run and its request; undefined for a run without a key. */
export function runKey(
  key: string | undefined,
  request: SandboxExecuteRequest,
): RunKey | undefined {
  return key === undefined ? undefined : { key, digest: requestDigest(request) };
}

/** Who wants the answer of an earlier run. */
export interface Repeater {
  readonly signal: AbortSignal;
  /** A stored answer is read in the place of a call that runs no code. */
  readonly takePlace: TakePlace | undefined;
}

/**
 * The answer of an earlier run with this key; undefined when there is none.
 *
 * @throws {ServiceError} `CONFLICT` when the key stands for another request.
 */
export async function repeatedAnswer(
  options: OperationOptions,
  state: SandboxState,
  key: RunKey,
  { signal, takePlace }: Repeater,
): Promise<Response | undefined> {
  return await options.stored.steady(state, async (at) => {
    const { record } = at;
    const answer = await findAnswer(options.kv, record, key.key);
    if (record === undefined || answer === undefined) return undefined;
    if (isTooOld(answer, options.clock)) return undefined;
    checkRequest(answer, key);
    const leave = await takePlace?.(signal);
    try {
      const body = await options.stored.contents(record.lifetime, answer.body);
      await options.changes.use(at);
      return jsonTextResponse(new TextDecoder().decode(body), {
        headers: { [IDEMPOTENCY_REPLAYED_HEADER]: "true" },
      });
    } finally {
      leave?.();
    }
  });
}

/** The place of a run's answer. */
export interface AnswerPlace extends RunKey {
  /** The stored answer, expired or not. */
  readonly stored: StoredAnswer | undefined;
  /** The id of the write that keeps an answer there; undefined when the place is free. */
  readonly keeper: string | undefined;
}

/**
 * Finds the place of an answer.
 *
 * @throws {ServiceError} `CONFLICT` when the key stands for another request.
 */
export async function answerPlace(
  { kv, clock }: OperationOptions,
  { record }: SandboxState,
  key: RunKey,
): Promise<AnswerPlace> {
  const stored = await findAnswer(kv, record, key.key);
  const current = stored === undefined || isTooOld(stored, clock) ? undefined : stored;
  if (current !== undefined) checkRequest(current, key);
  return { ...key, stored, keeper: current?.body.run };
}

/** The run of a stored answer. */
export interface AnsweredRun {
  readonly contextId: string;
  /** Runs of the context, this one included. */
  readonly executions: number;
}

/**
 * Keeps the answer of a run in its commit, in place of one that has expired. Gives the id of the
 * write.
 */
export function putAnswer(
  draft: Draft,
  record: SandboxRecord,
  { key, digest, stored }: AnswerPlace,
  { body, now, run }: { readonly body: string; readonly now: number; readonly run: AnsweredRun },
): string {
  const { transaction } = draft;
  const { lifetime } = record;
  if (stored !== undefined) {
    transaction.deleteBlob(sandboxBlobKey(lifetime), stored.body);
    transaction.delete(answerTimeKey(lifetime, stored.expiresAt, key));
  }
  const ref = transaction.putBlob(sandboxBlobKey(lifetime), new TextEncoder().encode(body));
  const expiresAt = now + STORED_ANSWER_MS;
  const answer: StoredAnswer = { digest, expiresAt, body: ref };
  transaction.set(storedAnswerKey(lifetime, key), answer);
  transaction.set(answerTimeKey(lifetime, expiresAt, key), { ...ref, ...run });
  const { bytes, until } = record.answers ?? { bytes: 0, until: expiresAt };
  const less = stored === undefined ? 0 : bytesOf(stored.body);
  const answers = { bytes: bytes + bytesOf(ref) - less, until: Math.min(until, expiresAt) };
  draft.update({ ...record, answers });
  return ref.run;
}

/** Removes expired answers. */
export function answerExpiryTask(options: OperationOptions): Maintenance {
  return expiringThingsTask(options, {
    name: "stored answers",
    index: "answer_expiry",
    perRound: PER_ROUND,
    perCommit: PER_COMMIT,
    remove: (due) => removeExpired(options, due),
  });
}

/** Removes the expired answers of a sandbox, or as many as a commit takes. Gives how many. */
async function removeExpired(
  options: OperationOptions,
  { tenant, id, lifetime }: DueSandbox,
): Promise<number> {
  return await options.changes.change({ tenant, id }, async ({ record }, draft) => {
    if (record?.lifetime !== lifetime || record.answers === undefined) return 0;
    const oldest = await oldestAnswers(options.kv, lifetime);
    const now = options.clock();
    const expired = oldest.slice(0, PER_COMMIT).filter(({ expiresAt }) => expiresAt <= now);
    for (const { key, expiresAt, body } of expired) {
      draft.transaction.delete(storedAnswerKey(lifetime, key));
      draft.transaction.delete(answerTimeKey(lifetime, expiresAt, key));
      draft.transaction.deleteBlob(sandboxBlobKey(lifetime), body);
    }
    const less = expired.reduce((sum, { body }) => sum + bytesOf(body), 0);
    const until = oldest[expired.length]?.expiresAt;
    draft.asMaintenance();
    draft.update(withAnswers(
      record,
      until === undefined ? undefined : {
        bytes: record.answers.bytes - less,
        until,
      },
    ));
    return expired.length;
  });
}

/** An answer in order of time. */
interface AgingAnswer {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly body: BlobRef;
}

/** One more than a commit removes, if there are as many. */
async function oldestAnswers(kv: KvStore, lifetime: string): Promise<readonly AgingAnswer[]> {
  const oldest: AgingAnswer[] = [];
  const prefix = answerTimesPrefix(lifetime);
  for await (const { key: path, value } of kv.list({ prefix }, { limit: PER_COMMIT + 1 })) {
    const [expiresAt, key] = path.slice(prefix.length);
    if (typeof expiresAt !== "number" || typeof key !== "string") continue;
    oldest.push({ expiresAt, key, body: blobRefSchema.parse(value) });
  }
  return oldest;
}

function withAnswers(
  { answers: _, ...rest }: SandboxRecord,
  answers: StoredAnswersRecord | undefined,
): SandboxRecord {
  return answers === undefined ? rest : { ...rest, answers };
}

function isTooOld({ expiresAt }: StoredAnswer, clock: Clock): boolean {
  return expiresAt <= clock();
}

async function findAnswer(
  kv: KvStore,
  record: SandboxRecord | undefined,
  key: string,
): Promise<StoredAnswer | undefined> {
  if (record?.answers === undefined) return undefined;
  const { value } = await kv.get(storedAnswerKey(record.lifetime, key));
  return value === null ? undefined : answerSchema.parse(value);
}

function checkRequest({ digest }: StoredAnswer, key: RunKey): void {
  if (digest !== key.digest) throw otherRequest();
}

/** The key was used with another request. */
export function otherRequest(): ServiceError<"CONFLICT"> {
  return conflict("This Idempotency-Key was used with another request in this sandbox");
}

/** The bytes counted for an answer. */
function bytesOf({ bytes }: BlobRef): number {
  return bytes + STORED_ANSWER_EXTRA_BYTES;
}

/** The digest, 64 hex digits. */
export function requestDigest(request: SandboxExecuteRequest): string {
  return contentHash(new TextEncoder().encode(JSON.stringify(canonical(request))));
}

/**
 * The same value as arrays whose order is fixed. The first element tells kinds apart.
 *
 * @throws {TypeError} for a kind of object that no request has
 */
function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return ["array", ...value.map(canonical)];
  if (value instanceof Map) return ["map", ...sorted([...value])];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError("a field of a request is of an unknown kind");
  }
  return ["object", ...sorted(Object.entries(value).filter(([, part]) => part !== undefined))];
}

function sorted(entries: readonly (readonly [name: string, value: unknown])[]): unknown[] {
  return entries
    .toSorted(([left], [right]) => left < right ? -1 : 1)
    .map(([name, value]) => [name, canonical(value)]);
}
