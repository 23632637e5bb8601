/**
 * The check of the state that an isolate reports after a run in a context. A guest that broke out
 * of its engine could report anything; only a state that a run can leave is stored.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { BlobRef } from "../../store/blobs.ts";
import type { LanguageLimits } from "../../shared/limits.ts";
import type { ContextAnswerHead } from "../isolate/protocol.ts";
import { SNAPSHOT_PAGE_BYTES } from "../engine/snapshot/page_hash.ts";
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";
import type { RunAnswer } from "../pool/run_answer.ts";
import { storedBytes } from "./snapshot_index.ts";
import {
  workspaceAfter,
  type WorkspaceAfterRun,
  type WorkspaceMirror,
} from "./workspace_mirror.ts";

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

/** Reads the context's part of an answer; undefined when no run can leave it. */
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
