/**
 * The changes under `/workspace` between two moments. Versions are compared, so nothing has to
 * be recorded while the guest runs, and renamed directories need no rule of their own.
 *
 * @module
 */
import type { DirectoryInode } from "./inode.ts";
import { compareCodePoints } from "./names.ts";
import { entryOf, walkBelow, type WorkspaceEntry } from "./workspace_tree.ts";

/** The state of `/workspace` at a moment, for comparison with a later one. */
export interface ChangeMark {
  /** Version of each inode, by absolute path. */
  readonly versions: ReadonlyMap<string, number>;
}

/** Differences between a mark and now, each list sorted by code points of the paths. */
export interface WorkspaceChanges {
  /** Created since, or moved here. */
  readonly created: readonly WorkspaceEntry[];
  /** Existed before, with other content, time, or kind, or with other entries. */
  readonly updated: readonly WorkspaceEntry[];
  /** Absolute paths that no longer exist. */
  readonly deleted: readonly string[];
}

/** Records the state below a directory. */
export function takeMark(directory: DirectoryInode): ChangeMark {
  const versions = new Map<string, number>();
  for (const [path, inode] of walkBelow(directory)) {
    versions.set(path, inode.version);
  }
  return { versions };
}

/** Compares the state below a directory with a mark. */
export function changesBelow(
  directory: DirectoryInode,
  mark: ChangeMark,
): WorkspaceChanges {
  const created: WorkspaceEntry[] = [];
  const updated: WorkspaceEntry[] = [];
  const gone = new Set(mark.versions.keys());
  for (const [path, inode] of walkBelow(directory)) {
    const version = mark.versions.get(path);
    if (version !== inode.version) {
      (version === undefined ? created : updated).push(entryOf(path, inode));
    }
    gone.delete(path);
  }
  created.sort(byPath);
  updated.sort(byPath);
  return { created, updated, deleted: [...gone].sort(compareCodePoints) };
}

/** Everything below a directory, sorted by code points of the paths. */
export function exportBelow(directory: DirectoryInode): WorkspaceEntry[] {
  const entries: WorkspaceEntry[] = [];
  for (const [path, inode] of walkBelow(directory)) {
    entries.push(entryOf(path, inode));
  }
  return entries.sort(byPath);
}

function byPath(a: WorkspaceEntry, b: WorkspaceEntry): number {
  return compareCodePoints(a.path, b.path);
}
