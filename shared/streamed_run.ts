/**
 * A run whose answer is a stream (docs/contract.md#streaming). The stream begins with the run, so a
 * refusal before that has its own status. Then the run continues, however slowly the caller reads:
 * unread events wait in memory. Closing the stream ends the run.
 *
 * @module
 */
import type { NumberedEvent, OutputEvent } from "../client/protocol/run_events.ts";
import type { Display } from "../client/protocol/types.ts";
import type { Clock } from "./clock.ts";
import { errorResponse, ServiceError, serviceStopping, toServiceError } from "./errors.ts";
import { KEEPALIVE_MS } from "./limits.ts";
import { QueuedBody } from "./queued_body.ts";
import type { ReaderLimits } from "./reader_pace.ts";
import type { RunAudience } from "./run_listener.ts";
import { slicesOf } from "./slices.ts";

/** Called with the number of bytes of one stream that wait to be read. False: there is no room. */
export type WaitingBytes = (bytes: number) => boolean;

/** Times of a stream. */
export interface StreamTimes extends ReaderLimits {
  /** Silence before a keepalive, in milliseconds. @default {10_000} */
  readonly keepaliveMs?: number | undefined;
}

/** Dependencies of streams. */
export interface StreamedRunOptions extends StreamTimes {
  /** Takes turns with other users of the thread; all without a name take turns as one. */
  readonly tenant?: string;
  readonly clock: Clock;
  /** Called with anything thrown by a run that has begun, except a {@link ServiceError}. */
  readonly onUnexpected: (thrown: unknown) => void;
  /** Opens the account of a stream; its bytes are not counted when absent. */
  readonly openWaiting?: (() => WaitingBytes) | undefined;
}

/** The form of one stream. Each method returns what is sent; nothing is sent when it is empty. */
export interface StreamEncoding {
  readonly mediaType: string;
  /** The run begins. */
  begin(): Uint8Array;
  output(stream: OutputEvent["type"], bytes: Uint8Array): Uint8Array;
  display(display: Display): Uint8Array;
  /** An event of a run that can wait, in place of the others. Absent: it is followed until it waits. */
  event?(event: NumberedEvent): Uint8Array;
  /** Nothing happened for a while. */
  keepalive(): Uint8Array;
  /**
   * The run has ended with an answer of this status. The body is JSON. Each piece is short work.
   */
  end(status: number, body: Uint8Array<ArrayBuffer>): Iterable<Uint8Array>;
}

/**
 * Performs a run. Its answer has status 200 and a result, or another status and an ErrorResponse,
 * or no body when its caller has gone. A ServiceError may be thrown instead.
 */
export type ListenedRun = (audience: RunAudience) => Promise<Response>;

/**
 * Performs a run for a caller, which leaves when its signal fires. Resolves when the run begins, or
 * with its answer when it never does. Rejects with errors thrown before it begins.
 */
export async function streamRun(
  encoding: StreamEncoding,
  caller: AbortSignal,
  options: StreamedRunOptions,
  run: ListenedRun,
): Promise<Response> {
  return await new RunStream(encoding, caller, options).answer(run);
}

/** When the runs of streamed answers end. */
const ENDS = new WeakMap<Response, Promise<void>>();

/** Resolves when the run of a streamed answer has ended; undefined for any other answer. */
export function runEnd(answer: Response): Promise<void> | undefined {
  return ENDS.get(answer);
}

/** Headers of a plain answer that do not describe a stream. */
const PLAIN_HEADERS: readonly string[] = ["content-type", "content-length"];

/** The stream of one run. */
class RunStream {
  readonly #encoding: StreamEncoding;
  readonly #options: StreamedRunOptions;
  readonly #body: QueuedBody;
  /** Ends the run when its reader disconnects. */
  readonly #gone = new AbortController();
  readonly #begun = Promise.withResolvers<Response>();
  readonly #ended = Promise.withResolvers<void>();
  #hasBegun = false;
  /** When something was last sent, in monotonic milliseconds. */
  #lastSent = 0;
  #keepalive: ReturnType<typeof setTimeout> | undefined;

