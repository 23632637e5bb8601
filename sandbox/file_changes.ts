/**
 * The operations of `POST /files` that change a workspace. Each either succeeds completely or
 * throws a FileFault and changes nothing (docs/contract.md#files).
 *
 * @module
 */
import { WORKSPACE } from "../client/protocol/paths.ts";
import type { BlobRef } from "../store/blobs.ts";
import { utf8Length } from "../client/protocol/text.ts";
import type { WorkspaceLimits } from "../shared/limits.ts";
import { FileFault } from "./file_fault.ts";
import { lookUp } from "./file_lookup.ts";
import { sizeOf, type TreeEdit } from "./tree.ts";
import { ancestorsOf, isBelow, parentOf, type ResolvedPath } from "./workspace_path.ts";

/** Limits and time of a change. */
export interface ChangeRules {
  readonly limits: WorkspaceLimits;
  /** Time of the change, epoch milliseconds. */
  readonly now: number;
}

/** Contents of a file: new ones, or those of a blob of the sandbox. */
export type FileContents = { readonly data: Uint8Array } | { readonly ref: BlobRef };

/** Creates a file or replaces its contents. `recursive` creates missing parents. */
export function writeFile(
  edit: TreeEdit,
  target: ResolvedPath,
  data: Uint8Array,
  rules: ChangeRules & { readonly recursive: boolean },
): void {
  putFile(edit, target, { data }, rules);
}

/** The same for contents that may be stored already. */
export function putFile(
  edit: TreeEdit,
  target: ResolvedPath,
  contents: FileContents,
  { recursive, limits, now }: ChangeRules & { readonly recursive: boolean },
): void {
  const { path } = target;
  const length = "data" in contents ? contents.data.byteLength : contents.ref.bytes;
  if (target.directory || edit.isDirectory(path)) throw new FileFault("EISDIR");
  const parents = missingParents(edit, path, recursive);
  checkSize(length, limits.fileBytes, "EFBIG");
  const old = edit.get(path);
  const added = parents.length + (old === undefined ? 1 : 0);
  checkSize(edit.entries + added, limits.entries, "ENOSPC");
  const bytes = edit.bytes + length - (old === undefined ? 0 : sizeOf(old));
  checkSize(bytes, limits.totalBytes, "ENOSPC");
  for (const parent of parents) edit.set(parent, { type: "directory", modifiedAt: now });
  edit.set(path, { type: "file", modifiedAt: now, ...contents });
}

/** Creates a directory. `recursive` creates missing parents and accepts an existing directory. */
export function makeDirectory(
  edit: TreeEdit,
  { path }: ResolvedPath,
  { recursive, limits, now }: ChangeRules & { readonly recursive: boolean },
): void {
  if (edit.isDirectory(path) && recursive) return;
  if (edit.isDirectory(path) || edit.get(path) !== undefined) throw new FileFault("EEXIST");
  const paths = [...missingParents(edit, path, recursive), path];
  checkSize(edit.entries + paths.length, limits.entries, "ENOSPC");
  for (const directory of paths) edit.set(directory, { type: "directory", modifiedAt: now });
}

/** Removes a file, or with `recursive` a directory. `force` accepts a missing path. */
export function deletePath(
  edit: TreeEdit,
  target: ResolvedPath,
  { recursive, force }: { readonly recursive: boolean; readonly force: boolean },
): void {
  if (target.path === WORKSPACE) throw new FileFault("EACCES");
  const missing = edit.get(target.path) === undefined;
  if (missing && force) return;
  const node = lookUp(edit, target);
  if (node.type === "directory" && !recursive) throw new FileFault("EISDIR");
  edit.remove(target.path);
}

/** Moves a file or directory to another path. Replaces what is there if it has the same type. */
export function renamePath(
  edit: TreeEdit,
  from: ResolvedPath,
  to: ResolvedPath,
  limits: WorkspaceLimits,
): void {
  if (from.path === WORKSPACE) throw new FileFault("EACCES");
  const node = lookUp(edit, from);
  if (from.path === to.path) return;
  if (node.type === "directory" && isBelow(to.path, from.path)) throw new FileFault("EINVAL");
  missingParents(edit, to.path, false);
  if (node.type === "file") checkFileTarget(edit, to);
  else checkDirectoryTarget(edit, from.path, to.path, limits);
  edit.remove(to.path);
  edit.move(from.path, to.path);
}

function checkFileTarget(edit: TreeEdit, { path, directory }: ResolvedPath): void {
  if (edit.isDirectory(path)) throw new FileFault("EISDIR");
  if (directory) throw new FileFault("ENOTDIR");
}

function checkDirectoryTarget(
  edit: TreeEdit,
  from: string,
  to: string,
  limits: WorkspaceLimits,
): void {
  if (edit.isDirectory(to) && !edit.isEmpty(to)) throw new FileFault("ENOTEMPTY");
  if (edit.get(to)?.type === "file") throw new FileFault("ENOTDIR");
  const longer = utf8Length(to) - utf8Length(from);
  for (const [path] of edit.below(from)) {
    if (utf8Length(path) + longer > limits.pathBytes) throw new FileFault("ENAMETOOLONG");
  }
}

/** Missing parents that must be created, outermost first. ENOENT, ENOTDIR. */
function missingParents(edit: TreeEdit, path: string, allowed: boolean): readonly string[] {
  if (path === WORKSPACE || parentOf(path) === WORKSPACE) return [];
  const missing: string[] = [];
  for (const parent of ancestorsOf(path)) {
    const node = edit.get(parent);
    if (node?.type === "file") throw new FileFault("ENOTDIR");
    if (node === undefined) missing.push(parent);
  }
  if (missing.length > 0 && !allowed) throw new FileFault("ENOENT");
  return missing;
}

function checkSize(actualSize: number, maxSize: number, errno: "EFBIG" | "ENOSPC"): void {
  if (actualSize > maxSize) throw new FileFault(errno, { maxSize, actualSize });
}
