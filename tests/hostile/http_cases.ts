/**
 * Requests that no honest client sends, made from a seed: methods, paths, percent-encodings,
 * headers and bodies, valid ones mixed with broken ones so that they get far into the service.
 *
 * @module
 */

import { EVENT_STREAM, NDJSON } from "../../client/protocol/run_events.ts";

/** One request, before it is sent. */
export interface HttpCase {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

type Random = () => number;

const METHODS = [
  "GET",
  "POST",
  "POST",
  "POST",
  "POST",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "PUT",
  "PUT",
  "PATCH",
];
const FILE_METHODS = ["PUT", "PUT", "GET", "GET", "HEAD", "DELETE", "PATCH"];
const LANGUAGES = [
  "javascript",
  "python",
  "perl",
  "ruby",
  "Python",
  "py",
  "cobol",
  "__proto__",
  "",
];
const SEGMENTS = [
  "execute",
  "languages",
  "sandboxes",
  "sandboxes?limit=1",
  "contexts",
  "files",
  "env",
  "healthz",
  "interpreter",
  "interpreters",
  "docs",
  "openapi.json",
];
const ODD_TEXTS = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%00",
  "%ff",
  "%C0%AF",
  "%",
  "%zz",
  "%25%32%66",
  "%F0%9F%98%80",
  "%ED%A0%80",
  "__proto__",
  "constructor",
  "toString",
  "*",
  ":id",
  "a;b",
  "a b",
  "(.*)",
  "é",
  "x".repeat(3_000),
  "-".repeat(64),
  "\u202e",
];
const NAMES = [
  "code",
  "envVars",
  "limits",
  "stdin",
  "language",
  "input",
  "binding",
  "contextId",
  "cwd",
  "op",
  "path",
  "newPath",
  "content",
  "encoding",
  "recursive",
  "force",
  "includeHidden",
  "__proto__",
  "constructor",
  "toString",
  "",
  "\u0000",
  "\ud800",
];
const RUN_PATHS = ["/execute", "/execute/python", "/languages/perl/sandboxes/streams/execute"];
/** Standard input as JSON has it. */
const INPUTS = ['""', '"a\\n"', '"\\u0000\\ud800"', "null", "1", "[]", `"${"x".repeat(70_000)}"`];
/** As JSON has them. */
const AMOUNTS = ["1", "1e3", "1e300", "1e999", "-1", "0.5", "null", "9".repeat(400), '"1"'];
const TEXTS = [
  "1",
  "",
  "\u0000",
  "\ud83d",
  "write",
  "read",
  "mkdir",
  "delete",
  "rename",
  "move",
  "list",
  "exists",
  "stat",
  "base64",
  "utf-8",
  "/workspace/a",
  "/workspace/../etc/passwd",
  "..",
  "a/b/c",
  "PYTHON",
  "python",
  "typescript",
  "__proto__",
  "x".repeat(5_000),
  "\u202e\ufeff\ufffe",
  "=",
];
const TYPES = [
  "application/json",
  "application/json",
  "application/json",
  "application/json",
  "application/json; charset=utf-8",
  "application/json; charset=latin1",
  "application/json;;;",
  'application/json; a="',
  "APPLICATION/JSON",
  "text/plain",
  "multipart/form-data; boundary=x",
  "",
  "a".repeat(1_000),
];
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ["x-sandbox-id", ["box", "other", "\u00ff", "", "x".repeat(2_000)]],
  ["x-belljar-tenant", ["other", "__proto__"]],
  ["content-encoding", ["identity", "gzip", "br, gzip", "IDENTITY"]],
  ["accept", ["text/html", "*/*;q=0", "\u00e9", `${NDJSON};q=0, */*`, `${NDJSON};q=x`]],
  ["accept-encoding", ["gzip, br", "*;q=0"]],
  ["origin", ["null", "https://evil.example", "http://localhost", "file://", "%"]],
  ["access-control-request-method", ["POST", "*", "\u00e9"]],
  ["access-control-request-headers", ["authorization", "x".repeat(900)]],
  ["authorization", [
    "Bearer",
    "Bearer x",
    "Basic Og==",
    "\u00ff".repeat(40),
    "Bearer a, Bearer b",
  ]],
  ["x-http-method-override", ["DELETE"]],
  ["x-forwarded-host", ["evil.example"]],
  ["cookie", ["a=b; __proto__=c"]],
  ["idempotency-key", ["a", "b", "", "a b", "\u00ff", "x".repeat(256), "__proto__"]],
  ["if-none-match", ["*", '"a"', 'W/"a", "b"', "a", "", '"'.repeat(900), "*, *"]],
  ["if-match", [
    "*",
    '"a"',
    '"0"',
    '"1", "2"',
    'W/"0"',
    "0",
    ",,,",
    "\u00ff",
    `"${"a".repeat(900)}"`,
  ]],
  ["if-range", ['"a"', "Sat, 31 Jan 2026 09:30:00 GMT", ""]],
  ["range", ["bytes=0-0", "bytes=9-", "bytes=-1", "bytes=0-,1-", `bytes=${"9".repeat(400)}-`, "x"]],
  ["content-range", ["bytes 0-0/1"]],
];

