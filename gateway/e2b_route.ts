/**
 * `/e2b`: the protocol of E2B's SDKs (docs/e2b.md). The gateway's own rules come first: host,
 * origin, token, body. Then the request is answered by `adapters/e2b/`, which is loaded with the
 * first one.
 *
 * @module
 */
import type { Hono } from "hono";
import type { E2bLimits } from "../adapters/e2b/request.ts";
import type { Language } from "../client/protocol/types.ts";
import type { Release } from "../sandbox/operation_options.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { ServiceError, serviceStopping } from "../shared/errors.ts";
import { chunkPauses } from "../shared/chunk_pauses.ts";
import { sandboxLimits, uploadDeadlineMs } from "../shared/limit_rules.ts";
import { E2B_LIMITS, SANDBOX_LIMITS, type SandboxLimits } from "../shared/limits.ts";
import { THREAD } from "../shared/slices.ts";
import { queryOf } from "../shared/query.ts";
import { type AheadRules, readAhead } from "../shared/read_ahead.ts";
import { discard, readPlainBytes } from "../shared/read_body.ts";
import type { SandboxTerms } from "../shared/sandbox_terms.ts";
import { decodedSegment, sentPath } from "../shared/request_path.ts";
import { clientGone } from "../shared/responses.ts";
import { anySignal, type CallOptions } from "./admitted_call.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import type { InnerCalls } from "./inner_calls.ts";
import { requestLike } from "./forwarded_request.ts";
import { streamOptions } from "./stream_options.ts";

/** The path below which the protocol is served. */
const E2B_PATH = "/e2b";
/** The path of files as bytes. */
const UPLOAD_PATH = `${E2B_PATH}/files`;
/** Bytes of a body from which on its reading takes turns with other work. */
const LONG_BODY = 64 * 1024;
/** Bytes of a form in addition to those of its files: delimiters, headers and fields. */
const FORM_EXTRA_BYTES = 1024 * 1024;
/** Headers in which SDKs send a token. */
const TOKEN_HEADERS = ["x-api-key", "x-access-token", "e2b-traffic-access-token"];

/** Dependencies of the routes. */
export interface E2bOptions extends CallOptions {
  /** The enabled languages. */
  readonly languages: readonly Language[];
  readonly inner: InnerCalls;
  readonly sandboxes: Sandboxes;
  /** Of files, and of the memory of a run, which is shown to callers. */
  readonly limits: E2bLimits;
}

/** Whether a path belongs to the protocol. */
export function isE2bPath(path: string): boolean {
  return path.startsWith(`${E2B_PATH}/`);
}

/** The headers of a request, with its token as a bearer token. */
export function withE2bToken(headers: Headers): Headers {
  const token = tokenIn(headers);
  if (token === undefined) return headers;
  const named = new Headers(headers);
  named.set("authorization", `Bearer ${token}`);
  return named;
}

function tokenIn(headers: Headers): string | undefined {
  for (const name of TOKEN_HEADERS) {
    const token = headers.get(name);
    if (token !== null && token !== "") return token;
  }
  return undefined;
}

/** Rewrites the gateway's own errors for the SDKs. Must come before all other rules. */
export function installE2bErrors(app: Hono<GatewayEnv>): void {
  app.use(`${E2B_PATH}/*`, async (context, next) => {
    await next();
    const { res } = context;
    if (context.error === undefined || !isE2bPath(context.req.path)) return;
    const { connectRefused, passedOn, refused } = await import("../adapters/e2b/errors.ts");
    const isConnect = /^\/e2b\/(?:filesystem|process)\./.test(context.req.path);
    context.res = undefined; // the error must not keep the headers of the other one
    context.res = await passedOn(res, isConnect ? connectRefused : refused);
  });
}

