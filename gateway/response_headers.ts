/**
 * Headers that are added to answers.
 *
 * @module
 */
import { isWhole, SECURITY_HEADERS } from "../shared/responses.ts";

/** The answer with the security headers added. One that it already has keeps its own value. */
export function withSecurityHeaders(response: Response): Response {
  if (isWhole(response)) return response;
  return changeHeaders(response, (headers) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  });
}

/**
 * Changes the headers of an answer in place, so that its body stays text of a known length. An
 * answer with immutable headers is rebuilt.
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
