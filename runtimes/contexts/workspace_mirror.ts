/**
 * The mirror of a workspace inside an isolate, as the parent process knows it, and the changes that
 * make it match a manifest.
 *
 * @module
 */
import { contentHash } from "../../shared/content_hash.ts";
import { internalError } from "../../shared/errors.ts";
import type {
  WorkspaceDiff,
  WorkspaceFile,
  WorkspaceManifest,
} from "../../shared/run_in_context.ts";
import { type LanguageLimits, SHARED_LIMITS, WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { ContextAnswerHead, FileHead } from "../isolate/protocol.ts";

/** The contents of `/workspace` in an isolate. */
export interface WorkspaceMirror {
  /** Absolute path → hash of the contents. */
  readonly files: ReadonlyMap<string, string>;
  readonly dirs: ReadonlySet<string>;
}

/** The empty mirror. */
export const EMPTY_MIRROR: WorkspaceMirror = { files: new Map(), dirs: new Set() };

/** The difference between a mirror and a manifest. */
export interface MirrorDifference {
  /** Paths to remove: files, and directories with their contents. */
  readonly removed: readonly string[];
  /** Directories to create. */
  readonly dirs: readonly string[];
  /**
   * Files whose contents are missing, in an order that depends on the paths only: guests see it in the
   * numbers of inodes and in listings.
   */
  readonly missing: readonly string[];
}

const SLASH = 0x2f;
/** Nearly all paths: names in ASCII, none of them `.` or `..`. */
const PLAIN_PATH = new RegExp(
  `^${WORKSPACE}(?:/(?!\\.{1,2}(?:/|$))[\\x01-\\x2e\\x30-\\x7f]{1,${WORKSPACE_LIMITS.nameBytes}})+$`,
);

/**
 * Whether a guest's file system can have a path below `/workspace`. A run may have thousands of
 * paths, each of hundreds of names, so this scans a path once and allocates nothing.
 */
export function isWorkspacePath(path: string): boolean {
  const { pathBytes, nameBytes } = WORKSPACE_LIMITS;
  if (path.length <= pathBytes && PLAIN_PATH.test(path)) return true;
  const isText = path.startsWith(`${WORKSPACE}/`) && path.length <= pathBytes &&
    path.isWellFormed() && !path.includes("\0");
  if (!isText) return false;
  let start = WORKSPACE.length + 1;
  let bytes = start;
  let bytesBefore = start;
  for (let at = start; at < path.length; at++) {
    const unit = path.charCodeAt(at);
    bytes += bytesOf(unit);
    if (unit !== SLASH) continue;
    if (!isName(path, start, at) || bytes - 1 - bytesBefore > nameBytes) return false;
    start = at + 1;
    bytesBefore = bytes;
  }
  return isName(path, start, path.length) && bytes - bytesBefore <= nameBytes && bytes <= pathBytes;
}

/** Whether the part of a path between two slashes is a valid name. */
function isName(path: string, start: number, end: number): boolean {
  const length = end - start;
  return length > 2 || (length > 0 && path[start] !== ".") ||
    (length === 2 && path[start + 1] !== ".");
}

/** Bytes of UTF-8 for a code unit. A surrogate is half of a character of four bytes. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
}

/** The parent directory of a path. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The mirror that a manifest describes, including the parents of its paths. */
export function mirrorOf({ dirs, manifest }: WorkspaceManifest): WorkspaceMirror {
  const files = new Map(Object.entries(manifest));
  const all = new Set(dirs.filter((path) => path !== WORKSPACE));
  for (const path of [...files.keys(), ...all]) {
    // the parents of an existing directory are added in its own iteration
    for (let at = parentOf(path); at.length > WORKSPACE.length && !all.has(at); at = parentOf(at)) {
      all.add(at);
    }
  }
  return { files, dirs: all };
}

/** The changes that turn one mirror into another. */
export function differenceOf(have: WorkspaceMirror, want: WorkspaceMirror): MirrorDifference {
  const removed = [
    ...[...have.files.keys()].filter((path) => !want.files.has(path)),
    ...[...have.dirs].filter((path) => !want.dirs.has(path)),
  ];
  const gone = new Set(removed);
  return {
    removed,
    dirs: [...want.dirs].filter((path) => !have.dirs.has(path)),
    missing: [...want.files].filter(([path, hash]) =>
      gone.has(path) || have.files.get(path) !== hash
    )
      .map(([path]) => path).sort(),
  };
}

/** Most bytes of the files that a run can leave. */
export type WorkspaceBounds = Pick<LanguageLimits, "fileBytes" | "workspaceBytes">;

/** The checked workspace after a run, as an isolate reported it. */
export interface WorkspaceAfterRun {
  readonly mirror: WorkspaceMirror;
  readonly diff: WorkspaceDiff;
}

/**
 * Reads the workspace part of an answer; undefined when no run can leave it. The paths of `before`
 * are known to be valid, so only other paths are checked.
 */
export function workspaceAfter(
  before: WorkspaceMirror,
  head: Pick<ContextAnswerHead, "dirs" | "files" | "deleted">,
  contents: readonly Uint8Array<ArrayBuffer>[],
  limits: WorkspaceBounds = SHARED_LIMITS,
): WorkspaceAfterRun | undefined {
  const { deleted } = head;
  const told = head.dirs ?? [];
  const dirs = head.dirs === undefined ? before.dirs : new Set(head.dirs);
  const changed = head.files.map(([path]) => path);
  const isPath = (path: string) => isKnown(before, path) || isWorkspacePath(path);
  if (![...told, ...changed, ...deleted].every(isPath)) return undefined;
  // no path is named twice or both a file and a directory, and each file has contents
  const isOnce = new Set(changed).size === changed.length && changed.length === contents.length &&
    (head.dirs === undefined || dirs.size === told.length);
  if (!isOnce || changed.some((path) => dirs.has(path))) return undefined;
  const files = new Map(before.files);
  for (const path of [...deleted, ...told]) files.delete(path);
  const written = head.files.map(([path, mtimeMs]: FileHead, index): WorkspaceFile => ({
    path,
    data: (contents[index] ?? new Uint8Array()).slice(),
    updatedAt: Math.round(mtimeMs),
  }));
  if (!isWithinLimits(written, limits)) return undefined;
  for (const { path, data } of written) files.set(path, contentHash(data));
  if (files.size + dirs.size > WORKSPACE_LIMITS.entries) return undefined;
  const mirror: WorkspaceMirror = { files, dirs };
  const inPlace = (path: string) => {
    const directory = parentOf(path);
    return directory === WORKSPACE || dirs.has(directory);
  };
  const moved = head.dirs === undefined ? changed : [...files.keys(), ...dirs];
  if (!moved.every(inPlace)) return undefined;
  const gone = [...before.files.keys()].filter((path) => !files.has(path));
  return { mirror, diff: { dirs: [...dirs], files: written, deleted: gone } };
}

/** A manifest may contain the root, which a run cannot. */
function isKnown({ files, dirs }: WorkspaceMirror, path: string): boolean {
  return path !== WORKSPACE && (dirs.has(path) || files.has(path));
}

/** Whether a run can have written this much. */
function isWithinLimits(
  files: readonly WorkspaceFile[],
  { fileBytes, workspaceBytes }: WorkspaceBounds,
): boolean {
  const total = files.reduce((sum, { data }) => sum + data.length, 0);
  return total <= workspaceBytes && files.every(({ data }) => data.length <= fileBytes);
}

/**
 * Checks that these are the requested files, in that order. Anything else is a failure of the
 * sandbox.
 */
export function filesInOrder(
  paths: readonly string[],
  files: readonly WorkspaceFile[],
  { files: hashes }: WorkspaceMirror,
): readonly WorkspaceFile[] {
  const known = new Map(files.map((file) => [file.path, file]));
  return paths.map((path) => {
    const file = known.get(path);
    const fits = file?.data instanceof Uint8Array && contentHash(file.data) === hashes.get(path);
    if (file === undefined || !fits) throw internalError();
    return file;
  });
}
