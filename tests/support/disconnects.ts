/**
 * Callers that leave before they are answered.
 *
 * @module
 */
import { pause } from "./wait.ts";

/** How a caller leaves: with `fetch`, or on a connection of its own and in some form. */
export type Leaver = "fetch" | "socket" | "chunked" | "second";

/** All of them, by what they do. */
export const LEAVERS: Readonly<Record<string, Leaver>> = {
  "fetch is aborted": "fetch",
  "the connection is closed": "socket",
  "the connection of a chunked body is closed": "chunked",
  "the connection is closed at its second request": "second",
};

/** When a caller leaves, in milliseconds after its request. */
const LEAVE_MS = 300;

/** Sends a request, and leaves after a while, or when `until` is fulfilled. */
export async function leave(
  url: string,
  path: string,
  body: unknown,
  how: Leaver,
  until: () => Promise<void> = () => pause(LEAVE_MS),
): Promise<void> {
  const text = JSON.stringify(body);
  if (how === "fetch") return await abortFetch(`${url}${path}`, text, until);
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  if (how === "second") {
    await sendAll(connection, "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await connection.read(new Uint8Array(16_384));
  }
  const isChunked = how === "chunked";
  const length = isChunked ? "transfer-encoding: chunked" : `content-length: ${text.length}`;
  const head =
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;
  const framed = isChunked ? `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n` : text;
  await sendAll(connection, head + framed);
  await until();
}

async function abortFetch(url: string, body: string, until: () => Promise<void>): Promise<void> {
  const caller = new AbortController();
  const leaving = until().then(() => caller.abort());
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body, signal: caller.signal });
    await answer.body?.cancel();
    throw new Error(`It was answered ${answer.status} before its caller left`);
  } catch (thrown) {
    if (!caller.signal.aborted) throw thrown;
  } finally {
    await leaving;
  }
}

async function sendAll(connection: Deno.Conn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}
