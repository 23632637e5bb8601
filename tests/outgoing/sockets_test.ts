/**
 * The service opens connections to other hosts in one folder only.
 */
import { assert, assertEquals } from "@std/assert";
import { bareCode, type SourceFile, sourceFiles, specifiersOf } from "../support/source_files.ts";

/** Forms that open a connection, and modules that can. */
const CONNECTS = [
  /\bDeno\s*\.\s*(?:connect\w*|startTls|createHttpClient|resolveDns)\b/,
  /(?<![.\w#])fetch\((?!\w+\??: )/,
  /\bglobalThis\s*\.\s*fetch\b/,
  /\bnew\s+(?:WebSocket|WebSocketStream|EventSource|WebTransport)\b/,
];
const NETWORK_MODULES = /^(?:node:(?:dgram|dns|http|http2|https|net|tls)(?:\/.*)?|undici|pg)$/;

/** Files that may: outgoing requests, the store, downloads of the builder, and loopback to our own processes. */
const CONNECTED = [
  /^outgoing\/(?:connections|look_up)\.ts$/,
  /^store\/postgres\//,
  /^runtimes\/builder\/command\/download\.ts$/,
  /^runtimes\/pool\/isolate_(?:connection|process)\.ts$/,
  /^gateway\/disconnects\.ts$/,
];

/** Files that are no part of the service, or run in browsers, at callers or in guests. */
const ELSEWHERE =
  /^(?:adapters\/[^/]+\/client|bench|client|clients|docs|examples|page|tests|third_party)\/|^runtimes\/languages\/javascript\/guest\//;

function connects(file: SourceFile): boolean {
  const code = bareCode(file.text);
  return CONNECTS.some((form) => form.test(code)) ||
    specifiersOf(file).some((specifier) => NETWORK_MODULES.test(specifier));
}

Deno.test("outgoing: nothing else opens connections to other hosts", () => {
  const program = sourceFiles().filter(({ path }) => /\.tsx?$/.test(path) && !ELSEWHERE.test(path));
  const found = program.filter(connects).map(({ path }) => path);
  assertEquals(found.filter((path) => !CONNECTED.some((allowed) => allowed.test(path))), []);
  for (const allowed of CONNECTED) assert(found.some((path) => allowed.test(path)), `${allowed}`);
});

Deno.test("outgoing: forms that connect are recognised", () => {
  const forms = [
    "await fetch(url)",
    "x => fetch(x)",
    "Deno.connectTls({})",
    "new WebSocket(u)",
    'import http from "node:http";',
    'await import("undici")',
    "globalThis.fetch",
  ];
  for (const text of forms) assert(connects({ path: "a.ts", text }), text);
  for (const text of ["app.fetch(r)", "fetch(request: Request): R;", "// fetch(u)", '"fetch("']) {
    assert(!connects({ path: "a.ts", text }), text);
  }
});
