/**
 * The path of a request: as it was sent, and as routes are found by it.
 *
 * @module
 */
import { getPath } from "hono/utils/url";

/** Line breaks, which the patterns of routes do not match. */
const LINE_BREAKS = /[\n\r\u2028\u2029]/g;

/**
 * The path as it was sent: nothing is decoded, and no `..` is resolved. A URL would resolve it, in
 * any spelling.
 */
export function sentPath({ url }: Request): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const path = url.slice(start === -1 ? url.length : start);
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** The path by which Hono finds a route: the same as by default, without line breaks. */
export function routingPath(request: Request): string {
  return getPath(request).replace(LINE_BREAKS, encodeURIComponent);
}

/** An escaped text, such as a segment of a path, decoded once. A text with an invalid escape stays. */
export function decodedSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (thrown) {
    if (thrown instanceof URIError) return text;
    throw thrown;
  }
}
