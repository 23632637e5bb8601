/**
 * The last message of a stream of the Connect protocol. The service has no such streams, but a
 * client that requests one understands an error only in this form.
 *
 * @module
 */

/** Flag of the last message. */
const END = 2;

/** A stream that ends with an error. */
export function endOfStream(error: { readonly code: string; readonly message: string }): Response {
  const json = new TextEncoder().encode(JSON.stringify({ error }));
  const message = new Uint8Array(5 + json.length);
  message[0] = END;
  new DataView(message.buffer).setUint32(1, json.length);
  message.set(json, 5);
  return new Response(message, {
    headers: { "content-type": "application/connect+json", "cache-control": "no-store" },
  });
}
