/**
 * Lines of text from pieces of bytes, wherever the pieces begin and end.
 *
 * @module
 */
import { type ByteReader, concatenated } from "./byte_reader.ts";
import { bindingFailure } from "./errors.ts";

const NEWLINE = 0x0a;

/** The lines of a stream, without their newlines. What follows the last newline is no line. */
export class LineReader {
  readonly #bytes: ByteReader;
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** The part of a piece that is not read yet. */
  #rest: Uint8Array = new Uint8Array();

  /** A line has at most `maxBytes` bytes. */
  constructor(bytes: ByteReader, maxBytes: number) {
    this.#bytes = bytes;
    this.#maxBytes = maxBytes;
  }

  /**
   * The next line; undefined at the end.
   *
   * @throws {SandboxError} when the stream breaks off, or the line is too long or no UTF-8.
   */
  async next(): Promise<string | undefined> {
    const pieces: Uint8Array[] = [];
    for (let length = 0;;) {
      const end = this.#rest.indexOf(NEWLINE);
      const piece = end === -1 ? this.#rest : this.#rest.subarray(0, end);
      length += piece.length;
      if (length > this.#maxBytes) {
        throw bindingFailure(`A line of the answer is larger than ${this.#maxBytes} bytes`);
      }
      if (piece.length > 0) pieces.push(piece);
      if (end !== -1) {
        this.#rest = this.#rest.subarray(end + 1);
        return this.#decoded(concatenated(pieces));
      }
      const more = await this.#bytes.read();
      if (more === undefined) return undefined;
      this.#rest = more;
    }
  }

  #decoded(line: Uint8Array<ArrayBuffer>): string {
    try {
      return this.#decoder.decode(line);
    } catch (cause) {
      throw bindingFailure("The answer is not UTF-8", { cause });
    }
  }
}
