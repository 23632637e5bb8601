/**
 * Requests that are rebuilt before they are answered. Their URL stays as it was sent: `Request`
 * would resolve `..` in it, in any spelling.
 *
 * @module
 */

/** A host that a URL may contain. Any other stays in the header, for the Host check. */
export const PLAIN_HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** A copy of a request with some changes and with its URL as sent. */
export function requestLike(request: Request, changes: RequestInit): Request {
  const { signal, url } = request;
  return withUrl(new Request(request, { signal, ...changes }), url);
}

/** Gives a request a URL that stays as it is written. */
export function withUrl(request: Request, url: string): Request {
  return Object.defineProperty(request, "url", { value: url });
}

/** Methods that `Request` refuses (Fetch standard, forbidden methods). */
const FORBIDDEN: readonly string[] = ["CONNECT", "TRACE", "TRACK"];
/** A method that no route has either, so the answer is the same: 405. */
const UNKNOWN = "UNKNOWN";

/** The method itself, or one that no route has if the method cannot be forwarded. */
export function forwardedMethod(method: string): string {
  return FORBIDDEN.includes(method.toUpperCase()) ? UNKNOWN : method;
}

/** Answers a request. `HEAD` is answered as `GET`, without the body. */
export async function answeringHead(
  request: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  if (request.method !== "HEAD") return await answer(request);
  const headers = new Headers(request.headers);
  headers.delete("range"); // is for `GET` only (RFC 9110, 14.2)
  return await withoutBody(await answer(requestLike(request, { method: "GET", headers })));
}

/**
 * The length is that of the body (RFC 9110, 8.6); an answer without a body would be sent with a
 * length of 0.
 */
async function withoutBody(answer: Response): Promise<Response> {
  if (answer.body === null) return answer;
  const { status, headers } = answer;
  const bare = new Response(null, { status, headers });
  if (headers.has("content-length")) await answer.body.cancel();
  else bare.headers.set("content-length", String((await answer.arrayBuffer()).byteLength));
  return bare;
}
