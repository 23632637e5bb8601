/**
 * `Headers` of the Fetch Standard, with the messages of Node.
 *
 * @module
 */
import { INSPECT, inspectAs } from "../web/expose.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/g;
const SET_COOKIE = "set-cookie";

interface Entry {
  /** As it was first written. */
  readonly name: string;
  readonly values: readonly string[];
}

/** Throws unless a call has enough arguments. */
export function requireArguments(
  method: string,
  count: number,
  args: { readonly length: number },
): void {
  if (args.length >= count) return;
  const noun = count === 1 ? "argument" : "arguments";
  throw new TypeError(
    `${method}: ${count} ${noun} required, but${
      args.length === 0 ? "" : " only"
    } ${args.length} found.`,
  );
}

function byteString(value: unknown): string {
  const text = `${value}`;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 255) {
      throw new TypeError(
        "Cannot convert argument to a ByteString because the character at index " +
          `${i} has a value of ${text.charCodeAt(i)} which is greater than 255.`,
      );
    }
  }
  return text;
}

function headerName(value: unknown, method: string): string {
  const name = byteString(value);
  if (!NAME.test(name)) {
    throw new TypeError(`Headers.${method}: "${name}" is an invalid header name.`);
  }
  return name;
}

function headerValue(value: unknown, method: string): string {
  const text = byteString(value).replace(EDGES, "");
  if (/[\0\n\r]/.test(text)) {
    throw new TypeError(`Headers.${method}: "${text}" is an invalid header value.`);
  }
  return text;
}

/** Names and values of a request or an answer. */
export class Headers {
  readonly #entries = new Map<string, Entry>();

  constructor(init: unknown = undefined) {
    if (init === undefined) return;
    if (typeof init !== "object" || init === null) {
      throw new TypeError(
        "Headers constructor: Argument 1 could not be converted to one of: " +
          "sequence<sequence<ByteString>>, record<ByteString, ByteString>.",
      );
    }
    if (Symbol.iterator in init) this.#fill(init as Iterable<unknown>);
    else for (const key of Object.keys(init)) this.append(key, Reflect.get(init, key));
  }

  #fill(pairs: Iterable<unknown>): void {
    for (const pair of pairs) {
      const parts = [...pair as Iterable<unknown>];
      if (parts.length !== 2) {
        throw new TypeError(
          `Headers constructor: expected name/value pair to be length 2, found ${parts.length}.`,
        );
      }
      this.append(parts[0], parts[1]);
    }
  }

  append(name: unknown, value: unknown): void {
    requireArguments("Headers.append", 2, arguments);
    const shown = headerName(name, "append");
    const text = headerValue(value, "append");
    const key = shown.toLowerCase();
    const known = this.#entries.get(key);
    this.#entries.set(key, { name: known?.name ?? shown, values: [...known?.values ?? [], text] });
  }

  delete(name: unknown): void {
    requireArguments("Headers.delete", 1, arguments);
    this.#entries.delete(headerName(name, "delete").toLowerCase());
  }

  get(name: unknown): string | null {
    requireArguments("Headers.get", 1, arguments);
    return this.#entries.get(headerName(name, "get").toLowerCase())?.values.join(", ") ?? null;
  }

  has(name: unknown): boolean {
    requireArguments("Headers.has", 1, arguments);
    return this.#entries.has(headerName(name, "has").toLowerCase());
  }

  set(name: unknown, value: unknown): void {
    requireArguments("Headers.set", 2, arguments);
    const shown = headerName(name, "set");
    const key = shown.toLowerCase();
    const text = headerValue(value, "set");
    this.#entries.set(key, { name: this.#entries.get(key)?.name ?? shown, values: [text] });
  }

  getSetCookie(): readonly string[] {
    return [...this.#entries.get(SET_COOKIE)?.values ?? []];
  }

  #sorted(): readonly (readonly [string, string])[] {
    return [...this.#entries.keys()].sort().flatMap((key) => {
      const values = this.#entries.get(key)?.values ?? [];
      return key === SET_COOKIE
        ? values.map((value) => [key, value] as const)
        : [[key, values.join(", ")] as const];
    });
  }

  *keys(): IterableIterator<string> {
    for (const [key] of this.#sorted()) yield key;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.#sorted()) yield value;
  }

  *entries(): IterableIterator<[string, string]> {
    for (const [key, value] of this.#sorted()) yield [key, value];
  }

  forEach(callback: (value: string, key: string, parent: Headers) => void, self?: unknown): void {
    requireArguments("Headers.forEach", 1, arguments);
    if (typeof callback !== "function") {
      throw new TypeError(
        "Failed to execute 'forEach' on 'Headers': parameter 1 is not of type 'Function'.",
      );
    }
    for (const [key, value] of this.#sorted()) Reflect.apply(callback, self, [value, key, this]);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    const fields: Record<string, string> = {};
    for (const { name, values } of this.#entries.values()) fields[name] = values.join(", ");
    return inspectAs(this, "Headers", fields, args);
  }
}
