/**
 * `HEAD`: the answer to `GET` without its body, and with that body's length.
 *
 * @module
 */

import { requestLike } from "./request_url.ts";

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
