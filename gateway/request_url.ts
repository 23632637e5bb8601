/**
 * The URL of a request, as it was sent: `Request` would resolve `..` in it, in any spelling.
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