/** The last of the headers: conditions and ranges. */
const CONDITIONS = 5;

/** A case. The same random numbers give the same case. */
export function httpCase(random: Random): HttpCase {
  if (random() < 0.05) return streamedRun(random);
  const isOfFile = random() < 0.15;
  const method = pick(random, isOfFile ? FILE_METHODS : METHODS);
  const body = method === "GET" || method === "HEAD" ? undefined : bodyOf(random);
  const path = isOfFile ? filePathOf(random) : pathOf(random);
  const conditions = isOfFile && random() < 0.4 ? [pick(random, HEADERS.slice(-CONDITIONS))] : [];
  const headers = conditions.map(([name, values]) => [name, pick(random, values)] as const);
  return { method, path, headers: [...headersOf(random), ...headers], body };
}

/** A run with valid fields, most of the time, whose answer is to be a stream. */
function streamedRun(random: Random): HttpCase {
  const fields = ['"code":"1"'];
  if (random() < 0.5) fields.push(`"stdin":${pick(random, INPUTS)}`);
  if (random() < 0.3) fields.push(`"limits":{"fuel":${pick(random, AMOUNTS)}}`);
  const accept = pick(random, [NDJSON, EVENT_STREAM, `${NDJSON};q=0.5, ${EVENT_STREAM}`]);
  return {
    method: "POST",
    path: pick(random, RUN_PATHS),
    headers: [...headersOf(random), ["accept", accept]],
    body: new TextEncoder().encode(`{${fields.join()}}`),
  };
}

function pathOf(random: Random): string {
  const language = () => odd(random, pick(random, LANGUAGES));
  const sandbox = () => `/languages/${language()}/sandboxes/${odd(random, "box")}`;
  const id = () => odd(random, "00000000-0000-0000-0000-000000000000");
  const path = pick(random, [
    () => "/execute",
    () => `/execute/${language()}`,
    () => "/languages",
    () => "/healthz",
    sandbox,
    () => `${sandbox()}/`,
    () => `${sandbox()}/${odd(random, pick(random, ["execute", "contexts", "env", "files"]))}`,
    () => `${sandbox()}/execute`,
    () => `${sandbox()}/files`,
    () => `${sandbox()}/contexts/${id()}`,
    () => `/sandboxes?limit=${odd(random, "5")}&cursor=${odd(random, "")}`,
    () => `/sandboxes?limit=${1 + int(random, 120)}`,
    () =>
      `/${
        Array.from({ length: 1 + int(random, 6) }, () => odd(random, pick(random, SEGMENTS))).join(
          "/",
        )
      }`,
  ])();
  return random() < 0.1 ? `${path}?${odd(random, "a=b")}` : path;
}

