/**
 * The body of a streamed answer: bytes that wait until they are read, so that whoever writes never
 * waits for the reader.
 *
 * @module
 */
import { type ReaderLimits, type ReaderPace, readerPace } from "./reader_pace.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Callbacks of a queued body, and the pace of its reader once it is complete. */
export interface QueuedBodyOptions extends ReaderLimits {
  /** Called with the number of waiting bytes whenever it changes. False: there is no room. */
  readonly onWaiting: (bytes: number) => boolean;
  /** Called once if the reader disconnects, or the body was broken off. */
  readonly onGone: () => void;
  /** Called once when nothing waits any more: all is read, or the reader disconnected. */
  readonly onEnd?: () => void;
}

/** Largest piece that is handed to a reader. */
const PIECE_BYTES = 64 * 1024;
const SMALLEST_CAPACITY = 1024;

/** Bytes on their way to a reader. */
export class QueuedBody {
  readonly stream: ReadableStream<Bytes>;
  readonly #options: QueuedBodyOptions;
  #controller: ReadableStreamDefaultController<Bytes> | undefined;
  /** The waiting bytes are those from `#from` to `#to`. Bytes that were handed out never change. */
  #buffer: Bytes = new Uint8Array(0);
  #from = 0;
  #to = 0;
  /** Ends the wait of a reader that asked for more. */
  #answer: (() => void) | undefined;
  #isComplete = false;
  #isOver = false;
  #pace: ReaderPace | undefined;

  constructor(options: QueuedBodyOptions) {
    this.#options = options;
    this.stream = new ReadableStream<Bytes>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#pull(),
      cancel: () => this.#leave(),
    }, { highWaterMark: 0 });
  }

  /** Number of bytes that nobody has read yet. */
  get waiting(): number {
    return this.#to - this.#from;
  }

  /** Adds bytes. Does nothing after the reader disconnected. */
  push(bytes: Uint8Array): void {
    if (this.#isOver || this.#isComplete) return;
    this.#append(bytes);
    if (!this.#options.onWaiting(this.waiting)) return this.breakOff();
    // later, so that a burst of small additions is read in one piece
    if (this.#answer !== undefined) queueMicrotask(() => this.#handOver());
  }

  /** The body is complete: it ends when everything is read, which must not take too long. */
  complete(): void {
    if (this.#isOver || this.#isComplete) return;
    this.#isComplete = true;
    this.#buffer = this.#buffer.slice(this.#from, this.#to);
    [this.#from, this.#to] = [0, this.#buffer.length];
    this.#pace = readerPace(this.#options, () => this.breakOff());
    if (this.#answer !== undefined || this.waiting === 0) this.#handOver();
  }

  /** Ends the body with an error: its reader sees that it is incomplete. */
  breakOff(): void {
    if (this.#isOver) return;
    this.#leave();
    this.#controller?.error(new Error("The answer is broken off"));
  }

  #pull(): Promise<void> {
    this.#pace?.rest();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answer = resolve;
    if (this.waiting > 0 || this.#isComplete) this.#handOver();
    return promise;
  }

  /** Gives a reader what waits; ends the body when it is complete and nothing waits. */
  #handOver(): void {
    if (this.#isOver) return;
    if (this.waiting > 0 && this.#answer !== undefined) {
      const piece = this.#take();
      this.#options.onWaiting(this.waiting);
      this.#controller?.enqueue(piece);
      // a server whose caller has gone may cancel the stream while it takes the piece
      if (this.#isOver) return;
      this.#pace?.handed(piece.length);
      this.#answered();
    }
    if (this.waiting > 0 || !this.#isComplete) return;
    this.#end();
    this.#controller?.close();
    this.#answered();
  }

  #answered(): void {
    this.#answer?.();
    this.#answer = undefined;
  }

  /** The reader disconnected, or must not get more. */
  #leave(): void {
    if (this.#isOver) return;
    this.#end();
    this.#buffer = new Uint8Array(0);
    this.#from = this.#to = 0;
    this.#options.onWaiting(0);
    this.#answered();
    this.#options.onGone();
  }

  #end(): void {
    this.#isOver = true;
    this.#pace?.rest();
    this.#options.onEnd?.();
  }

  #append(bytes: Uint8Array): void {
    if (this.#to + bytes.length > this.#buffer.length) {
      const length = this.waiting + bytes.length;
      const larger = new Uint8Array(Math.max(length, 2 * this.waiting, SMALLEST_CAPACITY));
      larger.set(this.#buffer.subarray(this.#from, this.#to));
      this.#to = this.waiting;
      this.#from = 0;
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#to);
    this.#to += bytes.length;
  }

  #take(): Bytes {
    const piece = this.#buffer.subarray(this.#from, Math.min(this.#to, this.#from + PIECE_BYTES));
    this.#from += piece.length;
    if (this.waiting === 0) {
      this.#buffer = new Uint8Array(0);
      this.#from = this.#to = 0;
    }
    return piece;
  }
}
