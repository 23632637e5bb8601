/**
 * Messages between processes of the service: a JSON head and byte parts, each preceded by its
 * length.
 *
 * @module
 */
import { hasMoreStructure } from "./json_structure.ts";

/** The bytes are not a message, or exceed the allowed size. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
}

/** A JSON value and its byte parts. */
export interface Message {
  readonly head: unknown;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

const LENGTH_BYTES = 4;
/** The first part starts at a multiple of this, so that its words can be read in place. */
const ALIGNMENT = 8;
const SPACE = 0x20;
/** A run in a context has one for each file of a workspace, and a few more. */
const MAX_PARTS = 8_192;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { fatal: true });

/** A part from this length on is not copied into {@link messageChunks}. */
const LONG_PART_BYTES = 1024 * 1024;

/**
 * Encodes a message as bytes that follow each other. Long parts are not copied: they must not change
 * until the chunks are sent.
 */
export function messageChunks(
  head: unknown,
  parts: readonly Uint8Array<ArrayBuffer>[],
): readonly Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let short: Uint8Array<ArrayBuffer>[] = [encodeHead(head)];
  const join = () => {
    if (short.length > 0) chunks.push(joined(short));
    short = [];
  };
  for (const part of parts) {
    if (part.length < LONG_PART_BYTES) {
      short.push(part);
      continue;
    }
    join();
    const length = new Uint8Array(LENGTH_BYTES);
    new DataView(length.buffer).setUint32(0, part.length, true);
    chunks.push(length, part);
  }
  join();
  return chunks;
}

/** Encodes a message as bytes. */
export function encodeMessage(
  head: unknown,
  parts: readonly Uint8Array[] = [],
): Uint8Array<ArrayBuffer> {
  return joined([encodeHead(head), ...parts]);
}

/** Parts, each preceded by its length. */
function joined(all: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
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

/** Pads the head with spaces before the length of the first part. */
function encodeHead(head: unknown): Uint8Array<ArrayBuffer> {
  const json = ENCODER.encode(JSON.stringify(head));
  const end = Math.ceil((json.length + 2 * LENGTH_BYTES) / ALIGNMENT) * ALIGNMENT;
  const out = new Uint8Array(end - 2 * LENGTH_BYTES).fill(SPACE);
  out.set(json);
  return out;
}

/**
 * The inverse of {@link encodeMessage}. Refuses a head with too much structure before parsing it,
 * and one part too many before reading on. Throws a ProtocolError.
 */
export function decodeMessage(
  bytes: Uint8Array<ArrayBuffer>,
  maxHeadStructure = Infinity,
  maxParts = MAX_PARTS,
): Message {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const all: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + LENGTH_BYTES > bytes.length) throw new ProtocolError("the message is cut short");
    const end = at + LENGTH_BYTES + view.getUint32(at, true);
    if (end > bytes.length) throw new ProtocolError("the message is cut short");
    if (all.length > maxParts) throw new ProtocolError("the message has too many parts");
    all.push(bytes.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  const [head, ...parts] = all;
  if (head === undefined) throw new ProtocolError("the message is empty");
  if (hasMoreStructure(head, maxHeadStructure)) {
    throw new ProtocolError("the head is too large");
  }
  try {
    return { head: JSON.parse(DECODER.decode(head)), parts };
  } catch {
    throw new ProtocolError("the message has no JSON head");
  }
}

/** The head of a message, from its first bytes. Throws a ProtocolError. */
export function readHead(start: Uint8Array<ArrayBuffer>): unknown {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const end = LENGTH_BYTES + (start.length < LENGTH_BYTES ? 0 : view.getUint32(0, true));
  return decodeMessage(start.subarray(0, end)).head;
}
