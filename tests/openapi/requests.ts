/**
 * Requests whose answers are held against the document, in an order in which a sandbox can answer
 * them. They do not depend on what a language's programs mean, but for JavaScript and Python.
 *
 * @module
 */

import { EVENT_STREAM, NDJSON } from "../../client/protocol/run_events.ts";
import { WHEEL_PATH } from "../../gateway/client_files/routes.ts";

/** One request and the answer that is expected. */
export interface DocumentedRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As the document writes it. */
  readonly path: string;
  /** Values of the names in the path; `{contextId}` is that of the context made last. */
  readonly parameters?: { readonly [name: string]: string };
  /** Added to the path. */
  readonly query?: string;
  /** Sent as JSON. In a text `{contextId}` is filled in. */
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  readonly status: number;
  /** Of an error. */
  readonly code?: string;
}

/** Of routes without a sandbox. */
export const GATEWAY_REQUESTS: readonly DocumentedRequest[] = [
  { method: "GET", path: "/languages", status: 200 },
  { method: "GET", path: "/healthz", status: 200 },
  { method: "GET", path: "/readyz", status: 200 },
  { method: "GET", path: "/usage", status: 200 },
  { method: "GET", path: "/metrics", status: 403 },
  { method: "GET", path: "/openapi.json", status: 200 },
  { method: "GET", path: "/docs", status: 200 },
  { method: "GET", path: "/client.mjs", status: 200 },
  { method: "GET", path: "/client.d.ts", status: 200 },
  { method: "GET", path: "/client.tgz", status: 200 },
  { method: "GET", path: "/client.whl", status: 302 },
  { method: "GET", path: WHEEL_PATH, status: 200 },
  { method: "POST", path: "/execute", body: { code: "1 + 1" }, status: 200 },
  run({ code: "1 + 1", language: "ts", envVars: { A: "b", __proto__: "c", N: null } }, 200),
  run({ code: "1 + 1", limits: { fuel: 1_000_000_000, wallMs: 5_000 } }, 200),
  run({ code: "1", limits: { fuel: 2 ** 53 } }, 400),
  { ...run({ code: "1 + 1" }, 200), headers: { accept: NDJSON } },
  { ...run({ code: "1 + 1" }, 200), headers: { accept: EVENT_STREAM } },
  { ...run({ code: "" }, 400), headers: { accept: NDJSON } },
  run({ code: "" }, 400),
  run({ code: "1", language: "python" }, 400),
  run({ code: "1", input: {} }, 400),
  run({ code: "1", envVars: { "not a name": "1" } }, 400),
  run({ code: "é".repeat(40_000) }, 413),
  { ...run({ code: "1" }, 400), parameters: { language: "cobol" } },
  { ...run({ code: "1" }, 404), parameters: { language: "" } },
];

/** Of JavaScript programs: values, output, failures and limits. */
export const JAVASCRIPT_REQUESTS: readonly DocumentedRequest[] = [
  "[1, 2.5, null, { a: [true, 'x'] }, {}]",
  "undefined",
  "123n",
  "console.log('a\\n\\n☃'); console.error('b'); 'text'",
  "console.log('before'); throw new TypeError('no')",
  "const",
  "for (;;);",
  "console.log('x'.repeat(2_000_000))",
  "'x'.repeat(400_000)",
  "process.exit(3)",
  "({ n: 2 ** 53, m: -0, e: 1e400, __proto__: null, ['__proto__']: 1 })",
  "const a = []; for (;;) a.push(new Uint8Array(1 << 20));",
].map((code) => ({ ...run({ code }, 200), path: "/execute" }));

function run(body: unknown, status: number): DocumentedRequest {
  return {
    method: "POST",
    path: "/execute/{language}",
    parameters: { language: "javascript" },
    body,
    status,
    ...(status < 400 ? {} : { code: "VALIDATION_FAILED" }),
  };
}

const SANDBOX = "/languages/{language}/sandboxes/{id}";

/** Of the routes of a sandbox whose language is Python; it must not exist before. */
export function sandboxRequests(id: string): readonly DocumentedRequest[] {
  const parameters = { language: "python", id };
  const requests: readonly DocumentedRequest[] = [
    { method: "GET", path: SANDBOX, status: 200 },
    ...contextRequests(),
    ...fileRequests(),
    ...fileBytesRequests(),
    ...listingRequests(),
    ...envRequests(),
    { method: "GET", path: SANDBOX, status: 200 },
    { ...inner("GET", "/contexts", undefined, 200) },
    { ...inner("DELETE", "/contexts/{contextId}", undefined, 200) },
    { ...inner("DELETE", "/contexts/{contextId}", undefined, 404, "CONTEXT_NOT_FOUND") },
    { method: "GET", path: SANDBOX, headers: { "x-sandbox-id": "other" }, ...refused },
    { method: "DELETE", path: SANDBOX, status: 200 },
    { method: "DELETE", path: SANDBOX, status: 200 },
  ];
  return requests.map((request) => ({ parameters, ...request }));
}