/** The path of a file, of few enough names that some of them are there. */
function filePathOf(random: Random): string {
  const names = ["a", "b.json", "..", ".", "", "%2F", "d"];
  const rest = Array.from({ length: 1 + int(random, 3) }, () => odd(random, pick(random, names)));
  const path = random() < 0.5 ? "a" : rest.join(pick(random, ["/", "%2F"]));
  return `/languages/${odd(random, "python")}/sandboxes/${odd(random, "box")}/files/${path}`;
}

function headersOf(random: Random): [string, string][] {
  const headers: [string, string][] = [];
  if (random() < 0.95) headers.push(["content-type", pick(random, TYPES)]);
  while (random() < 0.3) {
    const [name, values] = pick(random, HEADERS);
    headers.push([name, pick(random, values)]);
  }
  return headers;
}

function bodyOf(random: Random): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder();
  return pick(random, [
    () => text.encode(JSON.stringify(objectOf(random))),
    () => text.encode(JSON.stringify(objectOf(random))),
    () => text.encode(JSON.stringify(objectOf(random))),
    () => text.encode(withDuplicates(random)),
    () => text.encode(JSON.stringify(valueOf(random, 0)) ?? ""),
    () => text.encode("[".repeat(int(random, 40_000))),
    () => text.encode(`{"code":${'{"a":'.repeat(int(random, 9_000))}1`),
    () => text.encode(JSON.stringify({ code: "1" }).slice(0, int(random, 12))),
    () => text.encode(`\ufeff${JSON.stringify({ code: "x".repeat(int(random, 70_000)) })}`),
    () => text.encode(" ".repeat(int(random, 120_000))),
    () => text.encode(`{"code":"1","envVars":{"A":1e999,"B":-0,"C":${"9".repeat(400)}}}`),
    () => text.encode(`{"code":"1","limits":${JSON.stringify(valueOf(random, 0)) ?? "1"}}`),
    () => text.encode(`{"code":"1","limits":{"fuel":${pick(random, AMOUNTS)},"wallMs":5}}`),
    () => text.encode(`{"code":"1","stdin":${pick(random, INPUTS)}}`),
    () => Uint8Array.from({ length: int(random, 300) }, () => int(random, 256)),
    () => new Uint8Array(),
  ])();
}

function objectOf(random: Random): { readonly [name: string]: unknown } {
  const fields = Array.from({ length: int(random, 6) }, () => [
    pick(random, NAMES),
    valueOf(random, 0),
  ]);
  const valid = random() < 0.5 ? [["code", "1"], ["op", pick(random, TEXTS)], ["path", "a"]] : [];
  return Object.fromEntries([...valid, ...fields]);
}

/** JSON text with duplicate names. */
function withDuplicates(random: Random): string {
  const fields = Array.from(
    { length: 2 + int(random, 6) },
    () =>
      `${JSON.stringify(pick(random, NAMES.slice(0, 4)))}:${JSON.stringify(valueOf(random, 0))}`,
  );
  return `{${fields.join()}}`;
}

function valueOf(random: Random, depth: number): unknown {
  return pick<() => unknown>(random, [
    () => pick(random, TEXTS),
    () => pick(random, TEXTS),
    () => int(random, 2 ** 31),
    () => random() < 0.5,
    () => null,
    () => depth > 3 ? [] : Array.from({ length: int(random, 4) }, () => valueOf(random, depth + 1)),
    () =>
      depth > 3 ? {} : Object.fromEntries(
        Array.from(
          { length: int(random, 4) },
          () => [pick(random, NAMES), valueOf(random, depth + 1)],
        ),
      ),
  ])();
}

/** The text, or occasionally something else. */
function odd(random: Random, text: string): string {
  const chance = random();
  if (chance < 0.75) return text;
  if (chance < 0.95) return pick(random, ODD_TEXTS);
  return `${text}${pick(random, ODD_TEXTS)}`;
}

function int(random: Random, below: number): number {
  return Math.floor(random() * below);
}

function pick<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[int(random, choices.length)];
  if (chosen === undefined) throw new RangeError("nothing to choose from");
  return chosen;
}
