/**
 * Writes the frames of an isolate to its parent process, in their order.
 *
 * @module
 */

/** Frames that are held take at most so many bytes. */
const HELD_BYTES = 32 * 1024;

/** Writes frames, each at once or together with the next one. */
export class FrameWriter {
  readonly #write: (bytes: Uint8Array) => void;
  #held: Uint8Array[] = [];
  #bytes = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** Writes a frame, after those that are held. */
  write(frame: Uint8Array): void {
    if (this.#held.length === 0) return this.#write(frame);
    this.hold(frame);
    this.flush();
  }

  /** Takes a frame that may come later: writing each one alone would wake the parent each time. */
  hold(frame: Uint8Array): void {
    this.#held.push(frame);
    this.#bytes += frame.length;
    if (this.#bytes > HELD_BYTES) this.flush();
  }

  /** Writes the frames that are held. */
  flush(): void {
    if (this.#held.length === 0) return;
    const all = new Uint8Array(this.#bytes);
    let at = 0;
    for (const frame of this.#held) {
      all.set(frame, at);
      at += frame.length;
    }
    this.#held = [];
    this.#bytes = 0;
    this.#write(all);
  }
}
