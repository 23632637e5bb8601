/**
 * What the parent process and an isolate say to each other.
 *
 * Over loopback HTTP: `POST /engine` hands over an engine, `POST /run` runs a program. Bodies
 * and answers are messages: a JSON head and byte parts, each with its length in front.
 * Over the isolate's standard output: frames, which carry the guest's output as it arises, so
 * that it outlives a killed process.
 *
 * The parent treats all that comes from an isolate as untrusted; `pool/` checks it.
 *
 * @module
 */
import type { Language } from "../../wire/types.ts";
import type { LimitName, RunLimits } from "./engine.ts";

/** The bytes are no message, or larger than allowed. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
}

/** A JSON value and the bytes that go with it. */
export interface Message {
  readonly head: unknown;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

/** Head of `POST /engine`; parts: the metered module, the image, the engine's extras. */
export interface EngineHead {
  readonly language: Language;
  readonly build: string;
  readonly memoryBytes: number;
}

/** Head of `POST /run`; one part: the code in UTF-8. */
export interface RunHead {
  /** Number of the run, which its output frames carry too. */
  readonly run: number;
  readonly env: readonly (readonly [name: string, value: string])[];
  readonly typescript: boolean;
  readonly limits: RunLimits;
}

/** How a run ended, as its answer's head tells it; text and JSON are in the first part. */
export type EndingHead =
  | { readonly kind: "none" | "text" | "json" | "crash" }
  | {
    readonly kind: "error";
    readonly name: string;
    readonly message: string;
    readonly traceback: readonly string[];
    readonly lineNumber?: number | undefined;
  }
  | {
    readonly kind: "limit";
    readonly limit: LimitName;
    readonly traceback: readonly string[];
  };

/** Head of the answer to `POST /run`. */
export interface RunAnswerHead {
  readonly run: number;
  readonly ending: EndingHead;
  readonly fuelConsumed: number;
  readonly memoryBytes: number;
  readonly durationMs: number;
  /** Time spent putting the image back before this run, in milliseconds; mostly 0. */
  readonly resetMs: number;
  /** Bytes of output of this run, all of which are in frames. */
  readonly outputBytes: number;
  /** False: this process asks to be replaced. */
  readonly healthy: boolean;
}

/** Kinds of frames on standard output: 1 and 2 are the guest's streams. */
export const FRAME_READY = 0;
/** Bytes before a frame's payload: kind, number of the run, length of the payload. */
export const FRAME_HEADER_BYTES = 9;

const LENGTH_BYTES = 4;

/** A message as bytes. */
export function encodeMessage(
  head: unknown,
  parts: readonly Uint8Array[] = [],
): Uint8Array<ArrayBuffer> {
  const all = [new TextEncoder().encode(JSON.stringify(head)), ...parts];
  const size = all.reduce((sum, part) => sum + LENGTH_BYTES + part.length, 0);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  let at = 0;
  for (const part of all) {
    view.setUint32(at, part.length, true);
    out.set(part, at + LENGTH_BYTES);
    at += LENGTH_BYTES + part.length;
  }
  return out;
}

/** The reverse of {@link encodeMessage}. Throws a ProtocolError. */
export function decodeMessage(bytes: Uint8Array<ArrayBuffer>): Message {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const all: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + LENGTH_BYTES > bytes.length) throw new ProtocolError("the message is cut short");
    const end = at + LENGTH_BYTES + view.getUint32(at, true);
    if (end > bytes.length) throw new ProtocolError("the message is cut short");
    all.push(bytes.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  const [head, ...parts] = all;
  if (head === undefined) throw new ProtocolError("the message is empty");
  try {
    return { head: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(head)), parts };
  } catch {
    throw new ProtocolError("the message has no JSON head");
  }
}

/** The head of a message of which the start is there. Throws a ProtocolError. */
export function readHead(start: Uint8Array<ArrayBuffer>): unknown {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const end = LENGTH_BYTES + (start.length < LENGTH_BYTES ? 0 : view.getUint32(0, true));
  return decodeMessage(start.subarray(0, end)).head;
}

/** A frame: header and payload in one piece, so that it is written at once. */
export function encodeFrame(
  kind: number,
  run: number,
  payload: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(FRAME_HEADER_BYTES + payload.length);
  const view = new DataView(out.buffer);
  view.setUint8(0, kind);
  view.setUint32(1, run, true);
  view.setUint32(5, payload.length, true);
  out.set(payload, FRAME_HEADER_BYTES);
  return out;
}
