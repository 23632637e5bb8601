/**
 * Two tenants of one service: `alpha` takes what it can get, `beta` wants its short runs answered.
 *
 * @module
 */
import type { Service } from "./service.ts";
import { runHeaders } from "./storm.ts";

/** Their tokens, as a variable of the service. */
export const TWO_TENANTS = { TOKENS: "a:alpha,b:beta" };

/** The sandbox of `alpha`. */
export const BIG_BOX = "/languages/javascript/sandboxes/big";

/**
 * A program that makes 4,000 directories with long paths. A list of them has nearly 10 MB, which is
 * more than a tenant's share of unread answers.
 */
export const FILL = `
  const fs = require("fs");
  const deep = "/workspace/" + "a".repeat(240) + "/" + "b".repeat(240) + "/" + "c".repeat(240);
  fs.mkdirSync(deep, { recursive: true });
  for (let n = 0; n < 4_000; n++) fs.mkdirSync(deep + "/" + n + "d".repeat(230));
  fs.readdirSync(deep).length`;

/** The body of a file call that lists all of them. */
export const LIST = { op: "list", path: "/workspace", recursive: true, includeHidden: true };

/** A program whose answer has some 6 MiB of JSON. */
export const LARGE_OUTPUT = { code: 'process.stdout.write("\\u0001".repeat(1_048_000)); 1' };

/** A request of one of them. */
export function post(
  { url }: Service,
  token: "alpha" | "beta",
  path: string,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: runHeaders(token),
    body: JSON.stringify(body),
    ...init,
  });
}

/** Sends a request of `alpha` whose answer is not read. The caller closes the connection. */
export async function sendUnread(
  { url }: Service,
  path: string,
  body: unknown,
): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    "Authorization: Bearer alpha",
    "Content-Type: application/json",
    `Content-Length: ${text.length}`,
  ];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${text}`));
  return connection;
}
