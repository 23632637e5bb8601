/**
 * What an interpreter says on standard error before it ends its process, as some do that have no
 * memory left even for an exception. A program that says it too and exits is taken at its word.
 *
 * @module
 */
import type { OutputSink } from "./engine.ts";

const KEPT_CHARS = 512;

/** Watches output for messages among the last words. */
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

  /** Whether one of the messages is among them. */
  get told(): boolean {
    return this.#messages.some((message) => this.#tail.includes(message));
  }

  #keep(bytes: Uint8Array): void {
    const text = new TextDecoder().decode(bytes.subarray(-KEPT_CHARS));
    this.#tail = (this.#tail + text).slice(-KEPT_CHARS);
  }
}
