/**
 * The stored files and directories of a workspace: a map of paths, whose files refer to blobs. A
 * tree never changes; a {@link TreeEdit} creates the next one.
 *
 * @module
 */
import { blobName, type BlobRef } from "../store/blobs.ts";
import type { WorkspaceManifest } from "../shared/run_in_context.ts";
import { parentOf, sortByCodePoints } from "./workspace_path.ts";
import { WORKSPACE } from "../client/protocol/paths.ts";

/** A file whose contents are stored. */
export interface FileNode {
  readonly type: "file";
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
  readonly ref: BlobRef;
}

/** A directory. */
export interface DirectoryNode {
  readonly type: "directory";
  /** When it was created, epoch milliseconds. */
  readonly modifiedAt: number;
}

/** The node at a path. */
export type TreeNode = FileNode | DirectoryNode;

/**
 * Memory of a node besides its path, in bytes: that of a file with its reference, never
 * underestimated.
 */
const NODE_BYTES = 480;

/** Memory of a node with its path, in bytes. A path may take two bytes for each code unit. */
export function nodeBytes(path: string): number {
  return NODE_BYTES + 2 * path.length;
}

/** One state of a workspace. */
export class Tree {
  /** Nodes by absolute path, including every parent of a path but not `/workspace` itself. */
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** Number of files. */
  readonly files: number;
  /** Total length of all files. */
  readonly bytes: number;
  /** Length of the largest file. */
  readonly largestFile: number;
  /** Memory of the tree, in bytes. */
  readonly memoryBytes: number;
  #manifest: WorkspaceManifest | undefined;

  constructor(nodes: ReadonlyMap<string, TreeNode>) {
    let files = 0;
    let bytes = 0;
    let largestFile = 0;
    let memoryBytes = 0;
    for (const [path, node] of nodes) {
      memoryBytes += nodeBytes(path);
      if (node.type === "directory") continue;
      files++;
      bytes += node.ref.bytes;
      largestFile = Math.max(largestFile, node.ref.bytes);
    }
    this.nodes = nodes;
    this.files = files;
    this.bytes = bytes;
    this.largestFile = largestFile;
    this.memoryBytes = memoryBytes;
  }

  /** The manifest for runtimes. */
  get manifest(): WorkspaceManifest {
    return this.#manifest ??= manifestOf(this.nodes);
  }

  /** Paths of all directories. */
  *directories(): Generator<string> {
    for (const [path, node] of this.nodes) if (node.type === "directory") yield path;
  }
}

/** An empty workspace. */
export const EMPTY_TREE: Tree = new Tree(new Map());

function manifestOf(nodes: ReadonlyMap<string, TreeNode>): WorkspaceManifest {
  const dirs: string[] = [];
  const manifest: { [path: string]: string } = Object.create(null);
  for (const [path, node] of nodes) {
    if (node.type === "file") manifest[path] = node.ref.sha256;
    else dirs.push(path);
  }
  return { dirs: sortByCodePoints(dirs), manifest };
}

/** A file whose contents are not stored yet. */
export interface NewFile {
  readonly type: "file";
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
  /** Must not be modified any more. */
  readonly data: Uint8Array;
}

/** The node at a path during an edit. */
export type EditNode = TreeNode | NewFile;

/** Length of a file; 0 for a directory. */
export function sizeOf(node: EditNode): number {
  if (node.type === "directory") return 0;
  return "data" in node ? node.data.byteLength : node.ref.bytes;
}

/** Number of slices of a manifest. */
export const SLICES = 256;

/** The slice of a manifest to which a path belongs: a hash (FNV-1a). */
export function sliceOf(path: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < path.length; index++) {
    hash = Math.imul(hash ^ path.charCodeAt(index), 0x01000193);
  }
  return ((hash >>> 24) ^ (hash >>> 16) ^ (hash >>> 8) ^ hash) & (SLICES - 1);
}

/**
 * An edit from one tree to the next: what is set and removed, which blobs become unused, and which
 * parts of the stored manifest change. Its users ensure that every parent of a path exists, as in
 * the initial tree, and they check the limits.
 */
export class TreeEdit {
  /** The slices of the manifest with changed paths. */
  readonly slices: Set<number> = new Set();
  readonly #nodes: Map<string, EditNode>;
  readonly #leftBehind = new Map<string, BlobRef>();
  /** Children of all nodes; created on demand, because most edits do not need them. */
  #children: TreeChildren | undefined;
  #bytes: number;

  constructor(base: Tree) {
    this.#nodes = new Map(base.nodes);
    this.#bytes = base.bytes;
  }

