/**
 * Takes the frames of an isolate's standard output apart. What comes in is untrusted: a frame
 * that announces too much is an error before its payload is read.
 *
 * @module
 */
import { FRAME_HEADER_BYTES } from "../isolate/protocol.ts";
import { ProtocolError } from "../../wire/message.ts";

/** One frame. */
export interface Frame {
  readonly kind: number;
  readonly run: number;
  /** A view of what was read, to be copied by who keeps it. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** Largest payload of a frame: more than any output limit that can be configured. */
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** Collects chunks until frames are whole. */
export class FrameReader {
  #pending: Uint8Array<ArrayBuffer> = new Uint8Array();

  /** Takes a chunk; gives the frames that are whole with it. Throws a ProtocolError. */
  push(chunk: Uint8Array): readonly Frame[] {
    const joined = new Uint8Array(this.#pending.length + chunk.length);
    joined.set(this.#pending);
    joined.set(chunk, this.#pending.length);
    const view = new DataView(joined.buffer);
    const frames: Frame[] = [];
    let at = 0;
    while (joined.length - at >= FRAME_HEADER_BYTES) {
      const length = view.getUint32(at + 5, true);
      if (length > MAX_PAYLOAD_BYTES) throw new ProtocolError("a frame is too large");
      const end = at + FRAME_HEADER_BYTES + length;
      if (end > joined.length) break;
      frames.push({
        kind: view.getUint8(at),
        run: view.getUint32(at + 1, true),
        payload: joined.subarray(at + FRAME_HEADER_BYTES, end),
      });
      at = end;
    }
    this.#pending = joined.slice(at);
    return frames;
  }
}
