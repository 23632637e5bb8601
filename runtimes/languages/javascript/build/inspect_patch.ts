/**
 * `node-inspect-extracted` for this engine. The package guesses the kinds of objects from names that
 * programs can forge, runs traps of proxies, sees no entries of iterators and no state of promises,
 * and lists all indexes of an array. In the bundle these parts are replaced by the
 * guest's own, see `guest/inspect/internals.ts`.
 *
 * @module
 */
import { INSPECT_INTERNALS } from "../host/loader_names.ts";

const OWN = `globalThis.${INSPECT_INTERNALS}`;

interface Module {
  /** The first line of the module, and of the code after it. */
  readonly from: RegExp;
  readonly to: RegExp;
  /** Name of the replacement. */
  readonly part: string;
}

const MODULES: readonly Module[] = [
  { from: /^ {8}515: \(/m, to: /^ {8}217: \(/m, part: "types" },
  { from: /^ {8}583: \(/m, to: /^ {6}\}, \w+ = \{\};/m, part: "util" },
];
/** Single functions. The one that finds a stack overflow would cause one first. */
const FUNCTIONS = ["isError", "isStackOverflowError"];
/** Where the package replaces an error of the program's own code by one of its own. */
const FAILURE = /\b\w+\.fail\((\w+)\.stack\)/g;

function notFound(name: string): never {
  throw new TypeError(`node-inspect-extracted has no "${name}" where the patch expects it`);
}

function replaceModule(text: string, { from, to, part }: Module): string {
  const start = text.search(from);
  const length = text.slice(start).search(to);
  if (start < 0 || length < 0) notFound(part);
  const id = text.slice(start, text.indexOf(":", start));
  const own = `${id}: (module) => { module.exports = ${OWN}.${part}; },\n`;
  return text.slice(0, start) + own + text.slice(start + length);
}

function replaceFunction(text: string, name: string): string {
  const parts = text.split(`${name}: function(`);
  if (parts.length !== 2) notFound(name);
  return parts.join(`${name}: ${OWN}.${name}, _${name}: function(`);
}

function rethrow(text: string): string {
  if (text.match(FAILURE)?.length !== 1) notFound("fail");
  return text.replace(FAILURE, "throw $1");
}

/** Replaces them in the text of a bundle. Throws if the package is another one. */
export function patchInspect(bundle: string): string {
  return rethrow(FUNCTIONS.reduce(replaceFunction, MODULES.reduce(replaceModule, bundle)));
}
