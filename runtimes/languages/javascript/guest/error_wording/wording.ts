/**
 * Engine errors in V8's words and at V8's positions, which people, programs and language models
 * know.
 *
 * `error_wording/` and `json/` are written by hand because no package has V8's messages: V8's
 * parser and compiler produce them, and QuickJS has different ones.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import {
  MapPrototypeGet,
  MapPrototypeGetSize,
  MapPrototypeSet,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ownDescriptor,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
} from "../primordials.ts";
import { BUILT_IN_WORDINGS, wordBuiltIn } from "./built_ins.ts";
import { type ErrorSite, Fault, sourceKey, type SourcePosition } from "./fault.ts";
import { OPERATOR_WORDINGS, wordNamed } from "./operators.ts";

/** The code that threw an engine error. */
export interface Thrower {
  /** Name of the built-in that threw; empty when the guest's own code did. */
  readonly builtIn: string;
  /** The guest's own code; undefined when this environment threw. */
  readonly site: ErrorSite | undefined;
}

/** Longer messages quote guest text. */
const MAX_CHARS = 1000;

function nameOf(error: object): string {
  const prototype = ObjectGetPrototypeOf(error);
  const name: unknown = prototype === null ? undefined : ownDescriptor(prototype, "name")?.value;
  return typeof name === "string" ? name : "";
}

function worded(error: object, message: string, fault: Fault): string | undefined {
  const wording = OPERATOR_WORDINGS[message] ?? BUILT_IN_WORDINGS[message];
  return wording === undefined
    ? wordNamed(message, fault) ?? wordBuiltIn(nameOf(error), message, fault)
    : wording(fault);
}

/** The wording and the position found for an engine error. */
interface Finding {
  readonly builtIn: string;
  /** The engine's message. */
  readonly message: string;
  readonly text: string | undefined;
  readonly place: SourcePosition | undefined;
}

/** Findings by position. */
type Findings = Map<number, Finding>;

/**
 * What this run found, because code that fails repeatedly gets the same message each time. By
 * function, and by text for functions that are created anew for each call.
 */
const known: { ofFunctions: WeakMap<object, Findings>; ofTexts: Map<string, Findings> } = {
  ofFunctions: new WeakMap(),
  ofTexts: new Map(),
};
const MAX_KNOWN = 64;
const MAX_COLUMNS = 65_536;

/** Forgets the findings of earlier runs, which had other scripts. */
export function forgetFindings(): void {
  known.ofFunctions = new WeakMap();
  known.ofTexts = new Map();
}

/** The findings for a function; new ones are added to it. */
function findingsOf(callee: object): Findings {
  const own = WeakMapPrototypeGet(known.ofFunctions, callee) as Findings | undefined;
  if (own !== undefined) return own;
  const key = sourceKey(callee);
  const same = key === undefined
    ? undefined
    : MapPrototypeGet(known.ofTexts, key) as Findings | undefined;
  const findings: Findings = same ?? new Map();
  if (key !== undefined && same === undefined && MapPrototypeGetSize(known.ofTexts) < MAX_KNOWN) {
    MapPrototypeSet(known.ofTexts, key, findings);
  }
  WeakMapPrototypeSet(known.ofFunctions, callee, findings);
  return findings;
}

function findOut(host: HostFunction, error: object, message: string, thrower: Thrower): Finding {
  const { builtIn, site } = thrower;
  const fault = new Fault(host, builtIn, site);
  const text = worded(error, message, fault);
  return { builtIn, message, text, place: builtIn === "" ? fault.place : undefined };
}

/** Returns the remembered finding, or searches for it. */
function recall(host: HostFunction, error: object, message: string, thrower: Thrower): Finding {
  const { builtIn, site } = thrower;
  const callee = site?.callee;
  // the wording of a pattern's error depends on the pattern, not on the position
  if (site === undefined || typeof callee !== "function" || builtIn === "RegExp") {
    return findOut(host, error, message, thrower);
  }
  const findings = findingsOf(callee);
  const place = site.line * MAX_COLUMNS + site.column;
  const before = MapPrototypeGet(findings, place) as Finding | undefined;
  if (before !== undefined && before.message === message && before.builtIn === builtIn) {
    return before;
  }
  const finding = findOut(host, error, message, thrower);
  if (before !== undefined || MapPrototypeGetSize(findings) < MAX_KNOWN) {
    MapPrototypeSet(findings, place, finding);
  }
  return finding;
}

/**
 * Sets a message in V8's words on an error that the engine made. Returns the position of the error,
 * if a better one than the engine's is known.
 */
export function wordError(
  host: HostFunction,
  error: { message?: string },
  thrower: Thrower,
): SourcePosition | undefined {
  const own = ObjectGetOwnPropertyDescriptor(error, "message");
  const message: unknown = own?.value;
  if (typeof message !== "string" || message.length > MAX_CHARS) return undefined;
  const { text, place } = recall(host, error, message, thrower);
  if (text !== undefined && text !== message && own?.writable === true) error.message = text;
  return place;
}
