/**
 * Workspaces for tests of trees: the most expensive shapes, random ones, and a simple model of
 * edits that goes through all entries.
 */
import type { RunChanges } from "../../sandbox/merge.ts";
import { type EditNode, sizeOf, sliceOf, Tree, type TreeNode } from "../../sandbox/tree.ts";

const ROOT = "/workspace";

/** Paths of a workspace; all parents are among the directories. */
export interface Shape {
  readonly dirs: readonly string[];
  readonly files: readonly string[];
}

/** Chains of directories, each as deep as a path of the given length allows. */
export function deepChains(entries: number, length: number, name = "d"): Shape {
  const dirs: string[] = [];
  for (let chain = 0; dirs.length < entries; chain++) {
    for (let path = `${ROOT}/${chain}`; path.length <= length; path += `/${name}`) {
      if (dirs.length < entries) dirs.push(path);
    }
  }
  return { dirs, files: [] };
}

/** One chain of directories, with files in the last one. */
export function filesInTheDeep(entries: number, depth: number): Shape {
  const dirs = Array.from({ length: depth }, (_, n) => `${ROOT}${"/d".repeat(n + 1)}`);
  const files = Array.from({ length: entries - depth }, (_, n) => `${dirs.at(-1)}/${n}`);
  return { dirs, files };
}

/** Directories side by side. */
export function flat(entries: number): Shape {
  return { dirs: Array.from({ length: entries }, (_, n) => `${ROOT}/${n}`), files: [] };
}

/** A file whose contents do not exist. */
export function keptFile(n: number): TreeNode {
  return {
    type: "file",
    modifiedAt: n,
    ref: { run: "run", n, bytes: n % 7, sha256: "f".repeat(64) },
  };
}

/** The tree of a shape. */
export function treeOf({ dirs, files }: Shape): Tree {
  const nodes = new Map<string, TreeNode>();
  for (const path of dirs) nodes.set(path, { type: "directory", modifiedAt: 1 });
  for (const [n, path] of files.entries()) nodes.set(path, keptFile(n));
  return new Tree(nodes);
}

/** Directories that lead to a path, outermost first. */
export function parentsOf(path: string): readonly string[] {
  const names = path.slice(ROOT.length + 1).split("/");
  return names.slice(1).map((_, n) => `${ROOT}/${names.slice(0, n + 1).join("/")}`);
}

/** Names that collide, or that sort differently as text than as code points. */
const NAMES = ["a", "a-b", "ab", "a.b", "\u00e9", "\uffee", "\u{1f600}"];

/** A path of up to four names, from few enough names to repeat. */
export function randomPath(random: () => number): string {
  const depth = 1 + Math.floor(random() * 4);
  const name = () => NAMES[Math.floor(random() * NAMES.length)] ?? "a";
  return `${ROOT}/${Array.from({ length: depth }, name).join("/")}`;
}

/** A workspace of random paths. */
export function randomShape(random: () => number): Shape {
  const dirs = new Set<string>();
  const files = new Set<string>();
  for (let n = Math.floor(random() * 30); n > 0; n--) {
    const path = randomPath(random);
    const parents = parentsOf(path);
    if (dirs.has(path) || files.has(path) || parents.some((parent) => files.has(parent))) continue;
    for (const parent of parents) dirs.add(parent);
    (random() < 0.5 ? dirs : files).add(path);
  }
  return { dirs: [...dirs], files: [...files] };
}

/** Edits of a tree, as a simple model. */
export class ModelEdit {
  readonly nodes: Map<string, EditNode>;
  readonly slices = new Set<number>();

  constructor(base: Tree) {
    this.nodes = new Map(base.nodes);
  }

  get bytes(): number {
    return [...this.nodes.values()].reduce((sum, node) => sum + sizeOf(node), 0);
  }

  below(directory: string): readonly string[] {
    return [...this.nodes.keys()].filter((path) => path.startsWith(`${directory}/`));
  }

  set(path: string, node: EditNode): void {
    this.nodes.set(path, node);
    this.slices.add(sliceOf(path));
  }

  remove(path: string): void {
    if (!this.nodes.has(path)) return;
    for (const gone of [path, ...this.below(path)]) {
      this.nodes.delete(gone);
      this.slices.add(sliceOf(gone));
    }
  }

  move(from: string, to: string): void {
    const moved = [from, ...this.below(from)].map((path) => [path, this.nodes.get(path)] as const);
    this.remove(from);
    for (const [path, node] of moved) {
      if (node !== undefined) this.set(`${to}${path.slice(from.length)}`, node);
    }
  }

  /** A run's changes, applied after changes that others made since it began. */
  merge({ base, diff, now }: RunChanges): void {
    const isDirectory = (path: string) => this.nodes.get(path)?.type === "directory";
    const ensure = (paths: readonly string[]) => {
      for (const path of paths) {
        if (isDirectory(path)) continue;
        this.remove(path);
        this.set(path, { type: "directory", modifiedAt: now });
      }
    };
    for (const path of diff.deleted) if (!isDirectory(path)) this.remove(path);
    for (const path of diff.dirs) {
      if (base.nodes.get(path)?.type !== "directory") ensure([...parentsOf(path), path]);
    }
    for (const { path, data, updatedAt } of diff.files) {
      ensure(parentsOf(path));
      if (isDirectory(path)) this.remove(path);
      this.set(path, { type: "file", modifiedAt: updatedAt, data });
    }
    for (const path of [...base.directories()].sort().reverse()) {
      const isGone = !diff.dirs.includes(path) && isDirectory(path);
      if (isGone && this.below(path).length === 0) this.remove(path);
    }
  }
}
