/**
 * Sends a `Response` over `node:http`, as fast as the client reads.
 *
 * @module
 */
import type { ServerResponse } from "node:http";
import { isWhole } from "../shared/responses.ts";

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
type Piece = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;

/** Statuses without a body and without a length. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/**
 * Sends an answer, except for ending it. Resolves when all of it was passed to the connection or
 * the connection is gone. Rejects when the answer's body fails; the caller then destroys the
 * connection.
 */
export async function send(answer: Response, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return await answer.body?.cancel();
  if (isWhole(answer)) return await sendWhole(answer, outgoing, await answer.bytes());
  if (answer.body === null) return await sendWhole(answer, outgoing, undefined);
  const reader = answer.body.getReader();
  const gone = () => void reader.cancel().catch(() => undefined);
  outgoing.once("close", gone);
  try {
    await sendBody(answer, outgoing, reader);
  } finally {
    outgoing.off("close", gone);
  }
}

/** A complete body is sent in one write with its length, any other body chunk by chunk. */
async function sendBody(answer: Response, outgoing: ServerResponse, reader: Reader): Promise<void> {
  const first = await reader.read();
  if (first.done) return await sendWhole(answer, outgoing, undefined);
  if (answer.headers.has("content-length")) {
    outgoing.writeHead(answer.status, headOf(answer));
    return await pour(reader, outgoing, first);
  }
  const next = reader.read();
  if (await isOver(next)) return await sendWhole(answer, outgoing, first.value);
  outgoing.writeHead(answer.status, headOf(answer));
  await write(outgoing, first.value);
  await pour(reader, outgoing, await next);
}

async function sendWhole(
  answer: Response,
  outgoing: ServerResponse,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const { status, headers } = answer;
  const length = headers.has("content-length") || BODILESS.has(status)
    ? []
    : ["content-length", String(bytes?.length ?? 0)];
  outgoing.writeHead(status, [...headOf(answer), ...length]);
  if (bytes !== undefined) await write(outgoing, bytes);
}

/** Alternating names and values; only `set-cookie` may occur more than once. */
function headOf({ headers }: Response): string[] {
  return [...headers].flat();
}

/** Whether a pending read has already reported the end. */
async function isOver(read: Promise<Piece>): Promise<boolean> {
  const soon = Promise.resolve().then(() => undefined).then(() => undefined);
  const piece = await Promise.race([read.catch(() => undefined), soon]);
  return piece?.done === true;
}

/** Requests the next chunk once the last one was taken. */
async function pour(reader: Reader, outgoing: ServerResponse, first: Piece): Promise<void> {
  for (let piece = first; !piece.done; piece = await reader.read()) {
    await write(outgoing, piece.value);
  }
}

/** Resolves when there is room for more or the connection is gone. */
async function write(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (outgoing.destroyed || outgoing.write(bytes)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onRoom = () => resolve();
  outgoing.once("drain", onRoom);
  outgoing.once("close", onRoom);
  await promise;
  outgoing.off("drain", onRoom);
  outgoing.off("close", onRoom);
}