  constructor(encoding: StreamEncoding, caller: AbortSignal, options: StreamedRunOptions) {
    this.#encoding = encoding;
    this.#options = options;
    const { openWaiting, pauseMs, bytesPerSecond } = options;
    this.#body = new QueuedBody({
      pauseMs,
      bytesPerSecond,
      onWaiting: openWaiting?.() ?? (() => true),
      onGone: () => this.#gone.abort(),
    });
    caller.addEventListener("abort", () => this.#gone.abort(), { once: true });
    if (caller.aborted) this.#gone.abort();
  }

  async answer(run: ListenedRun): Promise<Response> {
    const encode = this.#encoding.event?.bind(this.#encoding);
    const listener = {
      start: () => this.#begin(new Headers()),
      output: (stream: OutputEvent["type"], bytes: Uint8Array) =>
        this.#send(this.#encoding.output(stream, bytes)),
      display: (display: Display) => this.#send(this.#encoding.display(display)),
      opened: () => this.#open(new Headers()),
      ...(encode === undefined ? {} : {
        event: (event: NumberedEvent) => {
          this.#open(new Headers());
          this.#send(encode(event));
        },
      }),
    };
    const ended = this.#follow(run({ signal: this.#gone.signal, listener }));
    return await Promise.race([this.#begun.promise, ended]);
  }

  /** Rejects only with errors thrown before the run begins. */
  async #follow(run: Promise<Response>): Promise<Response> {
    try {
      const answer = await run;
      if (!this.#hasBegun && answer.status !== 200) return answer;
      await this.#end(answer);
    } catch (thrown) {
      if (!this.#hasBegun) throw thrown;
      if (!(thrown instanceof ServiceError)) this.#options.onUnexpected(thrown);
      await this.#end(errorResponse(toServiceError(thrown), this.#options.clock));
    } finally {
      clearTimeout(this.#keepalive);
      this.#ended.resolve();
    }
    return await this.#begun.promise;
  }

  #begin(headers: Headers): void {
    if (this.#hasBegun) return;
    this.#open(headers);
    this.#send(this.#encoding.begin());
  }

  /** Sends the headers. */
  #open(headers: Headers): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const name of PLAIN_HEADERS) headers.delete(name);
    headers.set("content-type", this.#encoding.mediaType);
    headers.set("cache-control", "no-store");
    headers.set("x-accel-buffering", "no"); // a proxy that gathers bytes would hold lines back
    this.#keepAliveIn(this.#options.keepaliveMs ?? KEEPALIVE_MS);
    const answer = new Response(this.#body.stream, { headers });
    ENDS.set(answer, this.#ended.promise);
    this.#begun.resolve(answer);
  }

  /** A run that did not tell when it began had its answer already, and keeps its headers. */
  async #end(answer: Response): Promise<void> {
    const body = new Uint8Array(await answer.arrayBuffer());
    this.#begin(new Headers(answer.headers));
    // without a body, the run was aborted although its reader is here
    if (body.length === 0) throw serviceStopping();
    clearTimeout(this.#keepalive); // it must not come inside of the last event
    const slicer = slicesOf(this.#options.tenant ?? "");
    for (const piece of this.#encoding.end(answer.status, body)) {
      if (this.#gone.signal.aborted) break; // nobody reads it
      this.#send(piece);
      await slicer.pause();
    }
    this.#body.complete();
  }

  #send(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#lastSent = performance.now();
    this.#body.push(bytes);
  }

  /** While something waits to be read, a keepalive would be superfluous. */
  #keepAliveIn(ms: number): void {
    const { keepaliveMs = KEEPALIVE_MS } = this.#options;
    this.#keepalive = setTimeout(() => {
      const silent = performance.now() - this.#lastSent;
      if (silent < keepaliveMs) return this.#keepAliveIn(keepaliveMs - silent);
      if (this.#body.waiting === 0) this.#send(this.#encoding.keepalive());
      this.#keepAliveIn(keepaliveMs);
    }, ms);
  }
}
