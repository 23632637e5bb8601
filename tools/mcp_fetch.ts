/**
 * Requests of the MCP client, over {@link ../outgoing/outgoing.ts}: no redirects, bounded bodies, and
 * knowledge of whether a call was sent.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { OutgoingAnswer } from "../outgoing/bodies.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { OutgoingFailure } from "../outgoing/outcome.ts";

/** Bytes of one answer. A stream of messages that is longer ends, and the client opens another one. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Statuses whose answers have no body. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** One call, as its requests know it. */
export interface SentCall {
  /** Whether the server may have got the call. */
  isSent: boolean;
}

/** The call to which requests belong. */
export const sentCalls: AsyncLocalStorage<SentCall> = new AsyncLocalStorage();

/** A request without an answer. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
  readonly reason: OutgoingFailure["reason"];

  constructor(reason: OutgoingFailure["reason"]) {
    super(`The request failed: ${reason}`);
    this.reason = reason;
  }
}

/** Makes a `fetch` of one server. `headers` are the operator's, and win. */
export function outgoingFetch(
  outgoing: Outgoing,
  headers: Readonly<Record<string, string>>,
): (target: string | URL, init?: RequestInit) => Promise<Response> {
  return async (target, init = {}) => {
    const { method = "GET", body, signal } = init;
    const own = Object.fromEntries(new Headers(init.headers));
    const text = typeof body === "string" ? body : undefined;
    const call = text !== undefined && isCall(text) ? sentCalls.getStore() : undefined;
    const outcome = await outgoing.send({
      url: new URL(target),
      method,
      headers: { "user-agent": "belljar", ...own, ...headers },
      ...(text === undefined ? {} : { body: text }),
      signal: signal ?? new AbortController().signal,
    });
    const isSent = "answer" in outcome || outcome.failure.sent;
    if (call !== undefined && isSent) call.isSent = true;
    if ("failure" in outcome) throw new RequestFailed(outcome.failure.reason);
    return await responseOf(outcome.answer);
  };
}

function isCall(text: string): boolean {
  const message: unknown = JSON.parse(text); // the client has written it
  return typeof message === "object" && message !== null && "method" in message &&
    message.method === "tools/call";
}

async function responseOf({ status, headers, body }: OutgoingAnswer): Promise<Response> {
  const isEncoded = (headers.get("content-encoding") ?? "identity") !== "identity";
  const isRedirect = status >= 300 && status < 400;
  if (NO_BODY.has(status) || isRedirect || isEncoded) {
    const pieces = body[Symbol.asyncIterator]();
    await pieces.return?.();
    if (isRedirect || isEncoded) throw new RequestFailed("broken");
    return new Response(null, { status, headers });
  }
  return new Response(ReadableStream.from(bounded(body)), { status, headers });
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let length = 0;
  for await (const piece of body) {
    length += piece.byteLength;
    if (length > MAX_ANSWER_BYTES) throw new RequestFailed("large");
    yield new Uint8Array(piece);
  }
}
