/**
 * `POST /mcp`: the Model Context Protocol (docs/mcp.md). The gateway's own rules come first: host,
 * origin, token, body. Then the message is answered by `adapters/mcp/`, which is loaded with the
 * first one.
 *
 * One message is one call: it has one of its tenant's places until its answer is read. What waits
 * to be read counts against its tenant's bytes, and a caller that goes or cancels ends its runs.
 *
 * @module
 */
import { z } from "zod";
import { EVENT_STREAM } from "../client/protocol/run_events.ts";
import type { InstalledPackage, Language } from "../client/protocol/types.ts";
import type { CreateServer } from "../adapters/mcp/handler.ts";
import type { Release } from "../sandbox/operation_options.ts";
import { ServiceError } from "../shared/errors.ts";
import { SANDBOX_LIMITS } from "../shared/limits.ts";
import { QueuedBody } from "../shared/queued_body.ts";
import { parseJson } from "../shared/read_body.ts";
import { jsonResponse } from "../shared/responses.ts";
import { THREAD } from "../shared/slices.ts";
import { type CallOptions, callWithBody } from "./admitted_call.ts";
import { type InnerCalls, workCalls } from "./inner_calls.ts";
import { isInitialize, McpCancellations, SESSION_HEADER } from "./mcp_cancellations.ts";
import type { GatewayRoute } from "./route.ts";

/** The path. */
export const MCP_PATH = "/mcp";
/** Longest message: the contents of a file are the most that one carries. */
export const MCP_MESSAGE_BYTES: number = SANDBOX_LIMITS.fileRequestBytes;

/** Bytes of a message from which on its reading takes turns with other work. */
const LONG_MESSAGE = 64 * 1024;
/** Brackets, commas and colons of a message. */
const MAX_STRUCTURE = 10_000;
/** JSON-RPC: the message is not JSON. */
const PARSE_ERROR = -32_700;
/** JSON-RPC: the message is not acceptable. */
const INVALID_REQUEST = -32_600;

/** Dependencies of the route. */
export interface McpOptions extends CallOptions {
  /** The enabled languages. */
  readonly languages: readonly Language[];
  /** Packages that the operator installed. */
  readonly packages: ReadonlyMap<Language, readonly InstalledPackage[]>;
  readonly inner: InnerCalls;
  /** Makes the server of a message; the one with the service's tools when absent. */
  readonly createServer?: CreateServer | undefined;
}

/** Creates the route. */
export function mcpRoute(options: McpOptions): GatewayRoute {
  const cancellations = new McpCancellations(() => performance.now());
  return {
    method: "post",
    path: MCP_PATH,
    id: "mcp",
    tag: "Service",
    summary: "Send a message of the Model Context Protocol",
    description:
      "Streamable HTTP, for agents: revision 2026-07-28 and, without state between messages, the " +
      "earlier ones. What the service refuses before it reads the message is an ErrorResponse; " +
      "errors of the protocol are JSON-RPC errors. A closed stream ends its run, and so does a " +
      "cancellation with the `Mcp-Session-Id` that `initialize` returned.",
    body: {
      schema: z.union([z.looseObject({ jsonrpc: z.literal("2.0") }), z.array(z.unknown())]),
    },
    success: {
      description: "The messages of the answer. The response is the last one.",
      mediaType: EVENT_STREAM,
      schema: z.string(),
    },
    errors: ["common", "token", "call", "longBody"],
    answer: async (context) => {
      const request = context.req.raw;
      const tenant = context.get("tenant");
      const call = { tenant, request, caller: request.signal, maxBytes: MCP_MESSAGE_BYTES };
      return await callWithBody(call, options, async (body, signal) => {
        const leave = await options.messages.enter(tenant, signal);
        try {
          return await answer(body, { tenant, request, cancellations, leave }, options);
        } catch (thrown) {
          leave();
          throw thrown;
        }
      });
    },
  };
}

interface McpCaller {
  readonly tenant: string;
  readonly request: Request;
  readonly cancellations: McpCancellations;
  /** Gives the place back. */
  readonly leave: Release;
}

async function answer(
  bytes: Uint8Array,
  { tenant, request, cancellations, leave }: McpCaller,
  options: McpOptions,
): Promise<Response> {
  if (bytes.length > LONG_MESSAGE) await THREAD.next(tenant);
  const message = messageIn(bytes);
  if (message instanceof Response) {
    leave();
    return message;
  }
  const { body } = message;
  const { languages, packages, createServer, log, bodies, streams } = options;
  const gone = new AbortController();
  onceAborted(request.signal, () => gone.abort());
  const session = { tenant, id: request.headers.get(SESSION_HEADER) };
  cancellations.apply(session, body);
  const cancellable = cancellations.open(session, body, () => gone.abort());
  onceAborted(gone.signal, () => cancellable[Symbol.dispose]());
  const { answerMessage } = await import("../adapters/mcp/handler.ts");
  const response = await answerMessage({
    body,
    request: new Request(request.url, {
      method: request.method,
      headers: request.headers,
      signal: gone.signal,
    }),
    tenant,
    languages,
    packages,
    tools: options.runs.tools.of(tenant),
    openCalls: () => workCalls(tenant, options),
    gone: gone.signal,
    cancellation: cancellable.signalOf,
    log,
    ...(createServer === undefined ? {} : { createServer }),
  });
  if (response.body === null) {
    gone.abort();
    leave();
    return response;
  }
  const queued = new QueuedBody({
    ...streams,
    onWaiting: bodies.openWaiting(tenant),
    onGone: () => gone.abort(),
    onEnd: leave,
  });
  passOn(response.body.getReader(), queued, gone);
  const headers = new Headers(response.headers);
  if (response.ok && isInitialize(body)) headers.set(SESSION_HEADER, crypto.randomUUID());
  return new Response(queued.stream, { status: response.status, headers });
}

/** The message, or the answer to a body that is none. */
function messageIn(bytes: Uint8Array): { readonly body: unknown } | Response {
  try {
    const body = parseJson(bytes, MAX_STRUCTURE);
    if (!Array.isArray(body) || body.length <= 1) return { body };
    return refused(INVALID_REQUEST, "Send each message alone: the service takes no batches");
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return refused(PARSE_ERROR, thrown.message);
  }
}

function refused(code: number, message: string): Response {
  return jsonResponse({ jsonrpc: "2.0", id: null, error: { code, message } }, { status: 400 });
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
