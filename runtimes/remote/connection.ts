/**
 * The connection to a runtime on another machine: every request has the token, a deadline and a
 * maximum length of the answer. Answers are untrusted.
 *
 * @module
 */
import { PROTOCOL, PROTOCOL_HEADER } from "../../wire/binding.ts";
import type { Language } from "../../client/protocol/types.ts";
import type { LanguageHealth } from "../../wire/binding.ts";
import { describeCause, type Log } from "../../wire/log.ts";
import { joined } from "./bytes.ts";
import type { HeardRun } from "./heard_run.ts";
import { RemoteFailure } from "./remote_failure.ts";
import { RUN_FRAMES } from "./run_frames.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Options of a connection. */
export interface RemoteConnectionOptions {
  readonly language: Language;
  /** Origin and base path of the runtime's routes. */
  readonly url: string;
  readonly token: string;
  /** Time for a complete answer, in milliseconds. */
  readonly answerMs: number;
  readonly log: Log;
  /** The platform's `fetch`, or a test's. */
  readonly fetch: typeof fetch;
}

/** A request to send. */
export interface RemoteCall {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Bytes | null;
  readonly signal: AbortSignal | undefined;
  /** The run, if it has a listener. */
  readonly heard?: HeardRun | undefined;
}

/** An answer that was read completely. */
export interface RemoteReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Bytes;
}

/** The connection to one runtime, and its last known state. */
export class RemoteConnection {
  readonly #options: RemoteConnectionOptions;
  readonly #closed = new AbortController();
  #state: LanguageHealth["state"] = "starting";

  constructor(options: RemoteConnectionOptions) {
    this.#options = options;
  }

  /** The outcome of the last call. */
  get state(): LanguageHealth["state"] {
    return this.#state;
  }

  /** Aborts calls in progress. */
  close(): void {
    this.#closed.abort();
  }

  /**
   * Sends a request and reads its answer. Rejects with a {@link RemoteFailure}, which it has
   * logged, or with the signal's reason when the caller has disconnected.
   */
  async call<T>(
    call: RemoteCall,
    maxBytes: number,
    read: (reply: RemoteReply) => T,
  ): Promise<T> {
    const { language, log } = this.#options;
    try {
      const value = read(await this.#exchange(call, maxBytes));
      this.#state = "ready";
      return value;
    } catch (thrown) {
      call.signal?.throwIfAborted();
      this.#state = "failing";
      if (!this.#closed.signal.aborted) {
        log("error", "runtime.unreachable", { language, ...describeCause(thrown) });
      }
      throw thrown instanceof RemoteFailure ? thrown : new RemoteFailure("the call failed");
    }
  }

  /** Any error in here means that the runtime could not be called. */
  async #exchange(call: RemoteCall, maxBytes: number): Promise<RemoteReply> {
    const { url, token, fetch, answerMs } = this.#options;
    using ending = endingOf(answerMs, [call.signal, this.#closed.signal]);
    const response = await fetch(`${url.replace(/\/+$/, "")}${call.path}`, {
      method: call.method,
      headers: {
        ...call.headers,
        [PROTOCOL_HEADER]: String(PROTOCOL),
        ...(call.heard === undefined ? {} : { accept: RUN_FRAMES }),
        authorization: `Bearer ${token}`,
        "accept-encoding": "identity",
      },
      body: call.body,
      redirect: "error",
      signal: ending.signal,
    });
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      throw new RemoteFailure("the runtime refused the token");
    }
    const { status, headers, body } = response;
    if (call.heard === undefined || headers.get("content-type") !== RUN_FRAMES) {
      return { status, headers, body: await readCapped(response, maxBytes) };
    }
    const answer = await call.heard.read(body ?? ReadableStream.from([]), maxBytes);
    return { status: answer.status, headers, body: joined(answer.pieces) };
  }
}

/**
 * A signal that fires when the time is over or with the first of several signals, until it is
 * disposed of.
 */
function endingOf(
  ms: number,
  sources: readonly (AbortSignal | undefined)[],
): { readonly signal: AbortSignal } & Disposable {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, ms);
  for (const source of sources) source?.addEventListener("abort", end, { once: true });
  if (sources.some((source) => source?.aborted)) end();
  return {
    signal: ending.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      for (const source of sources) source?.removeEventListener("abort", end);
    },
  };
}

/** Counts the decompressed bytes, because the announced length is untrusted. */
async function readCapped(response: Response, maxBytes: number): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > maxBytes) {
    await response.body?.cancel();
    throw new RemoteFailure("the answer is too large");
  }
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new RemoteFailure("the answer is too large");
    chunks.push(chunk);
  }
  return joined(chunks);
}
