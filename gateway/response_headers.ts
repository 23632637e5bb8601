/**
 * Headers that every answer has, whoever made it: they keep a browser from taking an answer for
 * something else than it is.
 *
 * @module
 */

/** An answer with a header of one of these names of its own keeps it. */
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
 * Changes the headers of an answer in place, so that its body stays text of a known length; only
 * an answer that came from another machine, whose headers cannot be changed, is made anew.
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
