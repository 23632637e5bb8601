/**
 * The operations of `POST /files` that look at a workspace (docs/contract.md#files).
 *
 * @module
 */
import { isoTimestamp } from "../wire/clock.ts";
import { WORKSPACE } from "../wire/paths.ts";
import type { FileInfo } from "../wire/sandbox_types.ts";
import { FileFault } from "./file_fault.ts";
import type { FileNode, Tree, TreeNode } from "./tree.ts";
import {
  ancestorsOf,
  isBelow,
  nameOf,
  parentOf,
  type ResolvedPath,
  sortByCodePoints,
} from "./workspace_path.ts";

/** Size that a directory shows, to guests too. */
const DIRECTORY_SIZE = 4096;

/** Anything in which paths can be looked up. */
interface Nodes<N> {
  get(path: string): N | undefined;
}

/** What a path below the workspace names. ENOENT, ENOTDIR. */
export function lookUp<N extends { readonly type: "file" | "directory" }>(
  nodes: Nodes<N>,
  { path, directory }: ResolvedPath,
): N {
  const node = nodes.get(path);
  if (node !== undefined) {
    if (directory && node.type === "file") throw new FileFault("ENOTDIR");
    return node;
  }
  const throughFile = ancestorsOf(path).some((parent) => nodes.get(parent)?.type === "file");
  throw new FileFault(throughFile ? "ENOTDIR" : "ENOENT");
}

/** The file at a path. ENOENT, ENOTDIR, EISDIR. */
export function fileAt(tree: Tree, target: ResolvedPath): FileNode {
  if (target.path === WORKSPACE) throw new FileFault("EISDIR");
  const node = lookUp(tree.nodes, target);
  if (node.type === "directory") throw new FileFault("EISDIR");
  return node;
}

/** Whether there is anything at a path. */
export function pathExists(tree: Tree, { path, directory }: ResolvedPath): boolean {
  if (path === WORKSPACE) return true;
  const node = tree.nodes.get(path);
  return node !== undefined && !(directory && node.type === "file");
}

/** What is known of a path; `madeAt`: the age of the workspace itself, epoch milliseconds. */
export function statPath(tree: Tree, target: ResolvedPath, madeAt: number): FileInfo {
  const { path } = target;
  const node = path === WORKSPACE ? rootNode(madeAt) : lookUp(tree.nodes, target);
  return fileInfo(path, node, WORKSPACE);
}

/** How a directory is listed. */
export interface ListRules {
  readonly recursive: boolean;
  /** Also what has a name that begins with a dot in its path below the directory. */
  readonly includeHidden: boolean;
}

/** What is in a directory, sorted by Unicode code points of the path. ENOENT, ENOTDIR. */
export function listDirectory(
  tree: Tree,
  target: ResolvedPath,
  { recursive, includeHidden }: ListRules,
): readonly FileInfo[] {
  const { path: directory } = target;
  if (directory !== WORKSPACE && lookUp(tree.nodes, target).type === "file") {
    throw new FileFault("ENOTDIR");
  }
  const paths = [...tree.nodes.keys()].filter((path) =>
    (recursive ? isBelow(path, directory) : parentOf(path) === directory) &&
    (includeHidden || !isHidden(path.slice(directory.length)))
  );
  return sortByCodePoints(paths).flatMap((path) => {
    const node = tree.nodes.get(path);
    return node === undefined ? [] : [fileInfo(path, node, directory)];
  });
}

function isHidden(belowDirectory: string): boolean {
  return belowDirectory.includes("/.");
}

function rootNode(modifiedAt: number): TreeNode {
  return { type: "directory", modifiedAt };
}

function fileInfo(path: string, node: TreeNode, relativeTo: string): FileInfo {
  const isFile = node.type === "file";
  return {
    name: nameOf(path),
    absolutePath: path,
    relativePath: path === relativeTo ? "." : path.slice(relativeTo.length + 1),
    type: node.type,
    size: isFile ? node.ref.bytes : DIRECTORY_SIZE,
    modifiedAt: isoTimestamp(() => node.modifiedAt),
    mode: isFile ? "-rw-r--r--" : "drwxr-xr-x",
    permissions: { readable: true, writable: true, executable: !isFile },
  };
}
