/**
 * A `Request` of what came over `node:http`.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";

/** What a URL may be made with; anything else stays in the header, for the Host check to see. */
const PLAIN_HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;
/** Methods without a body, and those that `Request` does not take. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "TRACE"]);

/** Makes the request; undefined when it has headers that no `Request` can have. */
export function requestOf(
  incoming: IncomingMessage,
  /** Address and port at this end, for a request that names no host. */
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

/**
 * A copy of a request with some things changed, and with its URL as it was sent: `Request` would
 * resolve `..` in it, however it is written.
 */
export function requestLike(request: Request, changes: RequestInit): Request {
  return withUrl(new Request(request, changes), request.url);
}

function withUrl(request: Request, url: string): Request {
  return Object.defineProperty(request, "url", { value: url });
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

/** Bytes are taken from the connection as they are read; who sends on meanwhile has to wait. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  let over = false;
  return new ReadableStream({
    start(controller) {
      incoming.pause();
      incoming.on("data", (piece: Uint8Array) => {
        if (over) return;
        controller.enqueue(new Uint8Array(piece)); // a copy: a piece is a part of a larger buffer
        incoming.pause();
      });
      incoming.on("end", () => {
        if (!over) controller.close();
        over = true;
      });
      const onBroken = () => {
        if (!over) controller.error(new Error("The request broke off"));
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
