/**
 * All routes of the service, each with what its worst requests need. A route of the service's
 * description that is not here fails the test.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { JUPYTER_LIMITS } from "../../shared/jupyter_limits.ts";
import { WHEEL_PATH } from "../../gateway/client_files/routes.ts";
import { ANSWERS_BYTES } from "../../runs/answers.ts";
import {
  E2B_LIMITS,
  SANDBOX_LIMITS,
  SHARED_LIMITS,
  WORKSPACE_LIMITS,
} from "../../shared/limits.ts";

const MIB = 1024 * 1024;

/** A body that is the worst one of its kind for a route. */
export interface WorstBody {
  readonly name: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: { readonly [name: string]: string };
  readonly path?: string;
}

/** A route under attack. */
export interface AttackedRoute {
  /** As in the service's description, or as `adapters/e2b/` reads it. */
  readonly route: string;
  /** The path of its requests. `CONTEXT` and `CHECKPOINT` are replaced by ids. */
  readonly path: string;
  /** Most bytes of a body; 0: the route reads none. */
  readonly maxBytes: number;
  /** Media type of a body. @default {"application/json"} */
  readonly type?: string;
  readonly headers?: { readonly [name: string]: string };
  /** A body that is answered with much, which is then not read. */
  readonly large?: string;
  /** Bodies besides those that every route gets. */
  readonly bodies?: readonly WorstBody[];
}

/** The sandbox of the attacker, with thousands of entries. */
export const BOX = "/languages/javascript/sandboxes/big";
const RUN = SHARED_LIMITS.requestBytes;
const FILE = SANDBOX_LIMITS.fileRequestBytes;
const PLAIN: AttackedRoute = { route: "", path: "", maxBytes: 0 };
const LIST = JSON.stringify({
  op: "list",
  path: "/workspace",
  recursive: true,
  includeHidden: true,
});
const LARGE_RUN = JSON.stringify({
  code: 'process.stdout.write("\\u0001".repeat(1_048_000)); 1',
});

function bare(route: string, path: string): AttackedRoute {
  return { ...PLAIN, route, path };
}

function json(
  route: string,
  path: string,
  maxBytes = RUN,
  more: Partial<AttackedRoute> = {},
): AttackedRoute {
  return { ...PLAIN, route, path, maxBytes, ...more };
}

/** A notebook with as many cells as a body of so many bytes has room for. */
function manyCells(bytes: number): string {
  const cell = '{"cell_type":"code","source":""}';
  const cells = Array.from({ length: Math.floor(bytes / (cell.length + 1)) - 2 }, () => cell);
  return `{"nbformat":4,"cells":[${cells.join()}]}`;
}

const SANDBOX = "/languages/{language}/sandboxes/{id}";

/** The routes of runs that wait, and of tools, for a tenant or below a sandbox. */
function runRoutes(route: string, path: string): readonly AttackedRoute[] {
  return [
    bare(`GET ${route}/runs`, `${path}/runs`),
    bare(`GET ${route}/runs/{run}`, `${path}/runs/none`),
    bare(`DELETE ${route}/runs/{run}`, `${path}/runs/none`),
    json(`POST ${route}/runs/{run}/answers`, `${path}/runs/none/answers`, ANSWERS_BYTES),
    bare(`GET ${route}/journal/{run}`, `${path}/journal/none`),
    bare(`GET ${route}/tools`, `${path}/tools?as=typescript`),
    json(`POST ${route}/tools`, `${path}/tools?as=typescript`),
  ];
}

