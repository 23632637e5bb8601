/**
 * Messages of streams of the Connect protocol: a byte of flags, the length, JSON.
 *
 * @module
 */
import { validationFailed } from "../../shared/errors.ts";
import { CONNECT_CODES } from "./errors.ts";

/** The media type of such streams. */
export const CONNECT_STREAM = "application/connect+json";

/** Flag of the last message. */
const END = 2;
const HEAD_BYTES = 5;

/** An error of a stream. */
export interface StreamError {
  readonly code: string;
  readonly message: string;
}

function envelope(flags: number, value: unknown): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(value));
  const message = new Uint8Array(HEAD_BYTES + json.length);
  message[0] = flags;
  new DataView(message.buffer).setUint32(1, json.length);
  message.set(json, HEAD_BYTES);
  return message;
}

/** A message. */
export function message(value: unknown): Uint8Array<ArrayBuffer> {
  return envelope(0, value);
}

/** The last message of a stream. */
export function endMessage(error?: StreamError): Uint8Array<ArrayBuffer> {
  return envelope(END, error === undefined ? {} : { error });
}

/** The code of the Connect protocol for a status. */
export function connectCode(status: number): string {
  return CONNECT_CODES.get(status) ?? "internal";
}

/**
 * The JSON of the one message of a request.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when the body is not one message.
 */
export function messageIn(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const length = body.length < HEAD_BYTES
    ? -1
    : new DataView(body.buffer, body.byteOffset).getUint32(1);
  if (body[0] !== 0 || length !== body.length - HEAD_BYTES) {
    throw validationFailed("The body must be one message of the Connect protocol, uncompressed");
  }
  return body.subarray(HEAD_BYTES);
}

/** A stream that ends with an error. A client that requests a stream understands no other form. */
export function endOfStream(error: StreamError): Response {
  return new Response(endMessage(error), {
    headers: { "content-type": CONNECT_STREAM, "cache-control": "no-store" },
  });
}
