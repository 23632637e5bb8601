/**
 * `POST /mcp`: the Model Context Protocol (docs/mcp.md). The gateway's own rules come first: host,
 * origin, token, body. Then the message is answered by `mcp/`, which is loaded with the first one.
 *
 * What waits to be read counts against its tenant's bytes, and a caller that goes or cancels ends its
 * runs.
 *
 * @module
 */
import type { Hono } from "hono";
import type { Language } from "../client/protocol/types.ts";
import type { CreateServer } from "../mcp/door.ts";
import { ServiceError } from "../wire/errors.ts";
import { SANDBOX_LIMITS } from "../wire/limits.ts";
import { QueuedBody } from "../wire/queued_body.ts";
import { parseJson } from "../wire/read_body.ts";
import { jsonResponse } from "../wire/responses.ts";
import { type CallOptions, callWithBody } from "./admitted_call.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import type { InnerCalls } from "./inner_calls.ts";
import { isInitialize, McpCancellations, SESSION_HEADER } from "./mcp_cancellations.ts";

/** The path. */
export const MCP_PATH = "/mcp";
/** Longest message: the contents of a file are the most that one carries. */
export const MCP_MESSAGE_BYTES: number = SANDBOX_LIMITS.fileRequestBytes;

/** Brackets, commas and colons of a message: room for a hundred calls in a batch. */
const MAX_STRUCTURE = 10_000;
/** JSON-RPC: the message is not JSON. */
const PARSE_ERROR = -32_700;

/** What the route needs. */
export interface McpOptions extends CallOptions {
  /** The enabled languages. */
  readonly languages: readonly Language[];
  readonly inner: InnerCalls;
  /** Makes the server of a message; the one with the service's tools when absent. */
  readonly createServer?: CreateServer | undefined;
}

/** Adds the route. */
export function installMcp(app: Hono<GatewayEnv>, options: McpOptions): void {
  const cancellations = new McpCancellations(() => performance.now());
  app.post(MCP_PATH, async (context) => {
    const request = context.req.raw;
    const tenant = context.get("tenant");
    const call = { tenant, request, caller: request.signal, maxBytes: MCP_MESSAGE_BYTES };
    return await callWithBody(call, options, async (body, signal) => {
      const leave = await options.calls.enter(tenant, signal);
      try {
        return await answer(body, { tenant, request, cancellations }, options);
      } finally {
        leave();
      }
    });
  });
}

interface McpCaller {
  readonly tenant: string;
  readonly request: Request;
  readonly cancellations: McpCancellations;
}

async function answer(
  bytes: Uint8Array,
  { tenant, request, cancellations }: McpCaller,
  { languages, inner, createServer, log, bodies, streams }: McpOptions,
): Promise<Response> {
  let body: unknown;
  try {
    body = parseJson(bytes, { maxStructure: MAX_STRUCTURE });
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const error = { code: PARSE_ERROR, message: thrown.message };
    return jsonResponse({ jsonrpc: "2.0", id: null, error }, { status: 400 });
  }
  const gone = new AbortController();
  onceAborted(request.signal, () => gone.abort());
  const session = { tenant, id: request.headers.get(SESSION_HEADER) };
  cancellations.apply(session, body);
  const cancellable = cancellations.open(session, body, () => gone.abort());
  onceAborted(gone.signal, () => cancellable[Symbol.dispose]());
  const { answerMessage } = await import("../mcp/door.ts");
  const made = await answerMessage({
    body,
    request: new Request(request.url, {
      method: request.method,
      headers: request.headers,
      signal: gone.signal,
    }),
    languages,
    call: (call, signal) => inner(tenant, call, signal),
    gone: gone.signal,
    cancellation: cancellable.signalOf,
    log,
    ...(createServer === undefined ? {} : { createServer }),
  });
  if (made.body === null) {
    gone.abort();
    return made;
  }
  const queued = new QueuedBody({
    ...streams,
    onWaiting: bodies.openWaiting(tenant),
    onGone: () => gone.abort(),
  });
  passOn(made.body.getReader(), queued, gone);
  const headers = new Headers(made.headers);
  if (made.ok && isInitialize(body)) headers.set(SESSION_HEADER, crypto.randomUUID());
  return new Response(queued.stream, { status: made.status, headers });
}

/** Reads an answer as it is made, so that its maker never waits for a slow reader. */
async function passOn(
  source: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  target: QueuedBody,
  gone: AbortController,
): Promise<void> {
  const leave = () => source.cancel().catch(() => undefined);
  onceAborted(gone.signal, leave);
  try {
    for (;;) {
      const { done, value } = await source.read();
      if (done) return target.complete();
      target.push(value);
    }
  } catch {
    target.breakOff();
  } finally {
    gone.abort(); // ends all requests of the message
  }
}

/** Calls back when a signal fires, at once if it has. */
function onceAborted(signal: AbortSignal, callback: () => void): void {
  if (signal.aborted) callback();
  else signal.addEventListener("abort", callback, { once: true });
}
