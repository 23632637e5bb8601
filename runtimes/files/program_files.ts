/**
 * The files that the shell and the programs that it starts share: `/workspace` and `/tmp` of two
 * instances, as changes from one to the other.
 *
 * @module
 */
import type { FileChanges } from "../engine/program_command.ts";
import { FileError } from "./file_error.ts";
import type { GuestFileSystem } from "./guest_file_system.ts";
import { type ChangeMark, changesBelow, takeMark } from "./workspace_changes.ts";
import {
  addFile,
  ensureDirectories,
  entryOf,
  walkBelow,
  type WorkspaceEntry,
} from "./workspace_tree.ts";

/** The state of both directories at a moment. */
export interface ProgramMark {
  readonly marks: readonly ChangeMark[];
}

function roots({ workspace, temporary }: GuestFileSystem) {
  return [workspace, temporary] as const;
}

/** Remembers the state. */
export function markFiles(files: GuestFileSystem): ProgramMark {
  return { marks: roots(files).map(takeMark) };
}

/** All files and directories. */
export function allFiles(files: GuestFileSystem): FileChanges {
  const entries = roots(files).flatMap((root) =>
    [...walkBelow(root)].filter(([, { kind }]) => kind !== "device")
      .map(([path, inode]) => entryOf(path, inode))
  );
  return { removed: [], ...byKind(entries) };
}

/** The changes since a mark. */
export function changedFiles(files: GuestFileSystem, { marks }: ProgramMark): FileChanges {
  const changes = roots(files).map((root, index) =>
    changesBelow(root, marks[index] ?? { versions: new Map() })
  );
  const entries = changes.flatMap(({ created, updated }) => [...created, ...updated]);
  return { removed: changes.flatMap(({ deleted }) => deleted), ...byKind(entries) };
}

function byKind(entries: readonly WorkspaceEntry[]) {
  return {
    dirs: entries.filter(({ kind }) => kind === "directory").map(({ path }) => path),
    files: entries.filter((entry) => entry.kind === "file"),
  };
}

/**
 * Makes changes of another instance. Throws the FileError of the first that does not fit; those before
 * it are made.
 */
export function changeFiles(
  files: GuestFileSystem,
  { removed, dirs, files: written }: FileChanges,
): void {
  // what is in a directory goes before it
  for (const path of removed.toSorted().reverse()) remove(files, path);
  for (const path of dirs) {
    remove(files, path, "directory");
    ensureDirectories(files.tree, ...placeOf(files, path));
  }
  for (const { path, mtimeMs, bytes } of written) {
    remove(files, path);
    const [root, names] = placeOf(files, path);
    const parent = ensureDirectories(files.tree, root, names.slice(0, -1));
    addFile(files.tree, parent, names.at(-1) ?? "", bytes);
    files.setTime(path, mtimeMs);
  }
}

/** The directory that a path begins in, and the names from there. */
function placeOf(files: GuestFileSystem, path: string) {
  const [, top, ...names] = path.split("/");
  const root = top === "workspace" ? files.workspace : files.temporary;
  return [root, names] as const;
}

/** Removes what is at a path, if it is there and of another kind than `kept`. */
function remove(files: GuestFileSystem, path: string, kept?: "directory"): void {
  try {
    const { kind } = files.resolve(path);
    if (kind === kept) return;
    if (kind === "directory") files.removeDirectory(path);
    else files.removeFile(path);
  } catch (error) {
    if (!(error instanceof FileError) || !["ENOENT", "ENOTDIR"].includes(error.code)) throw error;
  }
}
