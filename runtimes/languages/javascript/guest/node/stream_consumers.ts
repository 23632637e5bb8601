/**
 * `stream/consumers`: functions that read a whole stream.
 *
 * @module
 */
import { Blob } from "../web/blob.ts";
import { decodeUtf8, encodeUtf8 } from "../web/utf8.ts";
import { asBuffer } from "./buffer.ts";

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const part = chunk instanceof Uint8Array ? chunk : encodeUtf8(`${chunk}`);
    parts.push(part);
    length += part.length;
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function text(stream: AsyncIterable<unknown>): Promise<string> {
  return decodeUtf8(await bytesOf(stream));
}

/** The module. */
export const streamConsumers = {
  arrayBuffer: async (stream: AsyncIterable<unknown>): Promise<ArrayBuffer> =>
    (await bytesOf(stream)).buffer,
  blob: async (stream: AsyncIterable<unknown>): Promise<Blob> => new Blob([await bytesOf(stream)]),
  buffer: async (stream: AsyncIterable<unknown>): Promise<Uint8Array> =>
    asBuffer(await bytesOf(stream)),
  json: async (stream: AsyncIterable<unknown>): Promise<unknown> => JSON.parse(await text(stream)),
  text,
};
