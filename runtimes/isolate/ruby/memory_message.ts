import type { OutputSink } from "../engine.ts";

const MESSAGE = "failed to allocate memory";
const KEPT_CHARS = 512;

/**
 * Watches standard error for what Ruby says before it ends a process that has no memory left
 * even for an exception. A program that says it too and exits is taken at its word.
 */
export class MemoryMessageWatch {
  readonly sink: OutputSink;
  #tail = "";

  constructor(output: OutputSink) {
    this.sink = (stream, bytes) => {
      if (stream === 2) this.#keep(bytes);
      return output(stream, bytes);
    };
  }

  /** Whether the message is among the last words. */
  get seen(): boolean {
    return this.#tail.includes(MESSAGE);
  }

  #keep(bytes: Uint8Array): void {
    const text = new TextDecoder().decode(bytes.subarray(-KEPT_CHARS));
    this.#tail = (this.#tail + text).slice(-KEPT_CHARS);
  }
}
