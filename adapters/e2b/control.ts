/**
 * The control plane: create, find, list, connect to, prolong and kill sandboxes.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { ENV_PATH } from "../../client/protocol/paths.ts";
import { validationFailed } from "../../shared/errors.ts";
import { E2B_LIMITS } from "../../shared/limits.ts";
import { jsonResponse } from "../../shared/responses.ts";
import { decodedSegment } from "../../shared/request_path.ts";
import type { TermInfo } from "../../shared/sandbox_terms.ts";
import { sandboxPath } from "../../shared/service_calls.ts";
import { bodyOf } from "./body.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";
import { notImplemented, passedOn, refused } from "./errors.ts";

/** Default time until a new sandbox ends, in seconds. */
const DEFAULT_TIMEOUT_S = 300;
/** The SDKs choose their requests by it. From 0.4.0 on they send no user names. */
const ENVD_VERSION = "0.5.7";
const TEMPLATE = "code-interpreter-v1";
const MIB = 1024 * 1024;
const CLIENT = "belljar";
/** The SDKs send a token even to a service that needs none. */
const NO_TOKEN = "none";
/**
 * An SDK without `E2B_SANDBOX_URL` sends code and token to a host in this domain instead of the
 * company's own. No such host can exist (RFC 6761), and the name says the cure.
 */
const DOMAIN = "set-e2b-sandbox-url.invalid";

const timeoutSchema = z.int("timeout must be a whole number of seconds")
  .min(0, "timeout must not be negative")
  .max(E2B_LIMITS.timeoutS, `timeout must be at most ${E2B_LIMITS.timeoutS} seconds`);
const texts = (name: string) =>
  z.record(z.string(), z.string(`${name} must hold strings`), `${name} must be an object`)
    .nullish();
const createSchema = z.object({
  templateID: z.string("templateID must be a string").optional(),
  timeout: timeoutSchema.nullish(),
  metadata: texts("metadata"),
  envVars: texts("envVars"),
});
const connectSchema = z.object({ timeout: timeoutSchema.nullish() });
const endSchema = z.object({ timeout: timeoutSchema });

/** Answers a request to the control plane. */
export async function controlCall(request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const { method, path } = request;
  const [resource, id, action, ...more] = path[0] === "v2" ? path.slice(1) : path;
  if (resource !== "sandboxes" || more.length > 0) {
    return notImplemented("The service has sandboxes only");
  }
  switch (`${method} ${id === undefined ? "" : ":id"}${action === undefined ? "" : `/${action}`}`) {
    case "POST ":
      return await create(request, ports);
    case "GET ":
      return await list(request, ports);
    case "GET :id":
      return found(id, await ports.terms.find(id ?? ""), (info) => infoOf(info, ports));
    case "DELETE :id":
      return await kill(id ?? "", request, ports);
    case "POST :id/timeout":
      return await setEnd(id ?? "", request, ports);
    case "POST :id/connect":
      return await connect(id ?? "", request, ports);
    default:
      return refused({ status: 501, message: "The service does not have this part of E2B" });
  }
}

async function create(request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const { timeout, metadata, envVars, templateID } = bodyOf(request, createSchema);
  const labels = metadata ?? {};
  if (new TextEncoder().encode(JSON.stringify(labels)).length > E2B_LIMITS.metadataBytes) {
    throw validationFailed(`metadata is larger than ${E2B_LIMITS.metadataBytes} bytes`);
  }
  const key = request.headers.get("idempotency-key");
  const id = key === null ? newId() : idOf(key);
  const endAt = ports.now() + (timeout ?? DEFAULT_TIMEOUT_S) * 1000;
  const isNew = await ports.terms.begin(id, { endAt, metadata: labels });
  if (envVars !== undefined && envVars !== null && Object.keys(envVars).length > 0) {
    const path = sandboxPath(firstOf(ports), id, ENV_PATH);
    const set = await ports.call({ method: "POST", path, body: { envVars } }, request.signal);
    if (!set.ok) {
      if (isNew) await remove(id, request, ports);
      return await passedOn(set);
    }
  }
  return jsonResponse(accessOf(id, request, templateID), { status: 201 });
}

