/**
 * Paths of `/workspace` as text: resolved lexically, checked, never normalized as Unicode
 * (docs/contract.md#files).
 *
 * @module
 */
import { WORKSPACE } from "../client/protocol/paths.ts";
import { utf8Length } from "../client/protocol/text.ts";
import type { WorkspaceLimits } from "../shared/limits.ts";
import type { Slicer } from "../shared/slices.ts";
import { FileFault } from "./file_fault.ts";

/** A resolved path. */
export interface ResolvedPath {
  /** `/workspace`, or an absolute path below it, without a slash at its end. */
  readonly path: string;
  /** Whether the text ended with a slash, so that the path must be a directory. */
  readonly directory: boolean;
}

/**
 * Resolves a path against `/workspace`.
 *
 * Throws a FileFault: EILSEQ (a lone surrogate), EINVAL (NUL), EACCES (it leaves the workspace),
 * ENAMETOOLONG.
 */
export function resolvePath(text: string, limits: WorkspaceLimits): ResolvedPath {
  if (!text.isWellFormed()) throw new FileFault("EILSEQ");
  if (text.includes("\0")) throw new FileFault("EINVAL");
  const names = lexical(text.startsWith("/") ? text : `${WORKSPACE}/${text}`);
  const path = `/${names.join("/")}`;
  if (`/${names[0]}` !== WORKSPACE) throw new FileFault("EACCES");
  // a path within the limit has few names
  const tooLong = utf8Length(path) > limits.pathBytes ||
    names.some((name) => 3 * name.length > limits.nameBytes && utf8Length(name) > limits.nameBytes);
  if (tooLong) throw new FileFault("ENAMETOOLONG");
  return { path, directory: /\/\.{0,2}$|^\.{1,2}$/.test(text) };
}

function lexical(absolute: string): readonly string[] {
  const names: string[] = [];
  for (const name of absolute.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

/** The parent directory of a path below the workspace. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The directories between the workspace and a path, both excluded, outermost first. */
export function ancestorsOf(path: string): readonly string[] {
  const ancestors: string[] = [];
  for (let at = parentOf(path); at.length > WORKSPACE.length; at = parentOf(at)) ancestors.push(at);
  return ancestors.reverse();
}

/** Whether a path is below a directory. */
export function isBelow(path: string, directory: string): boolean {
  return path.length > directory.length + 1 && path.startsWith(`${directory}/`);
}

/** Code units whose order differs from that of their code points. */
const OUT_OF_ORDER = /[\ud800-\uffff]/;

/** Sorts paths by Unicode code points, in place. */
export function sortByCodePoints(paths: string[]): string[] {
  if (!paths.some((path) => OUT_OF_ORDER.test(path))) return paths.sort();
  const ranked = paths.map(rankOf).sort(compareRanks);
  for (const [index, { path }] of ranked.entries()) paths[index] = path;
  return paths;
}

/** The same for many paths, in slices of time. */
export async function sortedInSlices(
  paths: readonly string[],
  slicer: Slicer,
): Promise<readonly string[]> {
  let runs: Ranked[][] = [];
  for (let at = 0; at < paths.length; at += RUN) {
    runs.push(paths.slice(at, at + RUN).map(rankOf).sort(compareRanks));
    if (slicer.isOver()) await slicer.pause();
  }
  while (runs.length > 1) {
    const merged: Ranked[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergedRuns(runs[at] ?? [], runs[at + 1] ?? [], slicer));
    }
    runs = merged;
  }
  return (runs[0] ?? []).map(({ path }) => path);
}

/** Number of paths that are sorted at a time. */
const RUN = 128;

/** A path, and a text whose order by code units is that of the path by code points. */
interface Ranked {
  readonly path: string;
  readonly rank: string;
}

/** Each path is ranked once, so that comparisons do not scan shared prefixes again. */
function rankOf(path: string): Ranked {
  return { path, rank: OUT_OF_ORDER.test(path) ? rankedUnits(path) : path };
}

function compareRanks({ rank: a }: Ranked, { rank: b }: Ranked): number {
  return a < b ? -1 : Number(a > b);
}

async function mergedRuns(
  left: readonly Ranked[],
  right: readonly Ranked[],
  slicer: Slicer,
): Promise<Ranked[]> {
  const merged: Ranked[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined) return [...merged, ...right.slice(r)];
    if (b === undefined) return [...merged, ...left.slice(l)];
    if (a.rank <= b.rank) {
      merged.push(a);
      l++;
    } else {
      merged.push(b);
      r++;
    }
    if (merged.length % RUN === 0 && slicer.isOver()) await slicer.pause();
  }
}

/** Returns a text whose order by code units is the order by code points of the original. */
function rankedUnits(text: string): string {
  const units: number[] = [];
  for (let index = 0; index < text.length; index++) units.push(rank(text.charCodeAt(index)));
  return String.fromCharCode(...units);
}

/** Surrogates encode code points above every other code unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
