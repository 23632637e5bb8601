/**
 * Reads the bodies of answers in pieces.
 *
 * The other side is not trusted: it may send without end, break off, or send what is not bytes.
 *
 * @module
 */
import { bindingFailure, BrokenAnswer } from "./errors.ts";

/** The pieces of one stream, up to a length. */
export class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(stream: ReadableStream<Uint8Array>, maxBytes: number) {
    this.#reader = stream.getReader();
    this.#maxBytes = maxBytes;
  }

  /** The body of an answer; also of a response of a `fetch` package, which has another stream. */
  static async ofBody(response: Response, maxBytes: number): Promise<ByteReader> {
    const { body } = response;
    if (body instanceof ReadableStream) return new ByteReader(body, maxBytes);
    const whole = typeof response.arrayBuffer === "function"
      ? await response.arrayBuffer()
      : await response.text();
    return new ByteReader(new Blob([whole]).stream(), maxBytes);
  }

  /**
   * The next piece; undefined at the end, and when the reader is cancelled.
   *
   * @throws {SandboxError} when the stream breaks off (a {@link BrokenAnswer}), or is too long.
   */
  async read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#reader.read().catch((cause: unknown) => {
      throw new BrokenAnswer("The connection broke before the answer was whole", { cause });
    });
    if (done) return undefined;
    if (!(value instanceof Uint8Array)) {
      throw bindingFailure("The answer does not consist of bytes");
    }
    this.#bytes += value.length;
    if (this.#bytes <= this.#maxBytes) return value;
    this.cancel();
    throw bindingFailure(`The answer is larger than ${this.#maxBytes} bytes`);
  }

  /** All bytes. */
  async readAll(): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    for (let piece = await this.read(); piece !== undefined; piece = await this.read()) {
      pieces.push(piece);
    }
    return concatenated(pieces);
  }

  /** Ends the stream. Nothing waits for its source to agree. */
  cancel(reason?: unknown): void {
    this.#reader.cancel(reason).catch(() => undefined);
  }

  /** Does `work`, and ends the stream when it is over or the signal fires. */
  async during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const stop = () => this.cancel(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    try {
      return await work();
    } finally {
      signal.removeEventListener("abort", stop);
      this.cancel();
    }
  }
}

/** Pieces as one. */
export function concatenated(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
