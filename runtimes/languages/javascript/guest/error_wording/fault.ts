/**
 * The facts of an engine error when it is thrown: which code ran, and what the host reads from its
 * source.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { jsonText } from "../json_text.ts";
import {
  bare,
  FunctionPrototypeToString,
  ownDescriptor,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  uncurryGetter,
} from "../primordials.ts";

/** The position that the engine last recorded in a function. */
export interface ErrorSite {
  readonly callee: unknown;
  readonly line: number;
  readonly column: number;
}

/**
 * What the host found: a text, whose meaning depends on the kind, and where the faulty expression
 * begins.
 */
export interface SourcePosition {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** The end of the engine's text for a function without source, such as a script. */
const NO_SOURCE = "[native code]\n}";
const lineNumberOf = uncurryGetter(Function.prototype, "lineNumber");
const columnNumberOf = uncurryGetter(Function.prototype, "columnNumber");

/** Characters beyond which functions are not distinguished by their text. */
const MAX_KEY_CHARS = 2_000;

/** A key shared by functions with the same source; undefined for scripts. */
export function sourceKey(callee: object): string | undefined {
  const text = FunctionPrototypeToString(callee);
  if (text.length > MAX_KEY_CHARS || StringPrototypeEndsWith(text, NO_SOURCE)) return undefined;
  return `${lineNumberOf?.(callee)}:${columnNumberOf?.(callee)}:${text}`;
}

function requestFor(kind: string, name: string, site: ErrorSite): object {
  const { callee, line, column } = site;
  const text = typeof callee === "function" ? FunctionPrototypeToString(callee) : NO_SOURCE;
  if (StringPrototypeEndsWith(text, NO_SOURCE)) return bare({ kind, name, line, column });
  const startLine = lineNumberOf?.(callee);
  const startColumn = columnNumberOf?.(callee);
  return bare({ kind, name, line, column, source: text, startLine, startColumn });
}

function readPlace(reply: string): SourcePosition | undefined {
  const first = StringPrototypeIndexOf(reply, ":");
  const second = StringPrototypeIndexOf(reply, ":", first + 1);
  if (second < 0) return undefined;
  return {
    line: Number(StringPrototypeSlice(reply, 0, first)),
    column: Number(StringPrototypeSlice(reply, first + 1, second)),
    text: StringPrototypeSlice(reply, second + 1),
  };
}

/** An engine error whose wording is being chosen. */
export class Fault {
  /** Name of the built-in that threw; empty when the guest's own code did. */
  readonly builtIn: string;
  readonly #host: HostFunction;
  readonly #site: ErrorSite | undefined;
  #place: SourcePosition | undefined;

  constructor(host: HostFunction, builtIn: string, site: ErrorSite | undefined) {
    this.#host = host;
    this.builtIn = builtIn;
    this.#site = site;
  }

  /** The position of the error, if it was searched for and found. */
  get place(): SourcePosition | undefined {
    return this.#place;
  }

  /** The faulty expression in the guest's code; empty when it cannot be found. */
  find(kind: string, name = ""): string {
    if (this.#site === undefined) return "";
    const request = jsonText(requestFor(kind, name, this.#site)) ?? "";
    const reply = this.#host("place", request);
    this.#place = typeof reply === "string" ? readPlace(reply) : undefined;
    return this.#place?.text ?? "";
  }

  /** The built-in's first argument, if it is a literal. */
  argument(): string {
    return this.find("argument", this.builtIn);
  }

  /** The built-in's second argument, if it is a literal. */
  secondArgument(): string {
    return this.find("second argument", this.builtIn);
  }

  /** The name of the function that ran, if it is a class. */
  get className(): string {
    const callee = this.#site?.callee;
    if (typeof callee !== "function") return "";
    const isClass = StringPrototypeStartsWith(FunctionPrototypeToString(callee), "class");
    const name: unknown = isClass ? ownDescriptor(callee, "name")?.value : "";
    return typeof name === "string" ? name : "";
  }
}
