/**
 * Makes a `Request` from a `node:http` message.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import { PLAIN_HOST, withUrl } from "./request_url.ts";

/** Methods without a body, and those that `Request` refuses. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "TRACE"]);

/** Makes the request; undefined when it has headers that a `Request` cannot have. */
export function requestOf(
  incoming: IncomingMessage,
  /** Local address and port, for a request that names no host. */
  own: string,
  signal: AbortSignal,
): Request | undefined {
  const { method = "GET" } = incoming;
  const headers = headersOf(incoming.rawHeaders);
  if (headers === undefined) return undefined;
  const isBodiless = BODILESS.has(method) || !hasBody(headers);
  const request = new Request("http://localhost/", {
    method: method === "TRACE" ? "GET" : method,
    headers,
    signal,
    body: isBodiless ? null : bodyOf(incoming),
  });
  if (method === "TRACE") Object.defineProperty(request, "method", { value: method });
  return withUrl(request, urlOf(incoming.url ?? "/", headers.get("host") ?? "", own));
}

function headersOf(raw: readonly string[]): Headers | undefined {
  const headers = new Headers();
  try {
    for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? "", raw[i + 1] ?? "");
    return headers;
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

function hasBody(headers: Headers): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
}

function urlOf(url: string, host: string, own: string): string {
  if (/^https?:\/\//i.test(url)) return url;
  const authority = PLAIN_HOST.test(host) ? host : own;
  return `http://${authority}${url.startsWith("/") ? url : `/${url}`}`;
}

/** Takes bytes from the connection only as they are read, so a fast sender has to wait. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  let over = false;
  return new ReadableStream({
    start(controller) {
      incoming.pause();
      incoming.on("data", (piece: Uint8Array) => {
        if (over) return;
        controller.enqueue(new Uint8Array(piece)); // a copy: the chunk is part of a larger buffer
        incoming.pause();
      });
      incoming.on("end", () => {
        if (!over) controller.close();
        over = true;
      });
      const onBroken = () => {
        if (!over) controller.error(new Error("The request is incomplete"));
        over = true;
      };
      incoming.on("error", onBroken);
      incoming.on("close", onBroken);
    },
    pull: () => void incoming.resume(),
    cancel: () => {
      over = true;
    },
  }, { highWaterMark: 0 });
}
