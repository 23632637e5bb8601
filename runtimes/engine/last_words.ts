/**
 * The message that an interpreter prints on standard error before it ends its process, for example
 * without memory for an exception. A program can fake this message.
 *
 * @module
 */
import type { OutputSink } from "./engine.ts";

const KEPT_CHARS = 512;

/** Watches the end of the output for such messages. */
export class LastWords {
  readonly sink: OutputSink;
  readonly #messages: readonly string[];
  #tail = "";

  constructor(output: OutputSink, messages: readonly string[]) {
    this.#messages = messages;
    this.sink = (stream, bytes) => {
      if (stream === 2) this.#keep(bytes);
      return output(stream, bytes);
    };
  }

  /** Whether the end of the output contains one of the messages. */
  get hasMessage(): boolean {
    return this.#messages.some((message) => this.#tail.includes(message));
  }

  #keep(bytes: Uint8Array): void {
    const text = new TextDecoder().decode(bytes.subarray(-KEPT_CHARS));
    this.#tail = (this.#tail + text).slice(-KEPT_CHARS);
  }
}
