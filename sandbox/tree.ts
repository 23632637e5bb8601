/**
 * The files and directories of a workspace as a sandbox keeps them: a map of paths, whose files
 * name blobs. A tree never changes; a {@link ./tree_edit.ts TreeEdit} leads to the next one.
 *
 * @module
 */
import type { BlobRef } from "../store/blobs.ts";
import type { WorkspaceManifest } from "../wire/run_in_context.ts";
import { sortByCodePoints } from "./workspace_path.ts";

/** A file whose contents are kept. */
export interface FileNode {
  readonly type: "file";
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
  readonly ref: BlobRef;
}

/** A directory. */
export interface DirectoryNode {
  readonly type: "directory";
  /** When it was made, epoch milliseconds. */
  readonly modifiedAt: number;
}

/** What a path names. */
export type TreeNode = FileNode | DirectoryNode;

/** Memory of a node beside its path, in bytes: a file's with its reference, never too little. */
const NODE_BYTES = 480;

/** Memory that a node takes with its path, in bytes. A path may have two bytes for each unit. */
export function nodeBytes(path: string): number {
  return NODE_BYTES + 2 * path.length;
}

/** One state of a workspace. */
export class Tree {
  /** By absolute path; every parent of a path is there, `/workspace` itself is not. */
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** Number of files. */
  readonly files: number;
  /** Length of all files. */
  readonly bytes: number;
  /** Memory that it takes, in bytes. */
  readonly memoryBytes: number;
  #manifest: WorkspaceManifest | undefined;

  constructor(nodes: ReadonlyMap<string, TreeNode>) {
    let files = 0;
    let bytes = 0;
    let memoryBytes = 0;
    for (const [path, node] of nodes) {
      memoryBytes += nodeBytes(path);
      if (node.type === "directory") continue;
      files++;
      bytes += node.ref.bytes;
    }
    this.nodes = nodes;
    this.files = files;
    this.bytes = bytes;
    this.memoryBytes = memoryBytes;
  }

  /** Its shape, as runtimes are told it. */
  get manifest(): WorkspaceManifest {
    return this.#manifest ??= manifestOf(this.nodes);
  }

  /** Paths of all directories. */
  *directories(): Generator<string> {
    for (const [path, node] of this.nodes) if (node.type === "directory") yield path;
  }
}

/** A workspace with nothing in it. */
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
