/**
 * The URL of an HTTP operation: scheme, host and port are literal, path and query have arguments as
 * `{name}` (docs/tools.md#urls). A value stays one segment of the path, or one value of the query.
 *
 * @module
 */
import type { JsonValue } from "../client/protocol/types.ts";
import { quoted } from "../client/protocol/text.ts";

/** Literal text, or the name of an argument. */
type Piece = { readonly text: string } | { readonly name: string };

/** A URL with arguments. */
export interface UrlTemplate {
  /** Scheme, host and port. */
  readonly base: URL;
  /** Segments of the path, without their slashes. */
  readonly path: readonly (readonly Piece[])[];
  /** Parameters of the query. */
  readonly query: readonly (readonly Piece[])[];
  /** The arguments that it uses. */
  readonly names: ReadonlySet<string>;
}

/** Arguments of a call, by name. */
export type ToolArguments = { readonly [name: string]: JsonValue };

/** Each character belongs to one part only, so it is linear. */
const PARTS = /^(https?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/is;
const PLACEHOLDER = /\{([^{}]*)\}/;
/** Characters that a URL would drop or take for a slash. */
const NOT_IN_URL = /[\p{Cc} \\]/u;

/** Reads a template, or says what is wrong with it. */
export function parseUrlTemplate(text: string): UrlTemplate | string {
  const [, scheme, authority = "", path = "", query, fragment] = PARTS.exec(text) ?? [];
  if (scheme === undefined || authority === "" || NOT_IN_URL.test(text)) {
    return "must be an http: or https: URL";
  }
  if (/[{}$]/.test(authority)) return "must have a literal host and port";
  if (authority.includes("@")) return "must not have user info";
  if (fragment !== undefined) return "must not have a fragment";
  if (text.includes("${")) return "must not have secrets: they are for headers";
  if (!URL.canParse(scheme + authority)) return "must be an http: or https: URL";
  const segments = path.split("/").slice(1).map(piecesOf);
  const parameters = (query === undefined || query === "" ? [] : query.split("&")).map(piecesOf);
  const all = [...segments, ...parameters].flat();
  if (all.some((piece) => "text" in piece && /[{}]/.test(piece.text))) {
    return "has a brace that belongs to no {name}";
  }
  const names = all.flatMap((piece) => "name" in piece ? [piece.name] : []);
  if (names.includes("")) return "has a placeholder without a name";
  return {
    base: new URL(scheme + authority),
    path: segments,
    query: parameters,
    names: new Set(names),
  };
}

function piecesOf(text: string): readonly Piece[] {
  // the separators alternate with the names between them
  return text.split(PLACEHOLDER).flatMap((part, index): Piece[] =>
    index % 2 === 1 ? [{ name: part }] : part === "" ? [] : [{ text: part }]
  );
}

/** An argument does not fit the URL. */
class BadArgument extends Error {
  override readonly name = "BadArgument";
}

/** The URL of a call, or why there is none. `others`: arguments that are further parameters. */
export function expandUrl(
  template: UrlTemplate,
  values: ToolArguments,
  others: ToolArguments,
): URL | string {
  try {
    const path = template.path.map((pieces) => segmentOf(pieces, values));
    const query = [
      ...template.query.flatMap((pieces) => parameterOf(pieces, values) ?? []),
      ...Object.entries(others).flatMap(([name, value]) => parametersOf(name, value)),
    ];
    const url = new URL(template.base);
    const search = query.length === 0 ? "" : `?${query.join("&")}`;
    return new URL(`${url.origin}/${path.join("/")}${search}`);
  } catch (thrown) {
    if (thrown instanceof BadArgument) return thrown.message;
    throw thrown;
  }
}

function segmentOf(pieces: readonly Piece[], values: ToolArguments): string {
  let name: string | undefined;
  const segment = pieces.map((piece) => {
    if ("text" in piece) return piece.text;
    name = piece.name;
    const value = scalarOf(name, valueOf(values, name));
    if (value === undefined) throw new BadArgument(`${quoted(name)} is missing: the URL needs it`);
    return value;
  }).join("");
  const plain = segment.replaceAll(/%2e/gi, ".");
  if (name !== undefined && (plain === "" || plain === "." || plain === "..")) {
    throw new BadArgument(`${quoted(name)} cannot be a segment of a path`);
  }
  return segment;
}

/** Undefined when one of its values is absent: then it is left out. */
function parameterOf(pieces: readonly Piece[], values: ToolArguments): string | undefined {
  const texts = pieces.map((piece) =>
    "text" in piece ? piece.text : scalarOf(piece.name, valueOf(values, piece.name))
  );
  return texts.includes(undefined) ? undefined : texts.join("");
}

/** A list repeats the name. */
function parametersOf(name: string, value: JsonValue): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const text = scalarOf(name, item);
    return text === undefined ? [] : [`${encoded(name, name)}=${text}`];
  });
}

function valueOf(values: ToolArguments, name: string): JsonValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** A value as percent-encoded text; undefined for null and for an absent one. */
function scalarOf(name: string, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return encoded(name, value);
  // an integer with all its digits is an object of its own kind, and its JSON is the digits
  const json = JSON.stringify(value);
  if (/^[{[]/.test(json)) {
    throw new BadArgument(
      `${quoted(name)} must be text, a number, true or false: it is in the URL`,
    );
  }
  return encoded(name, json);
}

function encoded(name: string, text: string): string {
  if (!text.isWellFormed()) throw new BadArgument(`${quoted(name)} is not valid Unicode`);
  return encodeURIComponent(text);
}
