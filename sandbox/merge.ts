/**
 * Merges a run's changes to its workspace into the current workspace, which calls of `/files` may
 * have changed since the run started (docs/contract.md#state-of-a-context).
 *
 * The merge is by path. What the run did not touch stays as it is. Where both changed a path, or
 * one created a file and the other a directory, the run wins, because it commits later. Missing
 * parents are created again. A directory that the run removed is removed only if it is empty.
 *
 * @module
 */
import type { WorkspaceDiff } from "../shared/run_in_context.ts";
import type { WorkspaceLimits } from "../shared/limits.ts";
import { WORKSPACE } from "../client/protocol/paths.ts";
import { sizeOf, type Tree, type TreeEdit } from "./tree.ts";
import { parentOf } from "./workspace_path.ts";

/** The workspace would exceed one of its limits. The message names it. */
export class WorkspaceLimitReached extends Error {
  override readonly name = "WorkspaceLimitReached";
}

/** The workspace after a run, and before it. */
export interface RunChanges {
  readonly base: Tree;
  readonly diff: WorkspaceDiff;
  /** When the run ended, epoch milliseconds. */
  readonly now: number;
}

/**
 * Applies a run's changes.
 *
 * @throws {WorkspaceLimitReached} when the result is too large; `edit` is then unusable.
 */
export function mergeRun(edit: TreeEdit, run: RunChanges, limits: WorkspaceLimits): void {
  const { base, diff, now } = run;
  const left = new Set(diff.dirs);
  for (const path of diff.deleted) if (edit.get(path)?.type === "file") edit.remove(path);
  for (const path of diff.dirs) {
    if (base.nodes.get(path)?.type !== "directory") ensureDirectory(edit, path, now);
  }
  for (const { path, data, updatedAt } of diff.files) {
    ensureDirectory(edit, parentOf(path), now);
    if (edit.get(path)?.type === "directory") edit.remove(path);
    edit.set(path, { type: "file", modifiedAt: updatedAt, data });
  }
  const removed = [...base.directories()].filter((path) => !left.has(path));
  // the contents of a directory have longer paths and are removed before it
  for (const path of removed.sort((a, b) => b.length - a.length)) {
    if (edit.get(path)?.type === "directory" && edit.isEmpty(path)) edit.remove(path);
  }
  checkLimits(edit, limits);
}

/** Creates a directory and its missing parents. If a directory exists, all its parents do. */
function ensureDirectory(edit: TreeEdit, path: string, now: number): void {
  const missing: string[] = [];
  for (let at = path; at.length > WORKSPACE.length && !edit.isDirectory(at); at = parentOf(at)) {
    missing.push(at);
  }
  for (const directory of missing.reverse()) {
    edit.remove(directory);
    edit.set(directory, { type: "directory", modifiedAt: now });
  }
}

function checkLimits(edit: TreeEdit, limits: WorkspaceLimits): void {
  if (edit.bytes > limits.totalBytes) {
    throw new WorkspaceLimitReached(`Workspace limit reached: ${limits.totalBytes} bytes`);
  }
  if (edit.entries > limits.entries) {
    throw new WorkspaceLimitReached(`Workspace limit reached: ${limits.entries} entries`);
  }
  for (const node of edit.nodes.values()) {
    if (sizeOf(node) > limits.fileBytes) {
      throw new WorkspaceLimitReached(`Workspace limit reached: ${limits.fileBytes} bytes a file`);
    }
  }
}
