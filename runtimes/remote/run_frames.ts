/**
 * The stream of a run between a runtime and a gateway on another machine
 * (docs/contract.md#remote-runtimes): the frames of an isolate's output, then the answer as it would
 * have been without a stream.
 *
 * A gateway asks for it with `Accept`. A runtime of an earlier version does not know it and sends
 * the answer alone.
 *
 * @module
 */
import type { OutputEvent } from "../../client/protocol/run_events.ts";
import { DISPLAYS_SINCE, PROTOCOL_HEADER } from "../../wire/binding.ts";
import { displayJson } from "../../wire/display.ts";
import type { StreamEncoding } from "../../wire/streamed_run.ts";
import { encodeFrame, FRAME_BEGUN, FRAME_DISPLAY } from "../isolate/protocol.ts";
import { joined } from "./bytes.ts";

/** Media type of the stream. */
export const RUN_FRAMES = "application/vnd.belljar.run-frames";

/** A piece of the answer. Its number is the answer's status. */
export const FRAME_ANSWER = 4;

/** Bytes of the answer in one frame. */
const PIECE_BYTES = 1024 * 1024;
const NOTHING = new Uint8Array();

/** Whether a gateway asks for the stream. */
export function asksForFrames({ headers }: Request): boolean {
  return headers.get("accept") === RUN_FRAMES;
}

/** Whether a gateway knows displays. One of an earlier version does not tell its version. */
export function knowsDisplays({ headers }: Request): boolean {
  return Number(headers.get(PROTOCOL_HEADER) ?? 1) >= DISPLAYS_SINCE;
}

/** The runtime's side of the stream that a gateway asks for. */
export function framesFor(request: Request): StreamEncoding {
  return knowsDisplays(request) ? FRAME_ENCODING : { ...FRAME_ENCODING, display: () => NOTHING };
}

/** The runtime's side. No keepalive is needed: the gateway waits for as long as a run can take. */
const FRAME_ENCODING: StreamEncoding = {
  mediaType: RUN_FRAMES,
  always: false,
  begin: () => encodeFrame(FRAME_BEGUN, 0, NOTHING),
  output: (stream: OutputEvent["type"], bytes) =>
    encodeFrame(stream === "stdout" ? 1 : 2, 0, bytes),
  display: (display) => encodeFrame(FRAME_DISPLAY, 0, displayJson(display)),
  keepalive: () => NOTHING,
  end: (status, body) => {
    const pieces = Array.from(
      { length: Math.ceil(body.length / PIECE_BYTES) },
      (_, index) => body.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
    );
    return joined(pieces.map((piece) => encodeFrame(FRAME_ANSWER, status, piece)));
  },
};
