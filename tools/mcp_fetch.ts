/**
 * Requests of the MCP client, over {@link ../outgoing/outgoing.ts}: no redirects, bounded bodies, and
 * knowledge of whether a call was sent.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { OutgoingAnswer } from "../outgoing/bodies.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { OutgoingFailure } from "../outgoing/outcome.ts";
import type { Timers } from "../shared/timers.ts";

/** Bytes of one answer. A stream of messages that is longer ends, and the client opens another one. */
export const MAX_ANSWER_BYTES: number = 8 * 1024 * 1024;
/** Statuses whose answers have no body. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** After the end of a stream, its last message is read within so many milliseconds. */
const READ_MS = 1_000;

/** Successes without an answer. */
const ANSWERLESS: ReadonlySet<number> = new Set([202, 204, 205]);

/** One call, as its requests know it. */
export class SentCall {
  /** Whether the server may have got the call. */
  isSent = false;
  readonly #timers: Timers;
  readonly #failed = Promise.withResolvers<never>();
  #cancelTimer: () => void = () => undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#failed.promise.catch(() => undefined);
  }

  /** Settles like the promise; rejects with a {@link RequestFailed} once no answer can come any more. */
  async unlessFailed<T>(answer: Promise<T>): Promise<T> {
    try {
      return await Promise.race([answer, this.#failed.promise]);
    } finally {
      this.#cancelTimer();
    }
  }

  fail(reason: RequestFailed["reason"]): void {
    this.#failed.reject(new RequestFailed(reason));
  }

  /** The stream of the answer has ended. */
  streamEnded(): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#timers.after(READ_MS, () => this.fail("broken"));
  }
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

/** The transport of a client, whose calls fail when their streams end without an answer. */
export class CallTransport extends StreamableHTTPClientTransport {
  override send(
    ...[message, options]: Parameters<StreamableHTTPClientTransport["send"]>
  ): Promise<void> {
    const call = sentCalls.getStore();
    return super.send(message, { ...options, onRequestStreamEnd: () => call?.streamEnded() });
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
      started: () => {
        if (call !== undefined) call.isSent = true;
      },
    });
    if ("failure" in outcome) throw new RequestFailed(outcome.failure.reason);
    return await responseOf(outcome.answer, call);
  };
}

function isCall(text: string): boolean {
  const message: unknown = JSON.parse(text); // the client has written it
  return typeof message === "object" && message !== null && "method" in message &&
    message.method === "tools/call";
}

async function responseOf(
  { status, headers, body }: OutgoingAnswer,
  call: SentCall | undefined,
): Promise<Response> {
  const isEncoded = (headers.get("content-encoding") ?? "identity") !== "identity";
  const isRedirect = status >= 300 && status < 400;
  // a call is answered in its response, or not at all
  const isAnswerless = call !== undefined && ANSWERLESS.has(status);
  if (NO_BODY.has(status) || isAnswerless || isRedirect || isEncoded) {
    const pieces = body[Symbol.asyncIterator]();
    await pieces.return?.();
    const isBroken = isEncoded || isAnswerless || (isRedirect && call === undefined);
    if (isBroken) throw new RequestFailed("broken");
    headers.delete("location"); // the client would follow it within the origin
    return new Response(null, { status, headers });
  }
  return new Response(ReadableStream.from(bounded(body, call)), { status, headers });
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  call: SentCall | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let length = 0;
  for await (const piece of body) {
    length += piece.byteLength;
    if (length > MAX_ANSWER_BYTES) {
      call?.fail("large");
      throw new RequestFailed("large");
    }
    yield new Uint8Array(piece);
  }
}
