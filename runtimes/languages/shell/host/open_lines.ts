/**
 * The streams whose last line has no newline. Results have lines, so that without this nobody could
 * tell `printf x` from `echo x`.
 *
 * @module
 */
import type { OutputSink } from "../../../engine/engine.ts";

const NEWLINE = 10;

/** The names of the streams in results. */
export type StreamName = "stdout" | "stderr";

const NAMES: readonly (readonly [number, StreamName])[] = [[1, "stdout"], [2, "stderr"]];

/** Watches the last byte of each stream. */
export class OpenLines {
  readonly sink: OutputSink;
  readonly #last = new Map<number, number>();

  constructor(output: OutputSink) {
    this.sink = (stream, bytes) => {
      const last = bytes.at(-1);
      if (last !== undefined) this.#last.set(stream, last);
      return output(stream, bytes);
    };
  }

  /** The streams that have output and do not end with a newline. */
  streams(): readonly StreamName[] {
    const isOpen = (stream: number) => (this.#last.get(stream) ?? NEWLINE) !== NEWLINE;
    return NAMES.filter(([stream]) => isOpen(stream)).map(([, name]) => name);
  }
}
