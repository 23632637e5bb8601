/**
 * The operations of `POST /files` that read a workspace (docs/contract.md#files).
 *
 * @module
 */
import { WORKSPACE } from "../client/protocol/paths.ts";
import { isoTimestamp } from "../shared/clock.ts";
import type { FileInfo } from "../shared/sandbox_types.ts";
import type { Slicer } from "../shared/slices.ts";
import { FileFault } from "./file_fault.ts";
import type { FileNode, Tree, TreeNode } from "./tree.ts";
import {
  ancestorsOf,
  isBelow,
  nameOf,
  type ResolvedPath,
  sortedInSlices,
} from "./workspace_path.ts";

/** The size of a directory, also as guests see it. */
const DIRECTORY_SIZE = 4096;

/** Memory of an entry of a listing, which refers to nodes of the tree. */
const BYTES_PER_ENTRY = 64;

/** A tree or an edit, in which paths can be looked up. */
interface Nodes<N> {
  get(path: string): N | undefined;
}

/** The node at a path below the workspace. ENOENT, ENOTDIR. */
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

/** Whether a path exists. */
export function pathExists(tree: Tree, { path, directory }: ResolvedPath): boolean {
  if (path === WORKSPACE) return true;
  const node = tree.nodes.get(path);
  return node !== undefined && !(directory && node.type === "file");
}

/**
 * Information about a path. `madeAt`: creation time of the workspace itself, epoch milliseconds.
 */
export function statPath(tree: Tree, target: ResolvedPath, madeAt: number): FileInfo {
  const { path } = target;
  const node = path === WORKSPACE ? rootNode(madeAt) : lookUp(tree.nodes, target);
  return fileInfo(path, node, WORKSPACE);
}

/** Options of a listing. */
export interface ListRules {
  readonly recursive: boolean;
  /** Whether to include paths with a name below the directory that begins with a dot. */
  readonly includeHidden: boolean;
}

/** The contents of a directory at one moment. */
export interface DirectoryListing {
  readonly count: number;
  /** Memory that it takes besides the tree until it is consumed. */
  readonly bytes: number;
  /** The entries, created on demand. */
  readonly entries: Iterable<FileInfo>;
}

/**
 * Lists a directory, sorted by Unicode code points of the path. ENOENT, ENOTDIR. `slicer` yields
 * the thread from time to time, because a workspace holds thousands of long paths.
 */
export async function listDirectory(
  tree: Tree,
  target: ResolvedPath,
  { recursive, includeHidden }: ListRules,
  slicer: Slicer,
): Promise<DirectoryListing> {
  const { path: directory } = target;
  if (directory !== WORKSPACE && lookUp(tree.nodes, target).type === "file") {
    throw new FileFault("ENOTDIR");
  }
  const paths: string[] = [];
  for (const path of tree.nodes.keys()) {
    if (slicer.isOver()) await slicer.pause();
    const isListed = isBelow(path, directory) &&
      (recursive || path.lastIndexOf("/") === directory.length) &&
      (includeHidden || !isHidden(path, directory));
    if (isListed) paths.push(path);
  }
  const nodes: (readonly [path: string, node: TreeNode])[] = [];
  for (const path of await sortedInSlices(paths, slicer)) {
    const node = tree.nodes.get(path);
    if (node === undefined) continue;
    nodes.push([path, node]);
  }
  const bytes = BYTES_PER_ENTRY * nodes.length;
  return { count: nodes.length, bytes, entries: infosOf(nodes, directory) };
}

function* infosOf(
  nodes: readonly (readonly [path: string, node: TreeNode])[],
  directory: string,
): Generator<FileInfo> {
  for (const [path, node] of nodes) yield fileInfo(path, node, directory);
}

/** Whether a path has a name below a directory that begins with a dot. */
function isHidden(path: string, directory: string): boolean {
  return path.includes("/.", directory.length);
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
