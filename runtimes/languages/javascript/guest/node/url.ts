/**
 * Node's `url` module.
 *
 * @module
 */
import { nameFunctions } from "../web/expose.ts";
import { invalidArgument, nodeError } from "../web/node_error.ts";
import { URL } from "../web/url.ts";
import { URLSearchParams } from "../web/url_search_params.ts";
import { formatUrl, parseUrl, Url } from "./url_legacy.ts";

/** The part of the environment that the module needs. */
export interface UrlDependencies {
  /** The working directory: an absolute path without a trailing slash. */
  cwd(): string;
}

interface FormatOptions {
  readonly auth?: unknown;
  readonly fragment?: unknown;
  readonly search?: unknown;
  readonly unicode?: unknown;
}

/** Resolves by the replacement that Node's documentation gives for this function. */
function resolve(from: unknown, to: unknown): string {
  const base = URL.parse(`${from}`, "resolve://");
  const resolved = base === null ? null : URL.parse(`${to}`, base.href);
  if (resolved === null) return `${to}`;
  if (resolved.protocol !== "resolve:") return resolved.href;
  return `${resolved.pathname}${resolved.search}${resolved.hash}`;
}

function formatModern(url: URL, options: FormatOptions): string {
  const copy = new URL(url.href);
  if (options.auth === false) copy.username = copy.password = "";
  if (options.fragment === false) copy.hash = "";
  if (options.search === false) copy.search = "";
  return copy.href;
}

function format(url: unknown, options: FormatOptions = {}): string {
  if (url instanceof URL) return formatModern(url, options);
  if (typeof url === "string") return parseUrl(url).format();
  if (typeof url === "object" && url !== null) return formatUrl(url);
  throw invalidArgument("urlObject", "one of type object or string", url);
}

function fileUrlToPath(given: unknown): string {
  const url = typeof given === "string" ? new URL(given) : given;
  if (!(url instanceof URL)) {
    throw invalidArgument("path", "of type string or an instance of URL", given);
  }
  if (url.protocol !== "file:") {
    throw nodeError(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  }
  if (url.hostname !== "") {
    const message = 'File URL host must be "localhost" or empty on linux';
    throw nodeError(TypeError, "ERR_INVALID_FILE_URL_HOST", message);
  }
  if (/%2f/i.test(url.pathname)) {
    const message = "File URL path must not include encoded / characters";
    throw nodeError(TypeError, "ERR_INVALID_FILE_URL_PATH", message);
  }
  return decodeURIComponent(url.pathname);
}

const PATH_ESCAPES = /[%\\\n\r\t?#]/g;

function pathToFileUrl(cwd: string, path: unknown): URL {
  if (typeof path !== "string") throw invalidArgument("path", "of type string", path);
  const absolute = path.startsWith("/") ? path : `${cwd}/${path}`;
  return new URL(`file://${absolute.replace(PATH_ESCAPES, (unit) => encodeURIComponent(unit))}`);
}

function domainToAscii(domain: unknown): string {
  return URL.parse(`http://${domain}`)?.hostname ?? "";
}

function urlToHttpOptions(url: URL): Readonly<Record<string, unknown>> {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url;
  const options: Record<string, unknown> = {
    protocol,
    hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    hash,
    search,
    pathname,
    path: `${pathname}${search}`,
    href,
  };
  if (port !== "") options["port"] = Number(port);
  if (username !== "" || password !== "") {
    options["auth"] = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  }
  return options;
}

/** Makes the module, as `require("url")` returns it. */
export function createUrlModule(needs: UrlDependencies): Readonly<Record<string, unknown>> {
  return nameFunctions({
    Url,
    parse: parseUrl,
    resolve,
    format,
    URL,
    URLSearchParams,
    domainToASCII: domainToAscii,
    fileURLToPath: fileUrlToPath,
    pathToFileURL: (path: unknown) => pathToFileUrl(needs.cwd(), path),
    urlToHttpOptions,
  });
}
