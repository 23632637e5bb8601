/**
 * `URL` of the URL Standard over the parser of `whatwg-url-minimum`, with Node's errors.
 *
 * @module
 */
import "./base64_global.ts";
import { URL as ParsedUrl } from "whatwg-url-minimum";
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { missingArguments, nodeError } from "./node_error.ts";
import { linkParams, replaceParams, type URLSearchParams } from "./url_search_params.ts";

const parseUrl = ParsedUrl.parse;

/** Members that `console.log` shows, in Node's order. */
const FIELDS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "searchParams",
  "hash",
] as const;

function invalidUrl(input: string, base?: string): Error {
  const error = Object.assign(nodeError(TypeError, "ERR_INVALID_URL", "Invalid URL"), { input });
  return base === undefined ? error : Object.assign(error, { base });
}

function parse(input: unknown, base: unknown): ParsedUrl {
  const text = `${input}`;
  const baseText = base === undefined ? undefined : `${base}`;
  const parsed = parseUrl(text, baseText);
  if (parsed === null) throw invalidUrl(text, baseText);
  return parsed;
}

/** A URL whose parts can be read and set. */
export class URL {
  #parsed: ParsedUrl;
  #params: URLSearchParams | undefined;

  constructor(url: unknown, base: unknown = undefined) {
    if (arguments.length === 0) throw missingArguments("url");
    this.#parsed = parse(url, base);
  }

  static canParse(url: unknown, base: unknown = undefined): boolean {
    if (arguments.length === 0) throw missingArguments("url");
    return parseUrl(`${url}`, base === undefined ? undefined : `${base}`) !== null;
  }

  static parse(url: unknown, base: unknown = undefined): URL | null {
    if (arguments.length === 0) throw missingArguments("url");
    const [text, baseText] = [`${url}`, base === undefined ? undefined : `${base}`];
    return parseUrl(text, baseText) === null ? null : new URL(text, baseText);
  }

  #queryChanged(): void {
    if (this.#params !== undefined) replaceParams(this.#params, this.#parsed.search.slice(1));
  }

  get href(): string {
    return this.#parsed.href;
  }

  set href(value: unknown) {
    this.#parsed = parse(value, undefined);
    this.#queryChanged();
  }

  get origin(): string {
    return this.#parsed.origin;
  }

  get protocol(): string {
    return this.#parsed.protocol;
  }

  set protocol(value: unknown) {
    this.#parsed.protocol = `${value}`;
  }

  get username(): string {
    return this.#parsed.username;
  }

  set username(value: unknown) {
    this.#parsed.username = `${value}`;
  }

  get password(): string {
    return this.#parsed.password;
  }

  set password(value: unknown) {
    this.#parsed.password = `${value}`;
  }

  get host(): string {
    return this.#parsed.host;
  }

  set host(value: unknown) {
    this.#parsed.host = `${value}`;
  }

  get hostname(): string {
    return this.#parsed.hostname;
  }

  set hostname(value: unknown) {
    this.#parsed.hostname = `${value}`;
  }

  get port(): string {
    return this.#parsed.port;
  }

  set port(value: unknown) {
    this.#parsed.port = `${value}`;
  }

  get pathname(): string {
    return this.#parsed.pathname;
  }

  set pathname(value: unknown) {
    this.#parsed.pathname = `${value}`;
  }

  get search(): string {
    return this.#parsed.search;
  }

  set search(value: unknown) {
    this.#parsed.search = `${value}`;
    this.#queryChanged();
  }

  get searchParams(): URLSearchParams {
    this.#params ??= linkParams(this.#parsed.search, () => {
      if (this.#params !== undefined) this.#parsed.search = this.#params.toString();
    });
    return this.#params;
  }

  get hash(): string {
    return this.#parsed.hash;
  }

  set hash(value: unknown) {
    this.#parsed.hash = `${value}`;
  }

  toString(): string {
    return this.#parsed.href;
  }

  toJSON(): string {
    return this.#parsed.href;
  }

  [INSPECT](depth: unknown, options: unknown, inspect: unknown): unknown {
    const fields = Object.fromEntries(FIELDS.map((name) => [name, this[name]]));
    const name = this.constructor?.name ?? "URL";
    const inner = options as { depth?: number | null };
    const shown = { ...inner, depth: typeof inner.depth === "number" ? inner.depth + 1 : null };
    return inspectAs(this, name, fields, [depth, shown, inspect]);
  }
}

/** Prepares the class for guests. */
export function exposeUrl(): void {
  exposeInterface(URL, "URL");
  Object.defineProperty(URL, "length", { value: 1 });
  for (const name of ["canParse", "parse"]) {
    Object.defineProperty(URL, name, { enumerable: true });
  }
}
