/**
 * Sends the requests of `requests.ts` and holds the answers against the document.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { DocumentedService } from "./documented.ts";
import type { DocumentedRequest } from "./requests.ts";

/** Sends a request for a path. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

/** Sends requests one after the other; each answer has the status it should, and conforms. */
export async function exchange(
  service: DocumentedService,
  send: Send,
  requests: readonly DocumentedRequest[],
): Promise<void> {
  let contextId = "";
  for (const request of requests) {
    const { method, path, query = "", status, code } = request;
    const answer = await send(`${pathOf(request, contextId)}${query}`, initOf(request, contextId));
    const body = await answer.clone().text();
    const what = `${method} ${path} ${JSON.stringify(request.body)?.slice(0, 200)}`;
    assertEquals(answer.status, status, `${what}: ${body.slice(0, 500)}`);
    if (code !== undefined) assertEquals(JSON.parse(body).code, code, what);
    if (status === 201 && body !== "") contextId = JSON.parse(body).id;
    await service.check(method, path, answer);
  }
}

function pathOf({ path, parameters = {} }: DocumentedRequest, contextId: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    return encodeURIComponent(name === "contextId" ? contextId : parameters[name] ?? "");
  });
}

function initOf({ method, body, headers }: DocumentedRequest, contextId: string): RequestInit {
  if (body === undefined) return { method, headers: { ...headers } };
  return {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body).replaceAll("{contextId}", contextId),
  };
}
