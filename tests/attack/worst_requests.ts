/**
 * The worst requests for a route: each limit at its end, by plain sockets.
 *
 * @module
 */
import { tokenHeader } from "./tokens.ts";
import { URL_LENGTH } from "../../shared/limits.ts";
import type { AttackedRoute, WorstBody } from "./routes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A request. */
export interface WorstRequest {
  readonly name: string;
  /** Its bytes, piece by piece. */
  readonly pieces: () => Iterable<Bytes>;
  /** How the connection goes on: the answer is read, or not, or does not come. */
  readonly then: "read" | "wait";
}

const ENCODER = new TextEncoder();
const ONE_BYTE_CHUNKS = 12_000;
/** More than the service takes of a refused body. */
const ENDLESS_BYTES = 17 * 1024 * 1024;
const PIECE = 64 * 1024;
/** Headers that a part of the service reads. */
const READ_HEADERS = [
  "accept",
  "authorization",
  "content-type",
  "cookie",
  "e2b-sandbox-id",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "mcp-protocol-version",
  "mcp-session-id",
  "origin",
  "range",
  "traceparent",
  "x-api-key",
];
const HEADER_LENGTH = 60_000;
/** Of `http://` and the host of a request, which the length of its URL includes. */
const ORIGIN_LENGTH = "http://127.0.0.1".length;
/** Texts that are repeated, and the end of the value. */
const HEADER_TEXTS = [[" ", "x"], [",", "x"], ['"', "x"], ["a=b;q=0.1,", ""], ["W/", '"']] as const;

/** Bodies that every route gets which reads one. */
function worstBodies(maxBytes: number): readonly WorstBody[] {
  const rest = maxBytes - 20;
  const members = '"a":0,'.repeat(Math.floor(rest / 6));
  return [
    { name: "one byte too many", body: " ".repeat(maxBytes + 1) },
    { name: "nested arrays", body: "[".repeat(maxBytes) },
    { name: "nested objects", body: '{"a":'.repeat(Math.floor(maxBytes / 5)) },
    { name: "many members", body: `{${members}"a":0}` },
    { name: "many values", body: `{"code":[${"0,".repeat(Math.floor(rest / 2))}0]}` },
    { name: "escapes", body: `{"code":"${"\\u0041".repeat(Math.floor(rest / 6))}"}` },
    { name: "quotes", body: `{"code":"${'\\"'.repeat(Math.floor(rest / 2))}"}` },
  ];
}

/** The worst requests, by a tenant or by somebody without a token. */
export function worstRequests(attacked: AttackedRoute, token?: string): readonly WorstRequest[] {
  const { maxBytes, bodies = [], large } = attacked;
  const sent = (body: WorstBody): WorstRequest => ({
    name: body.name,
    then: "read",
    pieces: () => whole(attacked, body, token),
  });
  const always = [
    sent({ name: "no body", body: "" }),
    longHeaders(attacked, token),
    longPath(attacked, token),
  ];
  const unread = large === undefined ? [] : [{
    ...sent({ name: "unread answer", body: large }),
    then: "wait" as const,
  }];
  if (maxBytes === 0) return [...always, ...unread, ...bodies.map(sent)];
  return [
    ...always,
    ...unread,
    ...worstBodies(maxBytes).map(sent),
    ...bodies.map(sent),
    { name: "chunks of one byte", then: "read", pieces: () => oneByteChunks(attacked, token) },
    { name: "no end of chunks", then: "wait", pieces: () => endless(attacked, token) },
    { name: "no last byte", then: "wait", pieces: () => unfinished(attacked, token) },
  ];
}

function head(
  { route, path, type = "application/json", headers = {} }: AttackedRoute,
  token: string | undefined,
  more: { readonly [name: string]: string },
): string {
  const [method] = route.split(" ");
  const all = { "content-type": type, ...headers, ...tokenHeader(token), ...more };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", "connection: close", ...lines, "", ""]
    .join("\r\n");
}

function* whole(
  attacked: AttackedRoute,
  { body, headers = {}, path = attacked.path }: WorstBody,
  token: string | undefined,
): Generator<Bytes> {
  const bytes = typeof body === "string" ? ENCODER.encode(body) : body;
  const length = { "content-length": String(bytes.length) };
  yield ENCODER.encode(head({ ...attacked, path }, token, { ...headers, ...length }));
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

const CHUNKED = { "transfer-encoding": "chunked" };

function* oneByteChunks(attacked: AttackedRoute, token: string | undefined): Generator<Bytes> {
  yield ENCODER.encode(head(attacked, token, CHUNKED));
  const count = Math.min(ONE_BYTE_CHUNKS, attacked.maxBytes - 1);
  yield ENCODER.encode("1\r\nx\r\n".repeat(count));
  yield ENCODER.encode("0\r\n\r\n");
}

function* endless(attacked: AttackedRoute, token: string | undefined): Generator<Bytes> {
  yield ENCODER.encode(head(attacked, token, CHUNKED));
  const chunk = ENCODER.encode(`${PIECE.toString(16)}\r\n${" ".repeat(PIECE)}\r\n`);
  for (let sent = 0; sent < ENDLESS_BYTES; sent += PIECE) yield chunk;
}

function* unfinished(attacked: AttackedRoute, token: string | undefined): Generator<Bytes> {
  const { maxBytes } = attacked;
  yield ENCODER.encode(head(attacked, token, { "content-length": String(maxBytes) }));
  const blanks = ENCODER.encode(" ".repeat(PIECE));
  for (let left = maxBytes - 1; left > 0; left -= PIECE) yield blanks.subarray(0, left);
}

/** Requests one after the other, each with one header as long as the server takes it. */
function longHeaders(attacked: AttackedRoute, token: string | undefined): WorstRequest {
  return {
    name: "long headers",
    then: "read",
    pieces: function* () {
      for (const name of READ_HEADERS) {
        for (const [repeated, end] of HEADER_TEXTS) {
          const value = `,${repeated.repeat(Math.floor(HEADER_LENGTH / repeated.length))}${end}`;
          const text = head(attacked, token, { [name]: value, "content-length": "0" });
          yield ENCODER.encode(text.replace("connection: close", "connection: keep-alive"));
        }
      }
      yield ENCODER.encode(head(attacked, token, { "content-length": "0" }));
    },
  };
}

function longPath(attacked: AttackedRoute, token: string | undefined): WorstRequest {
  return {
    name: "long paths",
    then: "read",
    pieces: function* () {
      for (const text of ["/%2e%2e", "/..", "/", "%", "?a=b&", "?%41%ff", "%ff"]) {
        const room = URL_LENGTH - ORIGIN_LENGTH - attacked.path.length;
        const path = attacked.path + text.repeat(Math.floor(room / text.length));
        const long = head({ ...attacked, path }, token, { "content-length": "0" });
        yield ENCODER.encode(long.replace("connection: close", "connection: keep-alive"));
      }
      yield ENCODER.encode(head(attacked, token, { "content-length": "0" }));
    },
  };
}