const OWN: readonly AttackedRoute[] = [
  json("POST /execute", "/execute", RUN, { large: LARGE_RUN }),
  json("POST /execute/{language}", "/execute/javascript", RUN, { large: LARGE_RUN }),
  bare("GET /languages", "/languages"),
  bare("GET /healthz", "/healthz"),
  bare("GET /readyz", "/readyz"),
  bare("GET /usage", "/usage"),
  bare("GET /metrics", "/metrics"),
  ...runRoutes("", ""),
  bare("GET /openapi.json", "/openapi.json"),
  bare("GET /docs", "/docs"),
  bare("GET /client.mjs", "/client.mjs"),
  bare("GET /client.d.ts", "/client.d.ts"),
  bare("GET /client.tgz", "/client.tgz"),
  bare("GET /client.whl", "/client.whl"),
  bare(`GET ${WHEEL_PATH}`, WHEEL_PATH),
  bare("GET /sandboxes", "/sandboxes"),
  json(`POST ${SANDBOX}/contexts`, `${BOX}/contexts`),
  bare(`GET ${SANDBOX}/contexts`, `${BOX}/contexts`),
  bare(`DELETE ${SANDBOX}/contexts/{contextId}`, `${BOX}/contexts/none`),
  json(`POST ${SANDBOX}/execute`, `${BOX}/execute`, RUN, { large: LARGE_RUN }),
  json(`POST ${SANDBOX}/env`, `${BOX}/env`),
  json(`POST ${SANDBOX}/files`, `${BOX}/files`, FILE, { large: LIST }),
  bare(`GET ${SANDBOX}`, BOX),
  ...runRoutes(SANDBOX, BOX),
  bare(`DELETE ${SANDBOX}`, "/languages/javascript/sandboxes/none"),
  json(`POST ${SANDBOX}/contexts/{contextId}/fork`, `${BOX}/contexts/none/fork`),
  bare(`GET ${SANDBOX}/contexts/{contextId}/history`, `${BOX}/contexts/none/history`),
  json(`POST ${SANDBOX}/notebook`, `${BOX}/notebook`, FILE, {
    bodies: [{ name: "cells", body: manyCells(FILE) }],
  }),
  bare(`GET ${SANDBOX}/contexts/{contextId}/notebook`, `${BOX}/contexts/none/notebook`),
  bare(`GET ${SANDBOX}/contexts/{contextId}/variables`, `${BOX}/contexts/none/variables`),
  json(`POST ${SANDBOX}/contexts/{contextId}/inspect`, `${BOX}/contexts/none/inspect`),
  json(`POST ${SANDBOX}/fork`, `${BOX}/fork`),
  json(`POST ${SANDBOX}/checkpoints`, `${BOX}/checkpoints`),
  bare(`GET ${SANDBOX}/checkpoints`, `${BOX}/checkpoints`),
  bare(`DELETE ${SANDBOX}/checkpoints/{checkpointId}`, `${BOX}/checkpoints/none`),
  bare(`POST ${SANDBOX}/checkpoints/{checkpointId}/restore`, `${BOX}/checkpoints/none/restore`),
  bare(`GET ${SANDBOX}/files/{path}`, `${BOX}/files/large`),
  json(`PUT ${SANDBOX}/files/{path}`, `${BOX}/files/put`, WORKSPACE_LIMITS.fileBytes, {
    type: "application/octet-stream",
  }),
  bare(`DELETE ${SANDBOX}/files/{path}`, `${BOX}/files/none`),
];

/** A message that calls a tool. */
function call(name: string, given: { readonly [field: string]: unknown }): string {
  return JSON.stringify(message(1, name, given));
}

function message(id: number, name: string, given: { readonly [field: string]: unknown }) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } };
}

function batch(make: (id: number) => unknown): string {
  return JSON.stringify(Array.from({ length: 100 }, (_, id) => make(id)));
}

