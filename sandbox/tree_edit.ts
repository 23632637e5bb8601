/**
 * A workspace on its way from one tree to the next: what is set and removed, which blobs it
 * leaves behind, and which parts of the stored manifest it touches.
 *
 * Every parent of a path is there, as in the tree it begins with; its users see to it. It knows no
 * limits: its users check them.
 *
 * @module
 */
import { WORKSPACE } from "../client/protocol/paths.ts";
import { blobName, type BlobRef } from "../store/blobs.ts";
import { sliceOf, SLICES } from "./manifest_shards.ts";
import type { DirectoryNode, FileNode, Tree, TreeNode } from "./tree.ts";
import { TreeChildren } from "./tree_children.ts";

/** A file whose contents are not kept yet. */
export interface NewFile {
  readonly type: "file";
  /** Epoch milliseconds. */
  readonly modifiedAt: number;
  /** Must not change any more. */
  readonly data: Uint8Array;
}

/** What a path names while it is edited. */
export type EditNode = TreeNode | NewFile;

/** Length of a file; 0 for a directory. */
export function sizeOf(node: EditNode): number {
  if (node.type === "directory") return 0;
  return "data" in node ? node.data.byteLength : node.ref.bytes;
}

/** Edits of one tree. */
export class TreeEdit {
  /** The slices of the manifest that hold a changed path. */
  readonly slices: Set<number> = new Set();
  readonly #nodes: Map<string, EditNode>;
  readonly #leftBehind = new Map<string, BlobRef>();
  /** Of all nodes; made when it is asked for, because most edits have no need of it. */
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

  /** Length of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Everything, by path. */
  get nodes(): ReadonlyMap<string, EditNode> {
    return this.#nodes;
  }

  /** Blobs that no path names any more. */
  get leftBehind(): Iterable<BlobRef> {
    return this.#leftBehind.values();
  }

  /** What a path names. */
  get(path: string): EditNode | undefined {
    return this.#nodes.get(path);
  }

  /** Whether a path is a directory; the workspace itself is one. */
  isDirectory(path: string): boolean {
    return path === WORKSPACE || this.#nodes.get(path)?.type === "directory";
  }

  /** Everything below a directory, in no order. */
  below(directory: string): readonly (readonly [path: string, node: EditNode])[] {
    return this.#childrenOfAll().below(directory).flatMap((path) => {
      const node = this.#nodes.get(path);
      return node === undefined ? [] : [[path, node] as const];
    });
  }

  /** Whether a directory holds nothing. */
  isEmpty(directory: string): boolean {
    return this.#childrenOfAll().isEmpty(directory);
  }

  /** Makes or replaces what is at a path. */
  set(path: string, node: NewFile | DirectoryNode | FileNode): void {
    this.#replace(path, node);
    if ("ref" in node) this.#leftBehind.delete(blobName(node.ref));
  }

  /** Removes a path, and all that is below it. */
  remove(path: string): void {
    const node = this.#nodes.get(path);
    if (node === undefined) return;
    if (node.type === "directory") {
      for (const [child] of this.below(path)) this.#drop(child);
    }
    this.#drop(path);
  }

  /** Gives what is at a path, and all below it, another path, at which nothing is. */
  move(from: string, to: string): void {
    const node = this.#nodes.get(from);
    if (node === undefined) return;
    const moved = [[from, node] as const, ...this.below(from)];
    for (const [path] of moved) this.#drop(path);
    for (const [path, child] of moved) this.set(`${to}${path.slice(from.length)}`, child);
  }

  /** The tree that this leads to; `keep` gives a reference to contents that are new. */
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
    // when all of them hold a change, another path tells nothing new
    if (this.slices.size < SLICES) this.slices.add(sliceOf(path));
  }
}

function fileNode({ modifiedAt }: NewFile, ref: BlobRef): FileNode {
  return { type: "file", modifiedAt, ref };
}
