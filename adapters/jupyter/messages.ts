/**
 * Messages of Jupyter's protocol on a WebSocket: as JSON texts, and in the frames of the subprotocol
 * `v1.kernel.websocket.jupyter.org`. What clients send is checked before it is parsed.
 *
 * @module
 */
import { z } from "zod";
import { validationFailed } from "../../shared/errors.ts";
import { parseJson, tooLarge } from "../../shared/read_body.ts";

/** The subprotocol with binary frames. */
export const V1_PROTOCOL = "v1.kernel.websocket.jupyter.org";
/** The version of the messages. */
export const PROTOCOL_VERSION = "5.4";

/** Maximum number of commas, colons and opening brackets of a message, strings excepted. */
const MAX_STRUCTURE = 10_000;
/** A frame has the channel, header, parent, metadata and content, and then buffers. */
const PARTS = 5;
const MAX_OFFSETS = 64;
const OFFSET_BYTES = 8;
const ID_LENGTH = 256;

const headerSchema = z.looseObject({
  msg_id: z.string("msg_id must be a string").max(ID_LENGTH, "msg_id is too long"),
  msg_type: z.string("msg_type must be a string").max(ID_LENGTH, "msg_type is too long"),
  session: z.string().max(ID_LENGTH).optional(),
  username: z.string().max(ID_LENGTH).optional(),
});
const messageSchema = z.object({
  header: headerSchema,
  content: z.record(z.string(), z.unknown()).default({}),
  channel: z.enum(["shell", "control", "stdin", "iopub"]).nullish(),
});

/** The header of a message; its replies carry it as it came. */
export type Header = z.infer<typeof headerSchema>;

/** A message of a client. */
export interface ClientMessage {
  readonly header: Header;
  readonly content: { readonly [name: string]: unknown };
  /** That of a message without one is `shell`. */
  readonly channel: "shell" | "control" | "stdin" | "iopub";
}

/** A message of the kernel. */
export interface KernelMessage {
  readonly channel: "shell" | "control" | "stdin" | "iopub";
  readonly type: string;
  /** The header of the request that caused it. */
  readonly parent: Header | undefined;
  readonly content: unknown;
  readonly metadata?: unknown;
}

/** Reads a message. Throws `VALIDATION_FAILED` or `REQUEST_TOO_LARGE`. */
export function readMessage(data: string | ArrayBuffer, maxBytes: number): ClientMessage {
  if (typeof data === "string") {
    if (data.length > maxBytes) throw tooLarge(maxBytes);
    const bytes = new TextEncoder().encode(data);
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return checked(parseJson(bytes, MAX_STRUCTURE));
  }
  if (data.byteLength > maxBytes) throw tooLarge(maxBytes);
  const [channel, header, , , content] = partsOf(new Uint8Array(data));
  const parsed = (part: Uint8Array | undefined) =>
    parseJson(part ?? new Uint8Array(), MAX_STRUCTURE);
  return checked({
    header: parsed(header),
    content: parsed(content),
    channel: new TextDecoder().decode(channel),
  });
}

function checked(value: unknown): ClientMessage {
  const read = messageSchema.safeParse(value);
  if (!read.success) {
    throw validationFailed(`Not a message: ${read.error.issues[0]?.message ?? "bad form"}`);
  }
  return { ...read.data, channel: read.data.channel ?? "shell" };
}

/** The parts of a frame: little-endian numbers of 64 bits say where each begins, and the last ends. */
function partsOf(frame: Uint8Array): readonly Uint8Array[] {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const numberAt = (index: number): number => {
    const at = index * OFFSET_BYTES;
    if (at + OFFSET_BYTES > frame.length) throw badFrame();
    const value = Number(view.getBigUint64(at, true));
    if (value > frame.length) throw badFrame();
    return value;
  };
  const count = numberAt(0);
  if (count < PARTS + 1 || count > MAX_OFFSETS) throw badFrame();
  const offsets = Array.from({ length: count }, (_, index) => numberAt(index + 1));
  const isOrdered = offsets.every((offset, index) => offset >= (offsets[index - 1] ?? 0));
  if (!isOrdered) throw badFrame();
  return offsets.slice(0, PARTS).map((offset, index) => frame.subarray(offset, offsets[index + 1]));
}

function badFrame() {
  return validationFailed("Not a message: its offsets are wrong");
}

/** A message in the two forms of the wire, each made when it is needed first. */
export class WireMessage {
  readonly #parts: {
    readonly header: unknown;
    readonly parent_header: unknown;
    readonly metadata: unknown;
    readonly content: unknown;
  };
  readonly #channel: KernelMessage["channel"];
  #json: string | undefined;
  #frame: Uint8Array<ArrayBuffer> | undefined;

  constructor({ channel, type, parent, content, metadata = {} }: KernelMessage, session: string) {
    this.#channel = channel;
    this.#parts = {
      header: {
        msg_id: crypto.randomUUID(),
        msg_type: type,
        username: "kernel",
        session,
        date: new Date().toISOString(),
        version: PROTOCOL_VERSION,
      },
      parent_header: parent ?? {},
      metadata,
      content,
    };
  }

  /** The text of the JSON form. */
  get json(): string {
    const { header } = this.#parts;
    return this.#json ??= JSON.stringify({
      ...this.#parts,
      ...idsOf(header),
      channel: this.#channel,
      buffers: [],
    });
  }

  /** The frame of {@link V1_PROTOCOL}. */
  get frame(): Uint8Array<ArrayBuffer> {
    return this.#frame ??= frameOf([
      this.#channel,
      ...Object.values(this.#parts).map((part) => JSON.stringify(part)),
    ]);
  }
}

/** Some clients read the id and the type outside of the header. */
function idsOf(header: unknown) {
  const { msg_id, msg_type } = headerSchema.parse(header);
  return { msg_id, msg_type };
}

function frameOf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const count = parts.length + 1;
  const start = (count + 1) * OFFSET_BYTES;
  const total = parts.reduce((sum, { length }) => sum + length, start);
  const frame = new Uint8Array(total);
  const view = new DataView(frame.buffer);
  view.setBigUint64(0, BigInt(count), true);
  let at = start;
  for (const [index, part] of parts.entries()) {
    view.setBigUint64((index + 1) * OFFSET_BYTES, BigInt(at), true);
    frame.set(part, at);
    at += part.length;
  }
  view.setBigUint64(count * OFFSET_BYTES, BigInt(at), true);
  return frame;
}