const MCP: AttackedRoute = json("POST /mcp", "/mcp", FILE, {
  headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-03-26" },
  large: call("list_files", { sandbox: "big", path: "/workspace/d" }),
  bodies: [
    {
      name: "batch of lists of tools",
      body: batch((id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
    },
    { name: "batch of unknown tools", body: batch((id) => message(id, "none", {})) },
    {
      name: "batch of lists of files",
      body: batch((id) => message(id, "list_files", { sandbox: "big", path: "/workspace/d" })),
    },
    { name: "list of tools", body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
    { name: "list of files", body: call("list_files", { sandbox: "big", path: "/workspace/d" }) },
    {
      name: "large file",
      body: call("read_file", { sandbox: "big", path: "large", limit: 4 * MIB }),
    },
    {
      name: "large run",
      body: call("run_code", { language: "javascript", ...JSON.parse(LARGE_RUN) }),
    },
  ],
});

const BOUNDARY = "x";

function form(parts: number): WorstBody {
  const part = (at: number) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="f${at}"\r\n\r\n1\r\n`;
  return {
    name: `form of ${parts} parts`,
    body: `${Array.from({ length: parts }, (_, at) => part(at)).join("")}--${BOUNDARY}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    path: "/e2b/files",
  };
}

function packed(mebibytes: number): WorstBody {
  return {
    name: `${mebibytes} MiB of zeros, packed`,
    body: new Uint8Array(gzipSync(new Uint8Array(mebibytes * MIB))),
    headers: { "content-encoding": "gzip", "content-type": "application/octet-stream" },
  };
}

function e2b(
  route: string,
  path: string,
  more: Partial<AttackedRoute> = {},
): AttackedRoute {
  const [method] = route.split(" ");
  const headers = { "e2b-sandbox-id": "big", ...more.headers };
  const most = path.startsWith("/files") ? FILE : E2B_LIMITS.requestBytes;
  const maxBytes = method === "GET" ? 0 : most;
  return { ...PLAIN, route, path: `/e2b${path}`, maxBytes, ...more, headers };
}

const RPC = "/filesystem.Filesystem";
const DEEP_LIST = JSON.stringify({ path: "/workspace", depth: 100 });

const E2B: readonly AttackedRoute[] = [
  e2b("POST /e2b/sandboxes/none/timeout", "/sandboxes/none/timeout"),
  e2b("POST /e2b/sandboxes/none/connect", "/sandboxes/none/connect"),
  e2b("POST /e2b/sandboxes", "/sandboxes"),
  e2b("GET /e2b/v2/sandboxes", "/v2/sandboxes"),
  e2b("GET /e2b/sandboxes/{id}", "/sandboxes/big"),
  e2b("DELETE /e2b/sandboxes/{id}", "/sandboxes/none"),
  e2b("GET /e2b/health", "/health"),
  e2b("POST /e2b/execute", "/execute", {
    large: JSON.stringify({ ...JSON.parse(LARGE_RUN), language: "javascript" }),
  }),
  e2b("POST /e2b/contexts", "/contexts"),
  e2b("GET /e2b/contexts", "/contexts"),
  e2b("DELETE /e2b/contexts/{id}", "/contexts/none"),
  e2b("POST /e2b/contexts/{id}/restart", "/contexts/none/restart"),
  e2b("GET /e2b/files", "/files?path=large"),
  e2b("POST /e2b/files", "/files?path=put", {
    type: "application/octet-stream",
    bodies: [form(255), form(20_000), packed(200)],
  }),
  e2b("POST /e2b/ListDir", `${RPC}/ListDir`, {
    large: DEEP_LIST,
    bodies: [{ name: "list of all", body: DEEP_LIST }],
  }),
  e2b("POST /e2b/Stat", `${RPC}/Stat`),
  e2b("POST /e2b/MakeDir", `${RPC}/MakeDir`),
  e2b("POST /e2b/Move", `${RPC}/Move`),
  e2b("POST /e2b/Remove", `${RPC}/Remove`),
  e2b("POST /e2b/process", "/process.Process/Start"),
];

function jupyter(route: string): AttackedRoute {
  const [method = "", path = ""] = route.split(" ");
  const maxBytes = method === "GET" ? 0 : JUPYTER_LIMITS.requestBytes;
  return { ...PLAIN, route, path: path.replaceAll("{id}", "none"), maxBytes };
}

const JUPYTER: readonly AttackedRoute[] = [
  jupyter("GET /jupyter/api"),
  jupyter("GET /jupyter/api/kernelspecs"),
  jupyter("GET /jupyter/api/kernels"),
  jupyter("POST /jupyter/api/kernels"),
  jupyter("GET /jupyter/api/kernels/{id}"),
  jupyter("DELETE /jupyter/api/kernels/{id}"),
  jupyter("POST /jupyter/api/kernels/{id}/interrupt"),
  jupyter("POST /jupyter/api/kernels/{id}/restart"),
  jupyter("GET /jupyter/api/kernels/{id}/channels"),
  jupyter("GET /jupyter/api/sessions"),
  jupyter("POST /jupyter/api/sessions"),
  jupyter("PATCH /jupyter/api/sessions/{id}"),
  jupyter("GET /jupyter/api/status"),
  jupyter("GET /jupyter/api/me"),
];

/** The routes of the service's description. */
export const DESCRIBED: readonly AttackedRoute[] = [...OWN, MCP];

/** All routes, those of `/e2b`, `/jupyter` and one that is none included. */
export const ROUTES: readonly AttackedRoute[] = [
  ...DESCRIBED,
  ...E2B,
  ...JUPYTER,
  bare("GET /", "/"),
  json("POST /none", "/none"),
];

/** A program that makes the attacker's sandbox: long lists, and a large file. */
export const FILL_BOX = `
  const fs = require("fs");
  const deep = "/workspace/" + "a".repeat(240) + "/" + "b".repeat(240) + "/" + "c".repeat(240);
  fs.mkdirSync(deep, { recursive: true });
  fs.mkdirSync("/workspace/d");
  for (let n = 0; n < 2_000; n++) fs.mkdirSync(deep + "/" + n + "d".repeat(230));
  for (let n = 0; n < 2_000; n++) fs.mkdirSync("/workspace/d/" + n);
  fs.writeFileSync("/workspace/large", "x".repeat(4 * 1024 * 1024));`;
