/**
 * From paths to inodes.
 *
 * @module
 */
import { FileError } from "./file_error.ts";
import type { FileTree } from "./file_tree.ts";
import type { DirectoryInode, Inode } from "./inode.ts";
import { type SplitPath, splitPath } from "./names.ts";

/** A path resolved up to its last part. */
export interface PathTarget {
  readonly directory: DirectoryInode;
  /** The last part. */
  readonly name: string;
  /** Only an ordinary name can be created, removed or renamed. */
  readonly last: "name" | "." | ".." | "/";
  readonly trailingSlash: boolean;
}

/**
 * Resolves paths part by part, as Linux does: `missing/..` is ENOENT and `file/..` is
 * ENOTDIR. `..` of the root is the root.
 */
export class PathWalk {
  readonly #tree: FileTree;
  readonly #root: DirectoryInode;
  readonly #maxBytes: number;

  constructor(tree: FileTree, root: DirectoryInode, maxBytes: number) {
    this.#tree = tree;
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  /** The entry of a path. ENOENT, ENOTDIR, ENAMETOOLONG, EINVAL (NUL), EILSEQ. */
  resolve(path: string, base: DirectoryInode): Inode {
    const { absolute, parts, trailingSlash } = this.#split(path);
    let at: Inode = absolute ? this.#root : base;
    for (const part of parts) at = this.#tree.lookup(at, part);
    if (trailingSlash && at.kind !== "directory") {
      throw new FileError("ENOTDIR");
    }
    return at;
  }

  /** A path may consist mostly of slashes, each of which takes time. */
  #split(path: string): SplitPath {
    this.#tree.countPath(Math.min(path.length, this.#maxBytes));
    return splitPath(path, this.#maxBytes);
  }

  /**
   * The directory of a path and its last part, which need not exist. Errors as {@linkcode resolve}.
   */
  parent(path: string, base: DirectoryInode): PathTarget {
    const { absolute, parts, trailingSlash } = this.#split(path);
    let at: Inode = absolute ? this.#root : base;
    for (const part of parts.slice(0, -1)) at = this.#tree.lookup(at, part);
    if (at.kind !== "directory") throw new FileError("ENOTDIR");
    const name = parts.at(-1) ?? "/";
    const last = name === "." || name === ".." || name === "/" ? name : "name";
    return { directory: at, name, last, trailingSlash };
  }
}