  /** Whether anything was set or removed. */
  get changed(): boolean {
    return this.slices.size > 0;
  }

  /** Number of files and directories. */
  get entries(): number {
    return this.#nodes.size;
  }

  /** Total length of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Everything, by path. */
  get nodes(): ReadonlyMap<string, EditNode> {
    return this.#nodes;
  }

  /** Blobs that no path refers to any more. */
  get leftBehind(): Iterable<BlobRef> {
    return this.#leftBehind.values();
  }

  /** The node at a path. */
  get(path: string): EditNode | undefined {
    return this.#nodes.get(path);
  }

  /** Whether a path is a directory. The workspace itself is one. */
  isDirectory(path: string): boolean {
    return path === WORKSPACE || this.#nodes.get(path)?.type === "directory";
  }

  /** Everything below a directory, in no particular order. */
  below(directory: string): readonly (readonly [path: string, node: EditNode])[] {
    return this.#childrenOfAll().below(directory).flatMap((path) => {
      const node = this.#nodes.get(path);
      return node === undefined ? [] : [[path, node] as const];
    });
  }

  /** Whether a directory is empty. */
  isEmpty(directory: string): boolean {
    return this.#childrenOfAll().isEmpty(directory);
  }

  /** Creates or replaces the node at a path. */
  set(path: string, node: NewFile | DirectoryNode | FileNode): void {
    this.#replace(path, node);
    if ("ref" in node) this.#leftBehind.delete(blobName(node.ref));
  }

  /** Removes a path and everything below it. */
  remove(path: string): void {
    const node = this.#nodes.get(path);
    if (node === undefined) return;
    if (node.type === "directory") {
      for (const [child] of this.below(path)) this.#drop(child);
    }
    this.#drop(path);
  }

  /** Moves a node and everything below it to a path that does not exist. */
  move(from: string, to: string): void {
    const node = this.#nodes.get(from);
    if (node === undefined) return;
    const moved = [[from, node] as const, ...this.below(from)];
    for (const [path] of moved) this.#drop(path);
    for (const [path, child] of moved) this.set(`${to}${path.slice(from.length)}`, child);
  }

  /** The resulting tree. `keep` returns a reference for new contents. */
  finish(keep: (data: Uint8Array) => BlobRef): ReadonlyMap<string, TreeNode> {
    const nodes = new Map<string, TreeNode>();
    for (const [path, node] of this.#nodes) {
      nodes.set(path, "data" in node ? fileNode(node, keep(node.data)) : node);
    }
    return nodes;
  }

  #childrenOfAll(): TreeChildren {
    return this.#children ??= new TreeChildren(this.#nodes.keys());
  }

  #drop(path: string): void {
    this.#replace(path, undefined);
  }

  #replace(path: string, node: EditNode | undefined): void {
    const old = this.#nodes.get(path);
    if (old !== undefined) {
      this.#bytes -= sizeOf(old);
      if ("ref" in old) this.#leftBehind.set(blobName(old.ref), old.ref);
    }
    if (node === undefined) {
      this.#nodes.delete(path);
      this.#children?.delete(path);
    } else {
      this.#bytes += sizeOf(node);
      this.#nodes.set(path, node);
      if (old === undefined) this.#children?.add(path);
    }
    // once every slice has a change, further paths add nothing
    if (this.slices.size < SLICES) this.slices.add(sliceOf(path));
  }
}

function fileNode({ modifiedAt }: NewFile, ref: BlobRef): FileNode {
  return { type: "file", modifiedAt, ref };
}

/**
 * The paths of a workspace by the directory that holds them, so that the contents of one are found
 * without a scan of the whole tree.
 */
class TreeChildren {
  /** Empty directories have no entry. */
  readonly #of = new Map<string, Set<string>>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path);
  }

  /** Whether a directory is empty. */
  isEmpty(directory: string): boolean {
    return !this.#of.has(directory);
  }

  /** Everything below a directory, provided that all directories in between are present. */
  below(directory: string): readonly string[] {
    const found = [...this.#of.get(directory) ?? []];
    // the list grows during iteration: the contents of a directory follow the directory
    for (const path of found) for (const child of this.#of.get(path) ?? []) found.push(child);
    return found;
  }

  /** Adds a path, if it is missing. */
  add(path: string): void {
    const directory = parentOf(path);
    const children = this.#of.get(directory);
    if (children === undefined) this.#of.set(directory, new Set([path]));
    else children.add(path);
  }

  /** Removes a path, if it is present; paths below it stay. */
  delete(path: string): void {
    const directory = parentOf(path);
    const children = this.#of.get(directory);
    if (children?.delete(path) && children.size === 0) this.#of.delete(directory);
  }
}
