/**
 * The mirror of a workspace inside an isolate, as its parent knows it, and what has to be sent
 * to make it what a manifest says.
 *
 * @module
 */
import { contentHash } from "../../wire/content_hash.ts";
import type { WorkspaceDiff, WorkspaceFile, WorkspaceManifest } from "../../wire/run_in_context.ts";
import { WORKSPACE_LIMITS } from "../../wire/limits.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { ContextAnswerHead, FileHead } from "../isolate/protocol.ts";

/** What an isolate has below `/workspace`. */
export interface WorkspaceMirror {
  /** Absolute path → hash of the contents. */
  readonly files: ReadonlyMap<string, string>;
  readonly dirs: ReadonlySet<string>;
}

/** Nothing. */
export const EMPTY_MIRROR: WorkspaceMirror = { files: new Map(), dirs: new Set() };

/** How a mirror differs from a manifest. */
export interface MirrorDifference {
  /** Paths that must go: files, and directories with all that is in them. */
  readonly removed: readonly string[];
  /** Directories that must be made. */
  readonly dirs: readonly string[];
  /** Files whose contents are needed. */
  readonly missing: readonly string[];
}

const SLASH = 0x2f;

/**
 * A path that a guest's file system can have below `/workspace`. A run asks for thousands, each
 * of up to hundreds of names: a path is gone through once, and nothing is made of it.
 */
export function isWorkspacePath(path: string): boolean {
  const { pathBytes, nameBytes } = WORKSPACE_LIMITS;
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

/** Whether the piece of a path between two slashes names something in a directory. */
function isName(path: string, start: number, end: number): boolean {
  const length = end - start;
  return length > 2 || (length > 0 && path[start] !== ".") ||
    (length === 2 && path[start + 1] !== ".");
}

/** Bytes of UTF-8 of a code unit; a surrogate is one half of a character of four bytes. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
}

/** The directory that holds a path. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The mirror that a manifest asks for; parents of what it names are part of it. */
export function mirrorOf({ dirs, manifest }: WorkspaceManifest): WorkspaceMirror {
  const files = new Map(Object.entries(manifest));
  const all = new Set(dirs.filter((path) => path !== WORKSPACE));
  for (const path of [...files.keys(), ...all]) {
    // each directory that is there is gone up from in its own turn
    for (let at = parentOf(path); at.length > WORKSPACE.length && !all.has(at); at = parentOf(at)) {
      all.add(at);
    }
  }
  return { files, dirs: all };
}

/** What changes one mirror into another. */
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
      .map(([path]) => path),
  };
}

/** What a run left, checked: it comes from an isolate. */
export interface WorkspaceAfterRun {
  readonly mirror: WorkspaceMirror;
  readonly diff: WorkspaceDiff;
}

/**
 * Reads the workspace part of an answer; undefined when it is not as a run leaves it. The paths
 * of `before` are known to be such as can be, so only others are looked at as text.
 */
export function workspaceAfter(
  before: WorkspaceMirror,
  head: Pick<ContextAnswerHead, "dirs" | "files" | "deleted">,
  contents: readonly Uint8Array<ArrayBuffer>[],
): WorkspaceAfterRun | undefined {
  const { dirs, deleted } = head;
  const present = [...dirs, ...head.files.map(([path]) => path)];
  const isPath = (path: string) => isKnown(before, path) || isWorkspacePath(path);
  if (!present.every(isPath) || !deleted.every(isPath)) return undefined;
  // each path is one thing, and each file has contents
  if (new Set(present).size !== present.length || head.files.length !== contents.length) {
    return undefined;
  }
  const files = new Map(before.files);
  for (const path of [...deleted, ...dirs]) files.delete(path);
  const written = head.files.map(([path, mtimeMs]: FileHead, index): WorkspaceFile => ({
    path,
    data: (contents[index] ?? new Uint8Array()).slice(),
    updatedAt: Math.round(mtimeMs),
  }));
  if (!isWithinLimits(written)) return undefined;
  for (const { path, data } of written) files.set(path, contentHash(data));
  if (files.size + dirs.length > WORKSPACE_LIMITS.entries) return undefined;
  const mirror: WorkspaceMirror = { files, dirs: new Set(dirs) };
  const inPlace = (path: string) => {
    const directory = parentOf(path);
    return directory === WORKSPACE || mirror.dirs.has(directory);
  };
  if (![...files.keys(), ...dirs].every(inPlace)) return undefined;
  const gone = [...before.files.keys()].filter((path) => !files.has(path));
  return { mirror, diff: { dirs: [...dirs], files: written, deleted: gone } };
}

/** A manifest may name the root, which a run cannot. */
function isKnown({ files, dirs }: WorkspaceMirror, path: string): boolean {
  return path !== WORKSPACE && (dirs.has(path) || files.has(path));
}

/** Whether a run can have written so much. */
function isWithinLimits(files: readonly WorkspaceFile[]): boolean {
  const total = files.reduce((sum, { data }) => sum + data.length, 0);
  return total <= WORKSPACE_LIMITS.totalBytes &&
    files.every(({ data }) => data.length <= WORKSPACE_LIMITS.fileBytes);
}
