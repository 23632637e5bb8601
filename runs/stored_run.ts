/**
 * A stored run: its record, and its history in parts. The first part is its beginning; each later one
 * has calls that are shown, or answers.
 *
 * @module
 */
import { z } from "zod";
import { type Language, LANGUAGES, type NotifyTarget } from "../client/protocol/types.ts";
import { type BlobRef, blobRefSchema, readBlob } from "../store/blobs.ts";
import { runBlobKey, runPartKey, runPartsPrefix } from "../store/run_keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { Transaction } from "../store/transaction.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";
import type { WithRunTools } from "../shared/operator_tools.ts";
import type { Additions } from "./additions.ts";
import type { ShownCall, ShownQuestion } from "./call_table.ts";
import type { RunTerms, StoredHistory } from "./run_terms.ts";

/** The context of a run. */
export interface RunContext {
  readonly sandbox: string;
  readonly lifetime: string;
  readonly contextId: string;
}

/** A place in the queue of a context. */
export interface QueuePlace {
  readonly id: string;
  readonly n: number;
}

/** The record of a run. Times are epoch milliseconds. A run without a context has none of its fields. */
export interface StoredRun extends Partial<RunContext> {
  readonly version: 1;
  readonly language: Language;
  /** Whether it is part of a checkpoint. */
  readonly isKept?: boolean;
  /** Whether its program has not reached its first wait. */
  readonly isQueued?: boolean;
  /** Its place in the queue of its context. Absent: it has its turn. */
  readonly queue?: QueuePlace;
  readonly createdAt: number;
  /** When it had its turn. Absent: when it was created. */
  readonly startsAt?: number;
  /** Number of parts. */
  readonly parts: number;
  /** When something is to be done for it. */
  readonly dueAt: number;
  /** Its part of the bytes of its tenant. */
  readonly bytes: number;
  /** Where its notifications go. */
  readonly notify?: NotifyTarget;
  /** Present once it has ended. */
  readonly end?: StoredEnd;
}

/** A stored run as this process has read it. */
export interface KnownRun {
  readonly record: StoredRun;
  readonly versionstamp: string;
}

/** The end of a stored run. */
export interface StoredEnd {
  readonly at: number;
  /** Of a run that was cancelled, which has no result. */
  readonly state?: "cancelled";
  /** The result. */
  readonly body?: BlobRef;
  /** The events, see `stored_events.ts`. Absent in the runs of earlier versions. */
  readonly events?: BlobRef;
}

/** The beginning of a run. The address of its notifications is in its record only. */
export interface RunBeginning {
  readonly request: Omit<WithRunTools<SandboxExecuteRequest>, "envVars"> & {
    readonly envVars: readonly (readonly [name: string, value: string | null])[];
  };
  /** Of a run without a context whose caller said `typescript` or `ts`. */
  readonly typescript?: boolean;
  readonly seed: readonly number[];
  readonly key: RunTerms["key"];
  readonly waitMs: number;
}

/** Calls and a question that are shown to the caller. */
export interface ShownPart {
  readonly calls: readonly ShownCall[];
  readonly question: ShownQuestion | null;
}

/** The history of a copied run as of its copy. */
export interface CopiedPart extends ShownPart, Additions {
  /** All questions that were shown. */
  readonly questions: readonly ShownQuestion[];
}

/** A part of the history of a run, but for the first one. */
export type RunPart = ShownPart | Additions | CopiedPart;

/** The calls, questions and answers of all parts. */
export function historyParts(
  parts: readonly RunPart[],
): Pick<StoredHistory, "calls" | "questions" | keyof Additions> {
  const additions = parts.flatMap((part) => "entries" in part ? [part] : []);
  return {
    calls: parts.flatMap((part) => "calls" in part ? part.calls : []),
    questions: parts.flatMap((part) =>
      "questions" in part ? part.questions : "calls" in part ? part.question ?? [] : []
    ),
    entries: additions.flatMap(({ entries }) => entries),
    digests: additions.flatMap(({ digests }) => digests),
    verdicts: additions.flatMap(({ verdicts = [] }) => verdicts),
    started: additions.flatMap(({ started = [] }) => started),
  };
}

const recordSchema: z.ZodType<StoredRun> = z.object({
  version: z.literal(1),
  sandbox: z.string().exactOptional(),
  lifetime: z.string().exactOptional(),
  contextId: z.string().exactOptional(),
  language: z.enum(LANGUAGES),
  isKept: z.boolean().exactOptional(),
  isQueued: z.boolean().exactOptional(),
  queue: z.object({ id: z.string(), n: z.number() }).exactOptional(),
  createdAt: z.number(),
  startsAt: z.number().exactOptional(),
  parts: z.number(),
  dueAt: z.number(),
  bytes: z.number(),
  notify: z.object({ url: z.string(), secret: z.string() }).exactOptional(),
  end: z.object({
    at: z.number(),
    state: z.literal("cancelled").exactOptional(),
    body: blobRefSchema.exactOptional(),
    events: blobRefSchema.exactOptional(),
  }).exactOptional(),
});

/** Larger parts are blobs: a value of the store has at most 64 KiB. */
const INLINE_BYTES = 48 * 1024;
/** Counted for each part besides its own bytes: keys. */
const PART_BYTES = 128;

/** Reads a record; undefined when there is none. */
export function readStoredRun(value: unknown): StoredRun | undefined {
  return value === null || value === undefined ? undefined : recordSchema.parse(value);
}

/** The context of a run; undefined for a run without one. */
export function contextOf({ sandbox, lifetime, contextId }: StoredRun): RunContext | undefined {
  if (sandbox === undefined || lifetime === undefined || contextId === undefined) return undefined;
  return { sandbox, lifetime, contextId };
}

/** Adds a part to a transaction. Returns the bytes that it counts for. */
export function putPart(
  transaction: Transaction,
  { tenant, run, n }: { readonly tenant: string; readonly run: string; readonly n: number },
  part: RunBeginning | RunPart,
): number {
  const bytes = new TextEncoder().encode(JSON.stringify(part));
  const value = bytes.length <= INLINE_BYTES
    ? bytes
    : transaction.putBlob(runBlobKey(tenant, run), bytes);
  transaction.set(runPartKey(tenant, run, n), value);
  return bytes.length + PART_BYTES;
}

/** The parts of a run from the n-th. The service has written them, so their shape is known. */
export async function readParts<Part>(
  kv: KvStore,
  { tenant, run, from }: { readonly tenant: string; readonly run: string; readonly from: number },
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const prefix = runPartsPrefix(tenant, run);
  const selector = { prefix, start: runPartKey(tenant, run, from) };
  for await (const { value } of kv.list(selector)) {
    const bytes = value instanceof Uint8Array
      ? value
      : await readBlob(kv, runBlobKey(tenant, run), blobRefSchema.parse(value));
    parts.push(JSON.parse(new TextDecoder().decode(bytes)));
  }
  return parts;
}
