/**
 * Uploads in pieces: a large file survives broken connections and restarts of the service
 * (docs/contract.md#pieces).
 *
 * @module
 */
import { readBody, throwAnswer } from "./answer.ts";
import { type CallHead, type Endpoint, exchange } from "./call.ts";
import { ConnectionError } from "./errors.ts";
import type { RequestOptions } from "./request_options.ts";

/** Length of a piece, in bytes. */
const PIECE_BYTES = 8 * 1024 * 1024;
/** Broken connections in a row, without a piece between them, unless the options say otherwise. */
const DEFAULT_ATTEMPTS = 4;

/** The outcome of a piece: the file is there, or so many bytes of it. */
type Outcome = "stored" | number;

/** Sends a file in pieces. After a broken connection, it asks how far the upload is, and goes on. */
export async function uploadInPieces(
  endpoint: Endpoint,
  head: CallHead,
  content: Blob,
  options: RequestOptions,
): Promise<void> {
  const retry = options.retry ?? endpoint.defaults.retry ?? {};
  const attempts = retry === false ? 1 : retry.attempts ?? DEFAULT_ATTEMPTS;
  let failures = 0;
  for (let at = 0;;) {
    const end = Math.min(content.size, at + PIECE_BYTES);
    try {
      const outcome = await sendPiece(endpoint, head, content, { at, end }, options);
      if (outcome === "stored") return;
      [at, failures] = [outcome, 0];
    } catch (error) {
      if (!(error instanceof ConnectionError) || ++failures >= attempts) throw error;
      at = await askedBytes(endpoint, head, content.size, options);
      const mayBeStored = at === 0 && end === content.size;
      if (mayBeStored && await isStored(endpoint, head, content, options)) return;
    }
  }
}

async function sendPiece(
  endpoint: Endpoint,
  head: CallHead,
  content: Blob,
  { at, end }: { readonly at: number; readonly end: number },
  options: RequestOptions,
): Promise<Outcome> {
  const range = `bytes ${at}-${end - 1}/${content.size}`;
  const message = {
    ...head,
    headers: { ...head.headers, "content-range": range },
    body: async () => new Uint8Array(await content.slice(at, end).arrayBuffer()),
  };
  return await exchange(endpoint, message, options, async (response, signal) => {
    const { status } = response;
    if (status !== 201 && status !== 202 && status !== 204) await throwAnswer(response, signal);
    await readBody(response, signal);
    return status === 202 ? bytesIn(response) : "stored";
  });
}

/** Bytes that the service has of an unfinished upload. */
async function askedBytes(
  endpoint: Endpoint,
  head: CallHead,
  size: number,
  options: RequestOptions,
): Promise<number> {
  const headers = { ...head.headers, "content-range": `bytes */${size}` };
  const message = { ...head, headers, isRepeatable: true };
  return await exchange(endpoint, message, options, async (response, signal) => {
    if (response.status !== 202) await throwAnswer(response, signal);
    await readBody(response, signal);
    return bytesIn(response);
  });
}

function bytesIn({ headers }: Response): number {
  const [, last] = /^bytes=0-(\d{1,15})$/.exec(headers.get("range") ?? "") ?? [];
  return last === undefined ? 0 : Number(last) + 1;
}

/** Whether the file is there already: the answer to its last piece was lost. */
async function isStored(
  endpoint: Endpoint,
  { path }: CallHead,
  content: Blob,
  options: RequestOptions,
): Promise<boolean> {
  const headers = { accept: "*/*", range: "bytes=0-0" };
  const message = { method: "GET", path, headers, isRepeatable: true } as const;
  const tag = await exchange(endpoint, message, options, async (response, signal) => {
    await readBody(response, signal);
    return response.status === 206 ? response.headers.get("etag") : null;
  });
  if (tag === null) return false;
  const hash = await crypto.subtle.digest("SHA-256", await content.arrayBuffer());
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0"));
  return tag === `"${hex.join("")}"`;
}
