/**
 * `URLSearchParams` of the URL Standard.
 *
 * It is written by hand and not taken from `whatwg-url-minimum`, which parses the URLs. Version
 * 0.2.0 reads `%41%ff` as two replacement characters, treats null as a missing argument, has none
 * of Node's error codes, and exposes its list to guests under a symbol and by the pairs that it
 * iterates.
 *
 * @module
 */
import { enumerateMembers, exposeInterface, INSPECT, type Inspect, setTag } from "./expose.ts";
import { missingArguments, nodeError, requireFunction } from "./node_error.ts";
import { parseUrlencoded, serializeUrlencoded } from "./urlencoded.ts";

type Pair = [name: string, value: string];
type Select = (name: string, value: string) => unknown;

const isArray = Array.isArray;
const ownKeys = Reflect.ownKeys;
const isEnumerable = Object.prototype.propertyIsEnumerable;

function toText(value: unknown): string {
  return `${value}`.toWellFormed();
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function invalidTuple(): Error {
  return nodeError(
    TypeError,
    "ERR_INVALID_TUPLE",
    "Each query pair must be an iterable [name, value] tuple",
  );
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return isObject(value) && typeof Reflect.get(value, Symbol.iterator) === "function";
}

function readPairs(pairs: Iterable<unknown>): string[] {
  const list: string[] = [];
  for (const pair of pairs) {
    if (!isIterable(pair)) throw invalidTuple();
    const items = isArray(pair) ? pair : [...pair];
    if (items.length !== 2) throw invalidTuple();
    list.push(toText(items[0]), toText(items[1]));
  }
  return list;
}

function readRecord(record: object): string[] {
  const values = new Map<string, string>();
  for (const key of ownKeys(record)) {
    if (!Reflect.apply(isEnumerable, record, [key])) continue;
    if (typeof key === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
    values.set(key.toWellFormed(), toText(Reflect.get(record, key)));
  }
  return [...values].flat();
}

function readInit(init: unknown): string[] {
  if (init === undefined || init === null) return [];
  if (!isObject(init)) {
    const text = toText(init);
    return parseUrlencoded(text[0] === "?" ? text.slice(1) : text);
  }
  const method: unknown = Reflect.get(init, Symbol.iterator);
  if (method === undefined || method === null) return readRecord(init);
  if (typeof method !== "function") {
    throw nodeError(TypeError, "ERR_ARG_NOT_ITERABLE", "Query pairs must be iterable");
  }
  return readPairs(init as Iterable<unknown>);
}

/** Iterates over names and values, including those added during the iteration. */
class ParamsIterator implements Iterator<unknown> {
  readonly #list: () => readonly string[];
  readonly #select: Select;
  #at = 0;

  constructor(list: () => readonly string[], select: Select) {
    this.#list = list;
    this.#select = select;
  }

  next(): IteratorResult<unknown> {
    const list = this.#list();
    const at = this.#at;
    if (at >= list.length) return { value: undefined, done: true };
    this.#at += 2;
    return { value: this.#select(list[at] ?? "", list[at + 1] ?? ""), done: false };
  }

  [INSPECT](_depth: unknown, options: object, inspect: Inspect): string {
    const rest: unknown[] = [];
    const list = this.#list();
    for (let i = this.#at; i < list.length; i += 2) {
      rest.push(this.#select(list[i] ?? "", list[i + 1] ?? ""));
    }
    const items = rest.map((item) => inspect(item, options)).join(", ");
    return `URLSearchParams Iterator { ${items}${items === "" ? "" : " "}}`;
  }
}

let link: (query: string, changed: () => void) => URLSearchParams;
let replace: (params: URLSearchParams, query: string) => void;

/** A URL's query as names and values. */
export class URLSearchParams {
  /** Alternating names and values. */
  #list: string[];
  #changed: (() => void) | undefined;

  constructor(init: unknown = undefined) {
    this.#list = readInit(init);
  }

  static {
    link = (query, changed) => {
      const params = new URLSearchParams(query);
      params.#changed = changed;
      return params;
    };
    replace = (params, query) => {
      params.#list = parseUrlencoded(query);
    };
  }

  #update(): void {
    this.#changed?.();
  }

  get size(): number {
    return this.#list.length / 2;
  }

  append(name: unknown, value: unknown): void {
    if (arguments.length < 2) throw missingArguments("name", "value");
    this.#list.push(toText(name), toText(value));
    this.#update();
  }

  delete(name: unknown, value: unknown = undefined): void {
    if (arguments.length < 1) throw missingArguments("name");
    const [wanted, exact] = [toText(name), value === undefined ? undefined : toText(value)];
    this.#keep((key, found) => key !== wanted || (exact !== undefined && found !== exact));
    this.#update();
  }

  #keep(test: Select): void {
    const kept: string[] = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      const [key, value] = this.#pair(i);
      if (test(key, value)) kept.push(key, value);
    }
    this.#list = kept;
  }

  #pair(at: number): Pair {
    return [this.#list[at] ?? "", this.#list[at + 1] ?? ""];
  }

  #find(name: string, value?: string): number {
    for (let i = 0; i < this.#list.length; i += 2) {
      if (this.#list[i] !== name) continue;
      if (value === undefined || this.#list[i + 1] === value) return i;
    }
    return -1;
  }

  get(name: unknown): string | null {
    if (arguments.length < 1) throw missingArguments("name");
    const at = this.#find(toText(name));
    return at < 0 ? null : this.#pair(at)[1];
  }

  getAll(name: unknown): string[] {
    if (arguments.length < 1) throw missingArguments("name");
    const wanted = toText(name);
    const values: string[] = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      const [key, value] = this.#pair(i);
      if (key === wanted) values.push(value);
    }
    return values;
  }

  has(name: unknown, value: unknown = undefined): boolean {
    if (arguments.length < 1) throw missingArguments("name");
    return this.#find(toText(name), value === undefined ? undefined : toText(value)) >= 0;
  }

  set(name: unknown, value: unknown): void {
    if (arguments.length < 2) throw missingArguments("name", "value");
    const [wanted, text] = [toText(name), toText(value)];
    const at = this.#find(wanted);
    if (at < 0) {
      this.#list.push(wanted, text);
    } else {
      this.#list[at + 1] = text;
      let seen = false;
      this.#keep((key) => key !== wanted || !seen && (seen = true));
    }
    this.#update();
  }

  /** Sorts by name, in the order of 16-bit units; equal names keep their order. */
  sort(): void {
    const pairs: Pair[] = [];
    for (let i = 0; i < this.#list.length; i += 2) pairs.push(this.#pair(i));
    pairs.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
    this.#list = pairs.flat();
    this.#update();
  }

  forEach(callback: (...args: unknown[]) => unknown, self: unknown = undefined): void {
    requireFunction("callback", callback);
    for (let i = 0; i < this.#list.length; i += 2) {
      const [name, value] = this.#pair(i);
      Reflect.apply(callback, self, [value, name, this]);
    }
  }

  #iterate(select: Select): ParamsIterator {
    return new ParamsIterator(() => this.#list, select);
  }

  entries(): ParamsIterator {
    return this.#iterate((name, value) => [name, value]);
  }

  keys(): ParamsIterator {
    return this.#iterate((name) => name);
  }

  values(): ParamsIterator {
    return this.#iterate((_name, value) => value);
  }

  toString(): string {
    return serializeUrlencoded(this.#list);
  }

  [INSPECT](depth: unknown, options: object, inspect: Inspect): unknown {
    if (typeof depth === "number" && depth < 0) return "[Object]";
    const shown: string[] = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      const [name, value] = this.#pair(i);
      shown.push(`${inspect(name, options)} => ${inspect(value, options)}`);
    }
    if (shown.length === 0) return "URLSearchParams {}";
    const line = shown.join(", ");
    return line.length + 20 > 72 || line.includes("\n")
      ? `URLSearchParams {\n  ${shown.join(",\n  ")} }`
      : `URLSearchParams { ${line} }`;
  }
}

/** The parameters of a URL. The URL is notified of changes. */
export function linkParams(query: string, changed: () => void): URLSearchParams {
  return link(query, changed);
}

/** Replaces all parameters after the URL's query was set. */
export function replaceParams(params: URLSearchParams, query: string): void {
  replace(params, query);
}

/** Prepares the class for guests. */
export function exposeUrlSearchParams(): void {
  const { prototype } = URLSearchParams;
  exposeInterface(URLSearchParams, "URLSearchParams");
  Object.defineProperty(prototype, Symbol.iterator, {
    value: prototype.entries,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  const iterators: object = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  setTag(ParamsIterator, "URLSearchParamsIterator", "URLSearchParams Iterator");
  Object.setPrototypeOf(ParamsIterator.prototype, iterators);
  enumerateMembers(ParamsIterator.prototype);
  Reflect.deleteProperty(ParamsIterator.prototype, "constructor");
}
