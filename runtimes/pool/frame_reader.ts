/**
 * Parses the frames of an isolate's standard output. The input is untrusted: a frame that announces
 * too much is an error before its payload is read, and each byte is copied once, however small the
 * chunks are. {@link StreamBytes} collects what the frames carry.
 *
 * @module
 */
import { ProtocolError } from "../../shared/message.ts";
import { FRAME_HEADER_BYTES } from "../isolate/protocol.ts";

/** One frame. */
export interface Frame {
  readonly kind: number;
  readonly run: number;
  /** A view of the input. A caller that keeps it must copy it. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** Largest payload of a frame: more than any configurable output limit. */
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** A frame that has begun, with room for as much of it as its known length. */
interface Begun {
  bytes: Uint8Array<ArrayBuffer>;
  filled: number;
}

/** Collects chunks until frames are whole. */
export class FrameReader {
  #begun: Begun = { bytes: new Uint8Array(FRAME_HEADER_BYTES), filled: 0 };

  /** Takes a chunk; yields the frames that it completes. Throws a ProtocolError. */
  push(chunk: Uint8Array): readonly Frame[] {
    const frames: Frame[] = [];
    for (let at = 0; at < chunk.length;) {
      at += this.#fill(chunk.subarray(at));
      const frame = this.#whole();
      if (frame !== undefined) frames.push(frame);
    }
    return frames;
  }

  /** Takes as much as the current frame has room for; returns how much. */
  #fill(chunk: Uint8Array): number {
    const begun = this.#begun;
    const taken = chunk.subarray(0, begun.bytes.length - begun.filled);
    begun.bytes.set(taken, begun.filled);
    begun.filled += taken.length;
    const isHeader = begun.bytes.length === FRAME_HEADER_BYTES;
    if (isHeader && begun.filled === FRAME_HEADER_BYTES) {
      const bytes = new Uint8Array(FRAME_HEADER_BYTES + payloadBytes(begun.bytes));
      bytes.set(begun.bytes);
      begun.bytes = bytes;
    }
    return taken.length;
  }

  #whole(): Frame | undefined {
    const { bytes, filled } = this.#begun;
    if (filled < bytes.length || filled < FRAME_HEADER_BYTES) return undefined;
    this.#begun = { bytes: new Uint8Array(FRAME_HEADER_BYTES), filled: 0 };
    const view = new DataView(bytes.buffer);
    return {
      kind: view.getUint8(0),
      run: view.getUint32(1, true),
      payload: bytes.subarray(FRAME_HEADER_BYTES),
    };
  }
}

function payloadBytes(header: Uint8Array<ArrayBuffer>): number {
  const length = new DataView(header.buffer).getUint32(5, true);
  if (length > MAX_PAYLOAD_BYTES) throw new ProtocolError("a frame is too large");
  return length;
}

const SMALLEST_CAPACITY = 1024;

/**
 * The bytes of one stream, in one buffer that grows by doubling. A guest may write its output byte
 * by byte, and a list of such chunks would take hundreds of times their size.
 */
export class StreamBytes {
  #buffer = new Uint8Array(0);
  #length = 0;
  #readLength = 0;

  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length, SMALLEST_CAPACITY));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  /** The bytes that came since the last call. Valid until more come. */
  news(): Uint8Array<ArrayBuffer> {
    const bytes = this.#buffer.subarray(this.#readLength, this.#length);
    this.#readLength = this.#length;
    return bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The last bytes, at most so many. Valid until more come. */
  latest(most: number): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(Math.max(0, this.#length - most), this.#length);
  }

  /** A copy of all bytes. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(0, this.#length);
  }
}
