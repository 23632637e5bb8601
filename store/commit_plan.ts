/**
 * How a commit is laid out over atomic operations: in one when it fits, otherwise bytes ahead and
 * one small operation that makes them current. Pure: nothing is written here.
 *
 * @module
 */
import { AtomicBudget, MAX_VALUE_BYTES, valueBytes } from "./atomic_size.ts";
import { garbageKey, intentKey } from "./keys.ts";
import type { KvAtomic } from "./kv.ts";

/** One write of a commit. */
export type Mutation =
  | { readonly kind: "set"; readonly key: Deno.KvKey; readonly value: unknown }
  | { readonly kind: "delete"; readonly key: Deno.KvKey }
  | { readonly kind: "add"; readonly key: Deno.KvKey; readonly n: bigint };

/** The keys of one stored blob: `key` and then each part number. Plain data. */
export interface BlobSpan {
  readonly key: Deno.KvKey;
  readonly parts: number;
}

/** All that a commit is to do. */
export interface CommitContents {
  readonly run: string;
  readonly checks: readonly Deno.AtomicCheck[];
  readonly mutations: readonly Mutation[];
  /** Parts of new blobs: they may be written before the commit. */
  readonly parts: readonly Mutation[];
  /** Blobs that nobody names after the commit: they may be deleted after it. */
  readonly superseded: readonly BlobSpan[];
}

/** Where each write of a commit goes. */
export interface CommitPlan {
  /** Written before, each batch in one atomic operation; none when one operation takes it all. */
  readonly ahead: readonly (readonly Mutation[])[];
  /** True when lists of superseded blobs are among `ahead`: they are deleted after the commit. */
  readonly garbage: boolean;
  /** The operation that decides. */
  readonly decisive: readonly Mutation[];
}

/** A commit's own records, checks and deletions do not fit one atomic operation. */
export class TransactionTooLarge extends Error {
  override readonly name = "TransactionTooLarge";
}

/** Room for the small record that an intent is when a commit leaves garbage. */
const INTENT_AFTER_BYTES = 128;

/**
 * Lays out a commit.
 *
 * `intentBytes`: size of the intent's value, which goes with the first batch ahead.
 *
 * @throws {TransactionTooLarge}
 */
export function planCommit(contents: CommitContents, intentBytes: number): CommitPlan {
  const { parts, superseded, mutations } = contents;
  const budget = requiredBudget(contents);
  const optional = [...parts, ...superseded.flatMap(deletionsOf)];
  if (optional.every((mutation) => count(budget, mutation))) {
    return { ahead: [], garbage: false, decisive: [...mutations, ...optional] };
  }
  return planAhead(contents, intentBytes);
}

function planAhead(contents: CommitContents, intentBytes: number): CommitPlan {
  const { run, parts, superseded, mutations } = contents;
  const intent = intentKey(run);
  const budget = requiredBudget(contents);
  if (
    intentBytes >= MAX_VALUE_BYTES || !budget.addCheck(intent) ||
    !budget.addMutation(intent, INTENT_AFTER_BYTES)
  ) throw tooLarge();
  const now = countWhile(superseded.flatMap(deletionsOf), budget);
  const later = spansAfter(superseded, now.length);
  const riding = countWhile(parts.toReversed(), budget).toReversed();
  const lists = garbageLists(run, later);
  const early = [...parts.slice(0, parts.length - riding.length), ...lists];
  return {
    ahead: pack(early, intent, intentBytes),
    garbage: lists.length > 0,
    decisive: [...mutations, ...now, ...riding],
  };
}

function requiredBudget({ checks, mutations }: CommitContents): AtomicBudget {
  const budget = new AtomicBudget();
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

/** Bytes of the value that goes with a write. */
export function bytesOfValue(mutation: Mutation): number {
  if (mutation.kind === "delete") return 0;
  return mutation.kind === "add" ? 8 : valueBytes(mutation.value);
}

/** The first of `mutations`, as many as fit. */
function countWhile(mutations: readonly Mutation[], budget: AtomicBudget): Mutation[] {
  const end = mutations.findIndex((mutation) => !count(budget, mutation));
  return mutations.slice(0, end === -1 ? mutations.length : end);
}

/** Spans of which not all is among the first `deleted` keys. Deleting a key twice does no harm. */
function spansAfter(spans: readonly BlobSpan[], deleted: number): BlobSpan[] {
  let end = 0;
  return spans.filter(({ parts }) => (end += parts) > deleted);
}

/** Keys of the parts of a blob. */
export function keysOf({ key, parts }: BlobSpan): Deno.KvKey[] {
  return Array.from({ length: parts }, (_, part) => [...key, part]);
}

/** What deletes a blob. */
export function deletionsOf(span: BlobSpan): Mutation[] {
  return keysOf(span).map((key) => ({ kind: "delete", key }));
}

/** Lists of spans, each small enough for a value. */
function garbageLists(run: string, spans: readonly BlobSpan[]): Mutation[] {
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
  return lists.map((value, n) => ({ kind: "set", key: garbageKey(run, n), value }));
}

/** Batches that each fit one operation, which also checks the intent; the first one writes it. */
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
