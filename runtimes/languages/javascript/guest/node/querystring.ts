/**
 * Node's `querystring` module.
 *
 * @module
 */
import { nameFunctions } from "../web/expose.ts";
import { nodeError } from "../web/node_error.ts";
import { percentDecode } from "../web/urlencoded.ts";

type Decode = (text: string) => string;

interface ParseOptions {
  readonly maxKeys?: unknown;
  readonly decodeURIComponent?: unknown;
}

const DEFAULT_MAX_KEYS = 1000;
const encodeComponent = encodeURIComponent;
const decodeComponent = decodeURIComponent;

function escape(value: unknown): string {
  const text = typeof value === "object" && value !== null ? String(value) : `${value}`;
  if (!text.isWellFormed()) throw nodeError(URIError, "ERR_INVALID_URI", "URI malformed");
  return encodeComponent(text);
}

function unescape(text: string): string {
  try {
    return decodeComponent(text);
  } catch {
    return percentDecode(text);
  }
}

function primitiveText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? `${value}` : "";
    case "bigint":
    case "boolean":
      return `${value}`;
    default:
      return "";
  }
}

function decodeWith(decode: Decode, text: string): string {
  const spaced = text.replaceAll("+", "%20");
  if (decode === unescape && !spaced.includes("%")) return spaced;
  try {
    return decode(spaced);
  } catch {
    return unescape(spaced);
  }
}

function append(result: Record<string, unknown>, key: string, value: string): void {
  const old = Object.hasOwn(result, key) ? result[key] : undefined;
  if (old === undefined) result[key] = value;
  else if (Array.isArray(old)) old.push(value);
  else result[key] = [old, value];
}

function parse(
  text: unknown,
  separator: unknown = "&",
  equals: unknown = "=",
  options: ParseOptions | null = {},
): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null);
  if (typeof text !== "string" || text === "") return result;
  const given = options?.maxKeys;
  const limit = typeof given === "number" ? (given > 0 ? given : Infinity) : DEFAULT_MAX_KEYS;
  const custom = options?.decodeURIComponent;
  const decode = typeof custom === "function" ? custom as Decode : module.unescape as Decode;
  const sign = `${equals || "="}`;
  let count = 0;
  for (const pair of text.split(`${separator || "&"}`)) {
    if (pair === "") continue;
    if (++count > limit) break;
    const at = pair.indexOf(sign);
    const key = decodeWith(decode, at < 0 ? pair : pair.slice(0, at));
    append(result, key, at < 0 ? "" : decodeWith(decode, pair.slice(at + sign.length)));
  }
  return result;
}

function stringify(
  values: unknown,
  separator: unknown = "&",
  equals: unknown = "=",
  options: { readonly encodeURIComponent?: unknown } | null = {},
): string {
  if (typeof values !== "object" || values === null) return "";
  const custom = options?.encodeURIComponent;
  const encode = typeof custom === "function" ? custom as Decode : module.escape as Decode;
  const sign = `${equals || "="}`;
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const name = encode(key);
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) pairs.push(`${name}${sign}${encode(primitiveText(item))}`);
  }
  return pairs.join(`${separator || "&"}`);
}

/** `unescape` and `escape` are looked up here: programs may replace them. */
const module: Record<string, unknown> = {
  parse,
  decode: parse,
  stringify,
  encode: stringify,
  escape,
  unescape,
};

/** The module, as `require("querystring")` returns it. */
export const querystringModule: Readonly<Record<string, unknown>> = nameFunctions(module);
