/**
 * The legacy interface of Node's `url` module: `parse` and `format`, which split and join almost
 * any text.
 *
 * @module
 */
import { invalidArgument, nodeError } from "../web/node_error.ts";
import { URL } from "../web/url.ts";
import { querystringModule } from "./querystring.ts";

type Part = string | null;

const SIMPLE_PATH = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
const HOST_STARTS = /^\/\/[^@/]+@[^@/]+/;
/** Protocols whose authority follows two slashes. */
const SLASHED = /^(?:https?|ftp|gopher|file|wss?):?$/;
const HOST_END = /[\t\n\r "%';<>\\^`{|}#/?]/;
const NOT_IN_HOSTNAME = /[^a-zA-Z0-9.\-+_\u0080-\uffff]/;
const UNSAFE = /[\t\n\r "'<>\\^`{|}]/g;

function escapeUnsafe(text: string): string {
  return text.replace(
    UNSAFE,
    (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

function toAscii(hostname: string): string {
  if (/^[\0-\x7f]*$/.test(hostname)) return hostname;
  const parsed = URL.parse(`http://${hostname}/`);
  if (parsed === null) throw nodeError(TypeError, "ERR_INVALID_URL", "Invalid URL");
  return parsed.hostname;
}

function decodeAuth(auth: string): string {
  try {
    return decodeURIComponent(auth);
  } catch {
    return auth;
  }
}

/** The parts of a URL; null for a missing part. */
export class Url {
  protocol: Part = null;
  slashes: boolean | null = null;
  auth: Part = null;
  host: Part = null;
  port: Part = null;
  hostname: Part = null;
  hash: Part = null;
  search: Part = null;
  query: unknown = null;
  pathname: Part = null;
  path: Part = null;
  href = "";

  format(): string {
    return formatUrl(this);
  }
}

/** Backslashes before the query mean slashes. */
function straighten(text: string): string {
  const at = text.search(/[?#]/);
  const head = at < 0 ? text : text.slice(0, at);
  return head.replaceAll("\\", "/") + text.slice(head.length);
}

/** Removes the authority from the start of `rest`. Returns what follows it. */
function takeHost(url: Url, rest: string): string {
  const authorityEnd = rest.search(/[/?#]/);
  const authority = authorityEnd < 0 ? rest : rest.slice(0, authorityEnd);
  const at = authority.lastIndexOf("@");
  if (at >= 0) url.auth = decodeAuth(authority.slice(0, at));
  const behind = rest.slice(at + 1);
  const end = behind.search(HOST_END);
  const host = end < 0 ? behind : behind.slice(0, end);
  return takeHostname(url, host, end < 0 ? "" : behind.slice(end));
}

function takeHostname(url: Url, host: string, rest: string): string {
  const port = /:(\d*)$/.exec(host);
  const hostname = port === null ? host : host.slice(0, port.index);
  if (port?.[1]) url.port = port[1];
  const isIpv6 = hostname.startsWith("[") && hostname.endsWith("]");
  const bad = isIpv6 ? -1 : hostname.search(NOT_IN_HOSTNAME);
  const kept = bad < 0 ? hostname : hostname.slice(0, bad);
  const moved = bad < 0 ? rest : `/${hostname.slice(bad)}${rest}`;
  const name = kept.length > 255 ? "" : toAscii(kept.toLowerCase());
  url.host = name + (url.port === null ? "" : `:${url.port}`);
  url.hostname = isIpv6 ? name.slice(1, -1) : name;
  return isIpv6 && moved[0] !== "/" ? `/${moved}` : moved;
}

/** Removes query and hash from the end of `rest`. Returns what precedes them. */
function takeTail(url: Url, rest: string, parseQuery: boolean): string {
  const hashAt = rest.indexOf("#");
  const front = hashAt < 0 ? rest : rest.slice(0, hashAt);
  if (hashAt >= 0) url.hash = rest.slice(hashAt);
  const queryAt = front.indexOf("?");
  if (queryAt >= 0) {
    url.search = front.slice(queryAt);
    url.query = readQuery(url.search.slice(1), parseQuery);
  } else if (parseQuery) {
    url.search = null;
    url.query = readQuery("", true);
  }
  return queryAt < 0 ? front : front.slice(0, queryAt);
}

function readQuery(text: string, parseQuery: boolean): unknown {
  const parse = querystringModule["parse"];
  return parseQuery && typeof parse === "function" ? parse(text) : text;
}

function parseSimple(url: Url, text: string, parseQuery: boolean): boolean {
  const match = SIMPLE_PATH.exec(text);
  if (match === null) return false;
  url.path = text;
  url.href = text;
  url.pathname = match[1] ?? null;
  if (match[2] !== undefined) url.search = match[2];
  if (match[2] !== undefined || parseQuery) {
    url.query = readQuery(match[2]?.slice(1) ?? "", parseQuery);
  }
  return true;
}

/** `url.parse`. */
export function parseUrl(given: unknown, parseQuery = false, slashesDenoteHost = false): Url {
  if (given instanceof Url) return given;
  if (typeof given !== "string") throw invalidArgument("url", "of type string", given);
  const url = new Url();
  let rest = straighten(given.trim());
  if (!slashesDenoteHost && !rest.includes("#") && parseSimple(url, rest, parseQuery)) return url;
  const protocol = /^[a-z0-9.+-]+:/i.exec(rest)?.[0].toLowerCase() ?? "";
  if (protocol !== "") url.protocol = protocol;
  rest = rest.slice(protocol.length);
  const isScript = protocol === "javascript:";
  const mayHaveHost = slashesDenoteHost || protocol !== "" || HOST_STARTS.test(rest);
  const slashes = mayHaveHost && rest.startsWith("//") && !isScript;
  if (slashes) {
    url.slashes = true;
    rest = rest.slice(2);
  }
  if (!isScript && (slashes || (protocol !== "" && !SLASHED.test(protocol)))) {
    rest = takeHost(url, rest);
  }
  rest = takeTail(url, isScript ? rest : escapeUnsafe(rest), parseQuery);
  if (rest !== "") url.pathname = rest;
  if (SLASHED.test(protocol) && url.hostname && url.pathname === null) url.pathname = "/";
  if (url.pathname !== null || url.search !== null) {
    url.path = `${url.pathname ?? ""}${url.search ?? ""}`;
  }
  url.href = formatUrl(url);
  return url;
}

/** Parts as `format` accepts them; numbers become text. */
type Parts = Readonly<Partial<Record<keyof Url, unknown>>>;

function hostOf(parts: Parts): string | false {
  const auth = parts.auth ? `${encodeURIComponent(`${parts.auth}`).replace(/%3A/i, ":")}@` : "";
  if (parts.host) return `${auth}${parts.host}`;
  if (!parts.hostname) return false;
  const name = `${parts.hostname}`;
  const shown = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  return `${auth}${shown}${parts.port ? `:${parts.port}` : ""}`;
}

function queryOf(parts: Parts): string {
  const stringify = querystringModule["stringify"];
  const query = typeof parts.query === "object" && parts.query !== null &&
      typeof stringify === "function"
    ? `${stringify(parts.query)}`
    : "";
  const search = parts.search ? `${parts.search}` : query === "" ? "" : `?${query}`;
  return search !== "" && !search.startsWith("?") ? `?${search}` : search;
}

/** Joins the parts of a URL. */
export function formatUrl(parts: Parts): string {
  let protocol = parts.protocol ? `${parts.protocol}` : "";
  if (protocol !== "" && !protocol.endsWith(":")) protocol += ":";
  let pathname = (parts.pathname ? `${parts.pathname}` : "")
    .replaceAll("#", "%23").replaceAll("?", "%3F");
  let host = hostOf(parts);
  if (parts.slashes || SLASHED.test(protocol)) {
    if (parts.slashes || host !== false) {
      if (pathname !== "" && !pathname.startsWith("/")) pathname = `/${pathname}`;
      host = `//${host || ""}`;
    } else if (/^file:?$/.test(protocol)) {
      host = "//";
    }
  }
  const hash = parts.hash ? `${parts.hash}` : "";
  const shownHash = hash !== "" && !hash.startsWith("#") ? `#${hash}` : hash;
  return `${protocol}${host || ""}${pathname}${queryOf(parts).replaceAll("#", "%23")}${shownHash}`;
}
