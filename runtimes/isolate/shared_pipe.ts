/**
 * The bytes of standard input after the token, from the thread that reads them to the main thread,
 * which blocks in a read while the program waits for its caller.
 *
 * Two words of state, then the bytes of one piece. The reading thread fills a piece when it is free,
 * and waits without blocking, so that it still notices the end of the pipe.
 *
 * @module
 */

/** Bytes before the data: whether a piece is there, and its length. */
export const PIPE_HEAD_BYTES = 8;
/** The word of the state, and its values. */
export const PIPE_STATE = { at: 0, free: 0, full: 1 } as const;
/** The word of the length. */
export const PIPE_LENGTH_AT = 1;

const PIPE_BYTES = 64 * 1024;

/** The memory of a pipe. */
export function createPipeMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(PIPE_HEAD_BYTES + PIPE_BYTES);
}

/** The reading end. */
export class SharedPipe {
  readonly #state: Int32Array<SharedArrayBuffer>;
  readonly #data: Uint8Array<SharedArrayBuffer>;
  #piece: Uint8Array = new Uint8Array();

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory, 0, PIPE_HEAD_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#data = new Uint8Array(memory, PIPE_HEAD_BYTES);
  }

  /** Reads so many bytes, and blocks until they are there. */
  read(length: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(length);
    for (let at = 0; at < length;) {
      if (this.#piece.length === 0) this.#refill();
      const taken = this.#piece.subarray(0, length - at);
      out.set(taken, at);
      at += taken.length;
      this.#piece = this.#piece.subarray(taken.length);
    }
    return out;
  }

  #refill(): void {
    const state = this.#state;
    const { at, free, full } = PIPE_STATE;
    while (Atomics.load(state, at) !== full) Atomics.wait(state, at, free);
    this.#piece = this.#data.slice(0, Atomics.load(state, PIPE_LENGTH_AT));
    Atomics.store(state, at, free);
    Atomics.notify(state, at);
  }
}
