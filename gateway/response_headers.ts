/**
 * Headers of every answer. They keep a browser from interpreting an answer as another type of
 * content.
 *
 * @module
 */

/** An answer that already has one of these headers keeps its own value. */
const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["cross-origin-resource-policy", "same-origin"],
];

/** The answer with the security headers added. */
export function withSecurityHeaders(response: Response): Response {
  return changeHeaders(response, (headers) => {
    for (const [name, value] of SECURITY_HEADERS) {
      if (!headers.has(name)) headers.set(name, value);
    }
  });
}

/**
 * Changes the headers of an answer in place, so that its body stays text of a known length. An
 * answer from another machine has immutable headers and is rebuilt.
 */
export function changeHeaders(response: Response, change: (headers: Headers) => void): Response {
  try {
    change(response.headers);
    return response;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    const copy = new Response(response.body, response);
    change(copy.headers);
    return copy;
  }
}
