/**
 * Plans the atomic operations of a commit: a single one when it fits, otherwise the bytes ahead and
 * one small operation that makes them current. Pure: it writes nothing.
 *
 * @module
 */
import { type AtomicBounds, AtomicBudget, MAX_VALUE_BYTES, valueBytes } from "./atomic_size.ts";
import { garbageKey, intentKey } from "./keys.ts";
import type { KvAtomic } from "./kv.ts";

/** One write of a commit. */
export type Mutation =
  | { readonly kind: "set"; readonly key: Deno.KvKey; readonly value: unknown }
  | { readonly kind: "delete"; readonly key: Deno.KvKey }
  | { readonly kind: "add"; readonly key: Deno.KvKey; readonly n: bigint };

/** The keys of one stored blob: `key` followed by each part number. Plain data. */
export interface BlobSpan {
  readonly key: Deno.KvKey;
  readonly parts: number;
}

/** Everything that a commit does. */
export interface CommitContents {
  readonly writeId: string;
  readonly checks: readonly Deno.AtomicCheck[];
  readonly mutations: readonly Mutation[];
  /** Parts of new blobs, which may be written before the commit. */
  readonly parts: readonly Mutation[];
  /** Blobs that nothing refers to after the commit, which may be deleted after it. */
  readonly superseded: readonly BlobSpan[];
}

/** Where each write of a commit goes. */
export interface CommitPlan {
  /**
   * Batches to write before, each in one atomic operation; empty when one operation holds
   * everything.
   */
  readonly ahead: readonly (readonly Mutation[])[];
  /** Whether `ahead` contains lists of superseded blobs, which are deleted after the commit. */
  readonly garbage: boolean;
  /** The deciding operation. */
  readonly decisive: readonly Mutation[];
}

/** The records, checks and deletions of a commit do not fit one atomic operation. */
export class TransactionTooLarge extends Error {
  override readonly name = "TransactionTooLarge";
}

/** Room for the small record of an intent when a commit leaves garbage. */
const INTENT_AFTER_BYTES = 128;

/**
 * Plans a commit.
 *
 * `intentBytes`: size of the intent's value, which is written with the first batch ahead. `most`:
 * bounds of the deciding operation; a whole one by default.
 *
 * @throws {TransactionTooLarge}
 */
export function planCommit(
  contents: CommitContents,
  intentBytes: number,
  most?: AtomicBounds,
): CommitPlan {
  const { parts, superseded, mutations } = contents;
  const budget = requiredBudget(contents, most);
  const optional = [...parts, ...superseded.flatMap(deletionsOf)];
  if (optional.every((mutation) => count(budget, mutation))) {
    return { ahead: [], garbage: false, decisive: [...mutations, ...optional] };
  }
  return planAhead(contents, intentBytes, most);
}

function planAhead(
  contents: CommitContents,
  intentBytes: number,
  most: AtomicBounds | undefined,
): CommitPlan {
  const { writeId, parts, superseded, mutations } = contents;
  const intent = intentKey(writeId);
  const budget = requiredBudget(contents, most);
  if (
    intentBytes >= MAX_VALUE_BYTES || !budget.addCheck(intent) ||
    !budget.addMutation(intent, INTENT_AFTER_BYTES)
  ) throw tooLarge();
  const now = countWhile(superseded.flatMap(deletionsOf), budget);
  const later = spansAfter(superseded, now.length);
  const riding = countWhile(parts.toReversed(), budget).toReversed();
  const lists = garbageLists(writeId, later);
  const early = [...parts.slice(0, parts.length - riding.length), ...lists];
  return {
    ahead: pack(early, intent, intentBytes),
    garbage: lists.length > 0,
    decisive: [...mutations, ...now, ...riding],
  };
}

function requiredBudget(
  { checks, mutations }: CommitContents,
  most: AtomicBounds | undefined,
): AtomicBudget {
  const budget = new AtomicBudget(most);
  const fits = checks.every(({ key }) => budget.addCheck(key)) &&
    mutations.every((mutation) => count(budget, mutation));
  if (!fits) throw tooLarge();
  return budget;
}

function tooLarge(): TransactionTooLarge {
  return new TransactionTooLarge("a commit's records do not fit one atomic operation");
}

function count(budget: AtomicBudget, mutation: Mutation): boolean {
  return budget.addMutation(mutation.key, bytesOfValue(mutation));
}

/** Bytes of the value of a write. */
function bytesOfValue(mutation: Mutation): number {
  if (mutation.kind === "delete") return 0;
  return mutation.kind === "add" ? 8 : valueBytes(mutation.value);
}

/** The longest prefix of `mutations` that fits. */
function countWhile(mutations: readonly Mutation[], budget: AtomicBudget): Mutation[] {
  const end = mutations.findIndex((mutation) => !count(budget, mutation));
  return mutations.slice(0, end === -1 ? mutations.length : end);
}

/**
 * Spans that the first `deleted` keys do not cover completely. Deleting a key twice does no harm.
 */
function spansAfter(spans: readonly BlobSpan[], deleted: number): BlobSpan[] {
  let end = 0;
  return spans.filter(({ parts }) => (end += parts) > deleted);
}

/** Keys of the parts of a blob. */
export function keysOf({ key, parts }: BlobSpan): Deno.KvKey[] {
  return Array.from({ length: parts }, (_, part) => [...key, part]);
}

/** The deletions of a blob. */
function deletionsOf(span: BlobSpan): Mutation[] {
  return keysOf(span).map((key) => ({ kind: "delete", key }));
}

/** Splits spans into lists that each fit one value. */
function garbageLists(writeId: string, spans: readonly BlobSpan[]): Mutation[] {
  const lists: BlobSpan[][] = [];
  let room = 0;
  for (const span of spans) {
    const bytes = valueBytes(span);
    if (bytes > room) {
      lists.push([]);
      room = MAX_VALUE_BYTES - 64;
    }
    lists.at(-1)?.push(span);
    room -= bytes;
  }
  return lists.map((value, n) => ({ kind: "set", key: garbageKey(writeId, n), value }));
}

/**
 * Batches that each fit one operation together with the check of the intent. The first one writes
 * the intent.
 */
function pack(mutations: readonly Mutation[], intent: Deno.KvKey, intentBytes: number) {
  const batches: Mutation[][] = [[]];
  let budget = new AtomicBudget();
  budget.addMutation(intent, intentBytes);
  for (const mutation of mutations) {
    if (!count(budget, mutation)) {
      budget = new AtomicBudget();
      budget.addCheck(intent);
      count(budget, mutation);
      batches.push([]);
    }
    batches.at(-1)?.push(mutation);
  }
  return batches;
}

/** Adds writes to an operation. */
export function apply(atomic: KvAtomic, mutations: readonly Mutation[]): KvAtomic {
  for (const mutation of mutations) {
    if (mutation.kind === "set") atomic.set(mutation.key, mutation.value);
    else if (mutation.kind === "delete") atomic.delete(mutation.key);
    else atomic.sum(mutation.key, mutation.n);
  }
  return atomic;
}