/** An id of lower-case letters and digits, as host names have them. */
function newId(): string {
  return `i${crypto.randomUUID().replaceAll("-", "").slice(0, 19)}`;
}

/** The same key gives the same sandbox. Tenants have sandboxes of their own. */
function idOf(key: string): string {
  return `i${createHash("sha256").update(key).digest("hex").slice(0, 19)}`;
}

function accessOf(id: string, { token = NO_TOKEN }: E2bRequest, template = TEMPLATE) {
  return {
    templateID: template,
    sandboxID: id,
    clientID: CLIENT,
    domain: DOMAIN,
    envdVersion: ENVD_VERSION,
    envdAccessToken: token,
    trafficAccessToken: token,
  };
}

async function list({ query }: E2bRequest, ports: E2bPorts): Promise<Response> {
  const states = query.getAll("state").flatMap((text) => text.split(","));
  if (states.length > 0 && !states.includes("running")) return jsonResponse([]);
  const { sandboxes, cursor } = await ports.terms.list({
    limit: query.getAll("limit"),
    cursor: query.getAll("nextToken"),
    metadata: labelsIn(query.get("metadata") ?? ""),
  });
  const headers = cursor === undefined ? {} : { "x-next-token": cursor };
  return jsonResponse(sandboxes.map((info) => infoOf(info, ports)), { headers });
}

/** The labels in a query. The SDKs escape names and values twice. */
function labelsIn(text: string): { readonly [name: string]: string } {
  const pairs = [...new URLSearchParams(text)].map((pair) => pair.map(decodedSegment));
  return Object.fromEntries(pairs);
}

/** `endAt` of a sandbox that never expires: the last second of the year 9999. */
const NEVER = 253_402_300_799_000;

function infoOf({ id, startedAt, endAt, metadata }: TermInfo, { limits }: E2bPorts) {
  return {
    templateID: TEMPLATE,
    sandboxID: id,
    clientID: CLIENT,
    domain: DOMAIN,
    startedAt: new Date(startedAt).toISOString(),
    endAt: new Date(endAt ?? NEVER).toISOString(),
    envdVersion: ENVD_VERSION,
    cpuCount: 1,
    memoryMB: Math.floor(limits.memoryBytes / MIB),
    diskSizeMB: Math.floor(limits.workspaceBytes / MIB),
    state: "running",
    metadata,
  };
}

function found(
  id: string | undefined,
  info: TermInfo | undefined,
  shown: (info: TermInfo) => unknown,
): Response {
  return info === undefined ? missing(id) : jsonResponse(shown(info));
}

function missing(id: string | undefined): Response {
  return refused({ status: 404, message: `There is no sandbox ${JSON.stringify(id)}` });
}

async function kill(id: string, request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const info = await ports.terms.find(id);
  if (info === undefined) return missing(id);
  const answer = await remove(id, request, ports);
  return answer.ok ? new Response(null, { status: 204 }) : await passedOn(answer);
}

async function remove(id: string, { signal }: E2bRequest, ports: E2bPorts): Promise<Response> {
  const path = sandboxPath(firstOf(ports), id, "");
  return await ports.call({ method: "DELETE", path }, signal);
}

async function setEnd(id: string, request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const { timeout } = bodyOf(request, endSchema);
  const info = await ports.terms.end(id, ports.now() + timeout * 1000, false);
  return info === undefined ? missing(id) : new Response(null, { status: 204 });
}

/** Connects to a sandbox. The end can only move further away. */
async function connect(id: string, request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const { timeout } = bodyOf(request, connectSchema);
  const endAt = ports.now() + (timeout ?? 0) * 1000;
  const info = await ports.terms.end(id, endAt, true);
  return found(id, info, () => accessOf(id, request));
}

/** The path of a call that runs no code may name any language. */
function firstOf({ languages: [first] }: E2bPorts): string {
  return first ?? "";
}
