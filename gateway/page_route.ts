/**
 * `GET /` for browsers, and `GET /page/*`: the page (docs/page.md). It needs no token, because it
 * holds nothing. Its files are loaded with the first request for one.
 *
 * Everything else is not answered here, and so gets what it gets without the page.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type Accept, parseAccept } from "hono/utils/accept";
import { describeCause, type Log } from "../shared/log.ts";
import type { PageFile } from "../shared/page_file.ts";
import { sentPath } from "../shared/request_path.ts";
import { bytesResponse } from "../shared/responses.ts";
import type { BodyBudget } from "./body_budget.ts";
import { deliver } from "./slow_readers.ts";

/** Answers a request for the page; undefined for any other request, for most without a promise. */
export type PageAnswer = (request: Request) => Promise<Response | undefined> | undefined;

/** Options of the page. */
export interface PageOptions {
  /** Loads its files. */
  readonly files: () => Promise<readonly PageFile[]>;
  /** Whether calls need a token. The page then asks for one before its first call. */
  readonly needsToken: boolean;
  /** Web origins that may show the page in a frame. */
  readonly embedOrigins: readonly string[];
  readonly bodies: BodyBudget;
  readonly log: Log;
}

/** Nobody's account: no tenant has this name. */
const NOBODY = " ";
const ASSETS = "/page/";
/** The page's knowledge of calls. */
const OPEN = 'data-access="open"';
const NEEDS_TOKEN = 'data-access="token"';
/** A year: the name of a file changes with its contents. */
const FOREVER = "public, max-age=31536000, immutable";

/**
 * Only the service's own files, and requests to the service. Guests' images are data, their HTML is
 * in frames. No text can become markup or script, whoever wrote it.
 */
const pagePolicy = (embedOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/**
 * The document around a guest's HTML, which inherits this policy: no script, no request, no frame
 * but the page's own. All frames around it are its ancestors, those of an embedded page too.
 */
const framePolicy = (embedOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ["frame-ancestors 'self'", ...embedOrigins].join(" "),
  ].join("; ");

interface ServedFile extends PageFile {
  readonly etag: string;
}

/** Creates the answers. */
export function pageAnswer(
  { files, needsToken, embedOrigins, bodies, log }: PageOptions,
): PageAnswer {
  const policies = { page: pagePolicy(embedOrigins), frame: framePolicy(embedOrigins) };
  let loading: Promise<ReadonlyMap<string, ServedFile>> | undefined;
  const loaded = async () => {
    try {
      return served((await files()).map((file) => needsToken ? withToken(file) : file));
    } catch (thrown) {
      log("error", "the page cannot be loaded", describeCause(thrown));
      return new Map<string, ServedFile>();
    }
  };
  const answerTo = async (request: Request, path: string): Promise<Response | undefined> => {
    const file = (await (loading ??= loaded())).get(path);
    if (file === undefined) return undefined;
    if (isKnown(request, file)) {
      return new Response(null, { status: 304, headers: headersOf(file, policies) });
    }
    const isPacked = quality(request, "accept-encoding", ["gzip", "*"]) > 0;
    const body = isPacked ? file.gzip : file.bytes;
    const answer = bytesResponse(body, {
      headers: {
        ...headersOf(file, policies),
        "content-type": file.type,
        "content-length": String(body.length),
        ...(isPacked ? { "content-encoding": "gzip" } : {}),
      },
    });
    return await deliver(answer, { open: () => bodies.open(NOBODY), owed: false });
  };
  return (request) => {
    const path = pathOf(request);
    return path === undefined ? undefined : answerTo(request, path);
  };
}

/** The path of a request that may be for a file of the page, as files have it. */
function pathOf(request: Request): string | undefined {
  if (request.method !== "GET") return undefined;
  const path = sentPath(request);
  if (path.startsWith(ASSETS)) return path.slice(1);
  return path === "/" && quality(request, "accept", ["text/html"]) > 0 ? "" : undefined;
}

/** How much a header wants one of the values, the most specific first; 0 when it names none. */
function quality(request: Request, header: string, values: readonly string[]): number {
  const accepts: readonly Accept[] = parseAccept(request.headers.get(header) ?? "");
  for (const value of values) {
    const found = accepts.find(({ type }) => type.toLowerCase() === value);
    if (found !== undefined) return found.q;
  }
  return 0;
}

/** The file as a service with tokens has it: the page itself says that calls need one. */
function withToken(file: PageFile): PageFile {
  if (file.path !== "") return file;
  const text = new TextDecoder().decode(file.bytes).replace(OPEN, NEEDS_TOKEN);
  const bytes = new TextEncoder().encode(text);
  return { ...file, bytes, gzip: new Uint8Array(gzipSync(bytes)) };
}

function served(files: readonly PageFile[]): ReadonlyMap<string, ServedFile> {
  return new Map(files.map((file) => {
    const hash = createHash("sha256").update(file.bytes).digest("hex");
    return [file.path, { ...file, etag: `W/"${hash}"` }];
  }));
}

function isKnown(request: Request, { etag }: ServedFile): boolean {
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  return known.some((tag) => tag.trim() === etag);
}

function headersOf(
  { path, type, etag }: ServedFile,
  policies: { readonly page: string; readonly frame: string },
): Record<string, string> {
  const isPage = path === "";
  const vary = isPage ? "Accept, Accept-Encoding" : "Accept-Encoding";
  const policy = isPage ? policies.page : policies.frame;
  return {
    etag,
    vary,
    "cache-control": isPage ? "no-cache" : FOREVER,
    ...(type.startsWith("text/html") ? { "content-security-policy": policy } : {}),
  };
}
