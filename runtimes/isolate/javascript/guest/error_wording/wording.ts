/**
 * Errors of the engine in V8's words, and placed where V8 would place them: people, programs
 * and language models know those.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import {
  dataDescriptor,
  ObjectGetPrototypeOf,
  ownDescriptor,
  ReflectDefineProperty,
} from "../primordials.ts";
import { BUILT_IN_WORDINGS, wordBuiltIn } from "./built_ins.ts";
import { type ErrorSite, Fault, type Place } from "./fault.ts";
import { OPERATOR_WORDINGS, wordNamed } from "./operators.ts";

/** What threw an error of the engine. */
export interface Thrower {
  /** Name of the built-in that threw; empty when the guest's own code did. */
  readonly builtIn: string;
  /** The guest's own code; undefined when it was ours. */
  readonly site: ErrorSite | undefined;
}

/** Longer messages quote what a guest made up. */
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

/**
 * Gives an error that the engine made a message in V8's words. Gives the place of the error, if
 * it is known better than the engine knew it.
 */
export function wordError(
  host: HostFunction,
  error: object,
  thrower: Thrower,
): Place | undefined {
  const message: unknown = ownDescriptor(error, "message")?.value;
  if (typeof message !== "string" || message.length > MAX_CHARS) return undefined;
  const fault = new Fault(host, thrower.builtIn, thrower.site);
  const text = worded(error, message, fault);
  if (text !== undefined && text !== message) {
    ReflectDefineProperty(error, "message", dataDescriptor(text));
  }
  return thrower.builtIn === "" ? fault.place : undefined;
}