/** Adds the routes. */
export function installE2b(app: Hono<GatewayEnv>, options: E2bOptions): void {
  const limits = sandboxLimits(options.limits);
  app.all(`${E2B_PATH}/*`, async (context) => {
    const request = context.req.raw;
    const tenant = context.get("tenant");
    using account = options.bodies.open(tenant);
    using either = anySignal(request.signal, options.stopping);
    try {
      const owner = { meter: account, signal: either.signal };
      const { body, stream } = await readBody(request, context.req.path, { limits, owner });
      const leave = await options.messages.enter(tenant, either.signal);
      try {
        return await answer({ tenant, request, body, stream, signal: either.signal }, options);
      } finally {
        leave();
        if (stream?.locked === false) await discard(stream.getReader(), chunkPauses(tenant));
      }
    } catch (thrown) {
      if (options.stopping.aborted) throw serviceStopping();
      if (either.signal.aborted && !(thrown instanceof ServiceError)) return clientGone();
      throw thrown;
    }
  });
}

/** A body in memory, or one that arrives while it is answered. */
type E2bBody = Pick<E2bCall, "body" | "stream">;

interface BodyTerms {
  readonly limits: SandboxLimits;
  readonly owner: Pick<AheadRules, "meter" | "signal">;
}

/** Reads a body, unless it is a file or a long form: those are stored while they arrive. */
async function readBody(
  request: Request,
  path: string,
  { limits, owner }: BodyTerms,
): Promise<E2bBody> {
  const isUpload = path === UPLOAD_PATH;
  const type = request.headers.get("content-type")?.toLowerCase() ?? "";
  if (isUpload && type.startsWith("multipart/form-data")) {
    const maxBytes = limits.workspace.totalBytes + FORM_EXTRA_BYTES;
    const { fileRequestBytes: aheadBytes } = SANDBOX_LIMITS;
    const deadlineMs = uploadDeadlineMs(Number(request.headers.get("content-length") ?? maxBytes));
    const read = await readAhead(request, { aheadBytes, maxBytes, deadlineMs, ...owner });
    return read instanceof Uint8Array
      ? { body: read, stream: null }
      : { body: new Uint8Array(), stream: read };
  }
  if (isUpload && isFile(request)) return { body: new Uint8Array(), stream: request.body };
  const maxBytes = isUpload ? limits.fileRequestBytes : E2B_LIMITS.requestBytes;
  return { body: await readPlainBytes(unencoded(request), { maxBytes, ...owner }), stream: null };
}

/** Whether the body is a file, as it is or in gzip. */
function isFile({ method, headers, body }: Request): boolean {
  const coding = headers.get("content-encoding") ?? "gzip";
  return method === "POST" && body !== null && coding === "gzip";
}

/** The request without its content coding: only the route of files decodes it. */
function unencoded(request: Request): Request {
  if (!request.headers.has("content-encoding")) return request;
  const headers = new Headers(request.headers);
  headers.delete("content-encoding");
  return requestLike(request, { headers });
}

interface E2bCall {
  readonly tenant: string;
  readonly request: Request;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly signal: AbortSignal;
}

async function answer(
  { tenant, request, body, stream, signal }: E2bCall,
  options: E2bOptions,
): Promise<Response> {
  const { languages, inner, sandboxes, calls, limits, clock } = options;
  if (body.length > LONG_BODY) await THREAD.next(tenant);
  const { answerE2b } = await import("../adapters/e2b/handler.ts");
  const { method, headers, url } = request;
  return await answerE2b({
    method,
    path: segmentsOf(sentPath(request)),
    query: queryOf(url),
    headers,
    body,
    stream,
    token: tokenIn(headers),
    signal: request.signal,
  }, {
    tenant,
    languages,
    limits,
    now: clock,
    streams: streamOptions(tenant, options),
    call: (call, signal) => inner(tenant, { ...call, existing: true }, signal),
    terms: inPlaces(sandboxes.forTenant(tenant).terms, () => calls.enter(tenant, signal)),
  });
}

function segmentsOf(path: string): readonly string[] {
  return path.slice(E2B_PATH.length + 1).split("/").map(decodedSegment);
}

/** The same sandboxes; each call takes one of the tenant's places. */
export function inPlaces(terms: SandboxTerms, enter: () => Promise<Release>): SandboxTerms {
  const placed = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return {
    begin: (...args) => placed(() => terms.begin(...args)),
    find: (...args) => placed(() => terms.find(...args)),
    end: (...args) => placed(() => terms.end(...args)),
    relabel: (...args) => placed(() => terms.relabel(...args)),
    list: (...args) => placed(() => terms.list(...args)),
    restart: (...args) => placed(() => terms.restart(...args)),
  };
}