const refused = { status: 400, code: "VALIDATION_FAILED" } as const;

function inner(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body: unknown,
  status: number,
  code?: string,
): DocumentedRequest {
  const request = { method, path: `${SANDBOX}${path}`, status };
  return {
    ...request,
    ...(body === undefined ? {} : { body }),
    ...(code === undefined ? {} : { code }),
  };
}

function contextRequests(): readonly DocumentedRequest[] {
  const post = (body: unknown, status: number, code?: string) =>
    inner("POST", "/contexts", body, status, code);
  const execute = (body: unknown, status: number, code?: string) =>
    inner("POST", "/execute", body, status, code);
  return [
    post({ cwd: "/workspace/none" }, 400, "VALIDATION_FAILED"),
    post({ envVars: { A: "1".repeat(40_000) } }, 413, "VALIDATION_FAILED"),
    inner("POST", "/notebook", { nbformat: 4, cells: [] }, 201),
    inner("POST", "/notebook", { nbformat: 3 }, 400, "VALIDATION_FAILED"),
    inner("GET", "/contexts/{contextId}/notebook", undefined, 200),
    inner("POST", "/contexts/{contextId}/inspect", {}, 400, "VALIDATION_FAILED"),
    inner("DELETE", "/contexts/{contextId}", undefined, 200),
    inner("GET", "/contexts/{contextId}/notebook", undefined, 404, "CONTEXT_NOT_FOUND"),
    inner("GET", "/contexts/{contextId}/variables", undefined, 404, "CONTEXT_NOT_FOUND"),
    post({ envVars: { A: "1", B: null } }, 201),
    execute({ code: "x = 40" }, 200),
    execute({ code: "x", contextId: "{contextId}" }, 200),
    execute({ code: "x", limits: { fuel: 1_000_000_000 } }, 200),
    execute({ code: "x", limits: { memory: 1 } }, 400, "VALIDATION_FAILED"),
    execute({ code: "x", contextId: "none" }, 404, "CONTEXT_NOT_FOUND"),
    execute({ code: "x", cwd: "/" }, 400, "VALIDATION_FAILED"),
    ...repeatRequests(),
    { ...execute({ code: "1" }, 400, "VALIDATION_FAILED"), parameters: at("cobol") },
    { ...execute({ code: "1" }, 400, "VALIDATION_FAILED"), parameters: at("python", "-") },
  ];
}

/** After three runs in the context. */
function repeatRequests(): readonly DocumentedRequest[] {
  const execute = (
    code: string,
    headers: { readonly [name: string]: string },
    status: number,
    error?: string,
  ) => ({ ...inner("POST", "/execute", { code }, status, error), headers });
  const keyed = { "idempotency-key": "one" };
  return [
    execute("x", keyed, 200),
    execute("x", { ...keyed, "if-match": '"0"' }, 200),
    execute("x + 1", keyed, 409, "CONFLICT"),
    execute("x", { "idempotency-key": "two words" }, 400, "VALIDATION_FAILED"),
    execute("x", { "if-match": '"4", "5"' }, 200),
    execute("x", { "if-match": '"4"' }, 412, "PRECONDITION_FAILED"),
    execute("x", { "if-match": "5" }, 400, "VALIDATION_FAILED"),
  ];
}

function at(language: string, id = "documented"): { readonly [name: string]: string } {
  return { language, id };
}

function envRequests(): readonly DocumentedRequest[] {
  return [
    inner("POST", "/env", { envVars: { A: "1", B: null } }, 200),
    inner("POST", "/env", { envVars: { "1": "1" } }, 400, "VALIDATION_FAILED"),
    inner("POST", "/env", { envVars: { A: "1".repeat(40_000) } }, 413, "VALIDATION_FAILED"),
  ];
}

