/**
 * Parses the frames of an isolate's standard output. The input is untrusted: a frame that announces
 * too much is an error before its payload is read, and each byte is copied once, however small the
 * chunks are.
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
