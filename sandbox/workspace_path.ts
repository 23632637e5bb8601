/**
 * Paths of `/workspace` as text: resolved lexically, checked, never normalised as Unicode
 * (docs/contract.md#files).
 *
 * @module
 */
import type { WorkspaceLimits } from "../wire/limits.ts";
import { WORKSPACE } from "../wire/paths.ts";
import { utf8Length } from "../wire/text.ts";
import { FileFault } from "./file_fault.ts";

/** A path after it was resolved. */
export interface ResolvedPath {
  /** `/workspace`, or an absolute path below it, without a slash at its end. */
  readonly path: string;
  /** The text ended with a slash, so only a directory will do. */
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
  // a path within its limit has few names
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

/** The directory that holds a path below the workspace. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The directories between the workspace and a path, outermost first, both left out. */
export function ancestorsOf(path: string): readonly string[] {
  const ancestors: string[] = [];
  for (let at = parentOf(path); at.length > WORKSPACE.length; at = parentOf(at)) ancestors.push(at);
  return ancestors.reverse();
}

/** Whether a path lies below a directory. */
export function isBelow(path: string, directory: string): boolean {
  return path.length > directory.length + 1 && path.startsWith(`${directory}/`);
}

const SURROGATE = /[\ud800-\udfff]/;
/** Code units that stand above surrogates, for code points that stand below theirs. */
const ABOVE_SURROGATES = /[\ue000-\uffff]/;

/**
 * Sorts paths by Unicode code points, in place. Each is ranked once, so that a beginning which
 * many share is not gone through at each comparison.
 */
export function sortByCodePoints(paths: string[]): string[] {
  const isUnitOrder = !paths.some((path) => ABOVE_SURROGATES.test(path)) ||
    !paths.some((path) => SURROGATE.test(path));
  if (isUnitOrder) return paths.sort();
  const ranked = paths.map((path) => [rankedUnits(path), path] as const);
  ranked.sort(([a], [b]) => a < b ? -1 : Number(a > b));
  for (const [index, [_ranks, path]] of ranked.entries()) paths[index] = path;
  return paths;
}

/** A text whose order by code units is the order by code points of what it was made of. */
function rankedUnits(text: string): string {
  const units: number[] = [];
  for (let index = 0; index < text.length; index++) units.push(rank(text.charCodeAt(index)));
  return String.fromCharCode(...units);
}

/** Surrogates stand for code points above every other code unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