function fileRequests(): readonly DocumentedRequest[] {
  const file = (body: unknown, status: number, code?: string) =>
    inner("POST", "/files", body, status, code);
  const large = "x".repeat(4 * 1024 * 1024 + 1);
  const full = [0, 1, 2, 3].map((n) =>
    file({ op: "write", path: `big${n}`, content: large.slice(1) }, n < 3 ? 200 : 507)
  ).map((request) => request.status === 507 ? { ...request, code: "NO_SPACE" } : request);
  return [
    file({ op: "mkdir", path: "d" }, 200),
    file({ op: "mkdir", path: "d" }, 409, "FILE_EXISTS"),
    file({ op: "write", path: "d/a.txt", content: "text" }, 200),
    file({ op: "write", path: "d/b", content: "AP8=", encoding: "base64" }, 200),
    file({ op: "read", path: "d/a.txt" }, 200),
    file({ op: "read", path: "d/b" }, 200),
    file({ op: "read", path: "none" }, 404, "FILE_NOT_FOUND"),
    file({ op: "read", path: "d" }, 400, "IS_DIRECTORY"),
    file({ op: "list", path: "d/a.txt" }, 400, "NOT_DIRECTORY"),
    file({ op: "list", path: ".", recursive: true }, 200),
    file({ op: "stat", path: "d" }, 200),
    file({ op: "exists", path: "none" }, 200),
    file({ op: "exists", path: "../etc" }, 403, "PERMISSION_DENIED"),
    file({ op: "rename", path: "d/a.txt", newPath: "c" }, 200),
    file({ op: "move", path: "d", newPath: "d/e" }, 400, "FILESYSTEM_ERROR"),
    file({ op: "write", path: "large", content: large }, 413, "FILE_TOO_LARGE"),
    ...full,
    file({ op: "copy", path: "a" }, 400, "VALIDATION_FAILED"),
    file({ op: "delete", path: "d", recursive: true }, 200),
  ];
}

function fileBytesRequests(): readonly DocumentedRequest[] {
  const of = (path: string) => ({ language: "python", id: "documented", path });
  const bytes = (
    method: DocumentedRequest["method"],
    path: string,
    status: number,
    rest: Partial<DocumentedRequest> = {},
  ): DocumentedRequest => (
    { method, path: `${SANDBOX}/files/{path}`, parameters: of(path), status, ...rest }
  );
  const another = { headers: { "if-match": '"other"' } };
  const put = { body: { n: 1 } };
  return [
    bytes("PUT", "b/a.json", 201, put),
    bytes("PUT", "b/a.json", 204, put),
    bytes("PUT", "b/a.json", 412, { ...put, ...another, code: "PRECONDITION_FAILED" }),
    bytes("PUT", "b", 400, { ...put, code: "IS_DIRECTORY" }),
    bytes("PUT", "b/a.json/c", 400, { ...put, code: "NOT_DIRECTORY" }),
    bytes("PUT", "../a", 403, { ...put, code: "PERMISSION_DENIED" }),
    bytes("PUT", "a\0", 400, { ...put, code: "FILESYSTEM_ERROR" }),
    bytes("PUT", "c", 400, { ...put, headers: { "if-match": "c" }, code: "VALIDATION_FAILED" }),
    bytes("PUT", "c", 415, {
      ...put,
      headers: { "content-encoding": "gzip" },
      code: "VALIDATION_FAILED",
    }),
    bytes("PUT", "c", 413, { body: "x".repeat(5 * 1024 * 1024), code: "FILE_TOO_LARGE" }),
    bytes("PUT", "c", 507, { body: "x".repeat(4 * 1024 * 1024 - 2), code: "NO_SPACE" }),
    bytes("GET", "b/a.json", 200),
    bytes("GET", "b/a.json", 206, { headers: { range: "bytes=1-" } }),
    bytes("GET", "b/a.json", 304, { headers: { "if-none-match": "*" } }),
    bytes("GET", "b/a.json", 412, { ...another, code: "PRECONDITION_FAILED" }),
    bytes("GET", "b/a.json", 416, {
      headers: { range: "bytes=99-" },
      code: "VALIDATION_FAILED",
    }),
    bytes("GET", "none", 404, { code: "FILE_NOT_FOUND" }),
    bytes("DELETE", "b/a.json", 204),
    bytes("DELETE", "b/a.json", 404, { code: "FILE_NOT_FOUND" }),
  ];
}

function listingRequests(): readonly DocumentedRequest[] {
  const list = (query: string, status: number): DocumentedRequest => ({
    method: "GET",
    path: "/sandboxes",
    query,
    status,
    ...(status === 200 ? {} : { code: "VALIDATION_FAILED" }),
  });
  return [
    list("", 200),
    list("?limit=1", 200),
    list("?limit=101", 400),
    list("?cursor=other", 400),
  ];
}
