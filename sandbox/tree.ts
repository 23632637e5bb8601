/**
 * The stored files and directories of a workspace: a map of paths, whose files refer to blobs. A
 * tree never changes; a {@link ./tree_edit.ts TreeEdit} creates the next one.
 *
 * @module
 */
import type { BlobRef } from "../store/blobs.ts";
import type { WorkspaceManifest } from "../shared/run_in_context.ts";
import { sortByCodePoints } from "./workspace_path.ts";

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
