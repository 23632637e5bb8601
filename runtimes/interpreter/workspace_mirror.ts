/**
 * The mirror of a workspace inside an isolate, as its parent knows it, and what has to be sent
 * to make it what a manifest says.
 *
 * @module
 */
import { contentHash } from "../../wire/content_hash.ts";
import { WORKSPACE_LIMITS } from "../../wire/limits.ts";
import type { WorkspaceDiff, WorkspaceFile, WorkspaceManifest } from "../../wire/interpreter.ts";
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

/** The root of every workspace. */
export const WORKSPACE = "/workspace";

/** A path that a guest's file system can have below `/workspace`. */
export function isWorkspacePath(path: string): boolean {
  if (!path.startsWith(`${WORKSPACE}/`) || path.includes("\0") || !path.isWellFormed()) {
    return false;
  }
  if (byteLength(path) > WORKSPACE_LIMITS.pathBytes) return false;
  const names = path.slice(WORKSPACE.length + 1).split("/");
  return names.every((name) =>
    name !== "" && name !== "." && name !== ".." && byteLength(name) <= WORKSPACE_LIMITS.nameBytes
  );
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The directories that lead to a path, itself not included. */
function* parentsOf(path: string): Generator<string> {
  for (let at = path.lastIndexOf("/"); at > WORKSPACE.length; at = path.lastIndexOf("/", at - 1)) {
    yield path.slice(0, at);
  }
}

/** The mirror that a manifest asks for; parents of what it names are part of it. */
export function mirrorOf({ dirs, manifest }: WorkspaceManifest): WorkspaceMirror {
  const files = new Map(Object.entries(manifest));
  const all = new Set(dirs.filter((path) => path !== WORKSPACE));
  for (const path of [...files.keys(), ...all]) {
    for (const parent of parentsOf(path)) all.add(parent);
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

/** Reads the workspace part of an answer; undefined when it is not as a run leaves it. */
export function workspaceAfter(
  before: WorkspaceMirror,
  head: Pick<ContextAnswerHead, "dirs" | "files" | "deleted">,
  contents: readonly Uint8Array<ArrayBuffer>[],
): WorkspaceAfterRun | undefined {
  const { dirs, deleted } = head;
  const present = [...dirs, ...head.files.map(([path]) => path)];
  if (![...present, ...deleted].every(isWorkspacePath)) return undefined;
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
  const directoryOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
  const inPlace = (path: string) =>
    directoryOf(path) === WORKSPACE || mirror.dirs.has(directoryOf(path));
  if (![...files.keys(), ...dirs].every(inPlace)) return undefined;
  const gone = [...before.files.keys()].filter((path) => !files.has(path));
  return { mirror, diff: { dirs: [...dirs], files: written, deleted: gone } };
}

/** Whether a run can have written so much. */
function isWithinLimits(files: readonly WorkspaceFile[]): boolean {
  const total = files.reduce((sum, { data }) => sum + data.length, 0);
  return total <= WORKSPACE_LIMITS.totalBytes &&
    files.every(({ data }) => data.length <= WORKSPACE_LIMITS.fileBytes);
}
