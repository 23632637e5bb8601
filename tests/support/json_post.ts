/**
 * Requests with JSON.
 *
 * @module
 */

/** The init of a `POST` with a value as JSON. */
export function jsonPost(body: unknown, headers: Record<string, string> = {}) {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  } satisfies RequestInit;
}
