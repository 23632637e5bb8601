/**
 * The states of a context around a run: the committed one, from which it starts, and the one that
 * the isolate reports after it.
 *
 * @module
 */
import type { BlobRef } from "../../store/blobs.ts";
import { isoTimestamp } from "../../shared/clock.ts";
import { conflict, contextNotFound } from "../../shared/errors.ts";
import type { LanguageLimits } from "../../shared/limits.ts";
import type { ContextAddress, ExecuteInContextArgs } from "../../shared/run_in_context.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";
import { SNAPSHOT_PAGE_BYTES } from "../engine/snapshot/page_hash.ts";
import type { ContextAnswerHead } from "../isolate/protocol.ts";
import type { RunAnswer } from "../pool/run_answer.ts";
import type { ContextStore } from "./context_store.ts";
import type { EngineArchive } from "./engine_archive.ts";
import { newMemory, type ReadMemory } from "./memory_record.ts";
import { type SnapshotIndex, storedBytes } from "./snapshot_index.ts";
import {
  workspaceAfter,
  type WorkspaceAfterRun,
  type WorkspaceMirror,
} from "./workspace_mirror.ts";

/** The state that a run starts from. */
export interface RunStart {
  /** Monotonic milliseconds. */
  readonly began: number;
  readonly address: ContextAddress;
  /** The committed snapshot; undefined before the first run. */
  readonly index: SnapshotIndex | undefined;
  /** The working directory in which the run starts. */
  readonly cwd: string;
  /**
   * The current record. It is read while the program runs if this process knows what else the run
   * needs: no run is committed before the record allows it. `CONTEXT_NOT_FOUND`, `CONFLICT` after a
   * later lease.
   */
  readonly read: Promise<ReadMemory>;
}

interface RunStartOptions {
  readonly contexts: ContextStore;
  readonly engines: EngineArchive;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Reads what a run starts from. */
export async function readRunStart(
  options: RunStartOptions,
  address: ContextAddress,
  args: ExecuteInContextArgs,
): Promise<RunStart> {
  const { contexts, engines, monotonic } = options;
  const began = monotonic();
  const known = args.isOptimistic === true ? contexts.known.record(address) : undefined;
  const read = known === undefined ? allowedRecord(options, address, args) : Promise.resolve(known);
  read.catch(() => undefined); // a run that fails before it awaits this has its own reason
  if (args.snapshot === null) {
    // the first snapshot needs it; when this fails, the save tries again and reports that
    engines.ensureStored(engines.current).catch(() => undefined);
    return { began, address, read, cwd: args.cwd, index: undefined };
  }
  const index = contexts.known.index(address, args.snapshot) ??
    await storedIndex(options, address, args.snapshot, read);
  return { began, address, read, cwd: index.cwd, index };
}

/**
 * The current record; for a first run that creates its context, the one that it writes.
 * `CONTEXT_NOT_FOUND`; `CONFLICT` after a later lease.
 */
export async function allowedRecord(
  { contexts, clock }: RunStartOptions,
  address: ContextAddress,
  args: ExecuteInContextArgs,
): Promise<ReadMemory> {
  const read = args.snapshot === null
    ? await contexts.readOrNew(address, newMemory(isoTimestamp(clock), args.cwd))
    : await contexts.read(address);
  if (read === undefined) throw contextNotFound(address.contextId);
  if (args.fence < read.record.fence) {
    throw conflict("The lease of the context was lost", address.contextId);
  }
  return read;
}

/** Reads an index at the same time as the record, whose refusal comes first. */
async function storedIndex(
  { contexts }: RunStartOptions,
  address: ContextAddress,
  reference: string,
  read: Promise<ReadMemory>,
): Promise<SnapshotIndex> {
  const index = contexts.index(address, reference);
  index.catch(() => undefined); // of a context that is gone
  await read;
  return await index;
}

/** The checked state after a run in a context. */
export interface CheckedState {
  readonly head: ContextAnswerHead;
  readonly segment: Uint8Array<ArrayBuffer>;
  readonly workspace: WorkspaceAfterRun;
}

/** The state before the run, and its limits. */
export interface RunBounds {
  readonly mirror: WorkspaceMirror;
  /** Segments of the snapshot from which it started, oldest first. */
  readonly segments: readonly BlobRef[];
  /** Maximum bytes of memory, files and snapshot. */
  readonly limits: Pick<
    LanguageLimits,
    "memoryBytes" | "fileBytes" | "workspaceBytes" | "snapshotBytes"
  >;
}

/** More than any engine has. */
const MAX_GLOBALS = 64;

/**
 * Reads the state in an answer. A guest that broke out of its engine could report anything;
 * undefined when no run can leave that state, and nothing of it is stored.
 */
export function checkedState(
  { head: { context: head }, parts: [segment, ...contents] }: RunAnswer,
  bounds: RunBounds,
): CheckedState | undefined {
  if (head === undefined || segment === undefined) return undefined;
  if (!isMemory(head, bounds) || !isStorable(head, segment, bounds)) return undefined;
  const workspace = workspaceAfter(bounds.mirror, head, contents, bounds.limits);
  const inPlace = workspace !== undefined &&
    (head.cwd === WORKSPACE || workspace.mirror.dirs.has(head.cwd));
  return inPlace ? { head, segment, workspace } : undefined;
}

function isMemory(head: ContextAnswerHead, { limits: { memoryBytes } }: RunBounds): boolean {
  return head.memoryBytes <= memoryBytes && head.memoryBytes % WASM_PAGE_BYTES === 0 &&
    head.pages * SNAPSHOT_PAGE_BYTES <= head.memoryBytes &&
    Object.keys(head.globals).length <= MAX_GLOBALS;
}

function isStorable(
  head: ContextAnswerHead,
  segment: Uint8Array,
  { segments, limits: { snapshotBytes } }: RunBounds,
) {
  if (head.reusedSegments > segments.length) return false;
  return storedBytes({ segments: segments.slice(0, head.reusedSegments) }) + segment.length <=
    snapshotBytes;
}
