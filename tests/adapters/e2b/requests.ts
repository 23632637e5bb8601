/**
 * Requests of E2B's protocol, and one service for the tests of a file.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { sharedService } from "../../support/shared_service.ts";

export const LANGUAGES = "javascript,python";
/** Keys of tenants, of which each test takes its own. */
const KEYS = Array.from({ length: 16 }, (_, n) => `e2b_a${n.toString(16)}`);
export const TOKENS = KEYS.map((key, n) => `tenant${n}:${key}`).join();
export const UNKNOWN_KEY = "e2b_cc";

/** A tenant of a service. */
export interface Tenant {
  readonly url: string;
  readonly key: string;
}

let taken = 0;

/** The key of a tenant without sandboxes. */
export function newKey(): string {
  const key = KEYS[taken++];
  assert(key !== undefined, "more tests than tenants");
  return key;
}

const shared = sharedService({ LANGUAGES, TOKENS });

/** A tenant of the service of all tests, without sandboxes. */
export function newTenant(): Tenant {
  return { url: shared().url, key: newKey() };
}

export interface Sent {
  readonly key?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly json?: unknown;
  readonly body?: BodyInit;
}

/** Sends a request with the headers of the SDKs; gives status, headers and parsed body. */
export async function send(tenant: Tenant, line: string, { key = tenant.key, ...sent }: Sent = {}) {
  const [method = "", path = ""] = line.split(" ");
  const answer = await fetch(`${tenant.url}/e2b${path}`, {
    method,
    headers: {
      "x-api-key": key,
      ...(sent.json === undefined ? {} : { "content-type": "application/json" }),
      ...sent.headers,
    },
    ...(sent.json === undefined ? {} : { body: JSON.stringify(sent.json) }),
    ...(sent.body === undefined ? {} : { body: sent.body }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

export function parsed({ text }: { readonly text: string }) {
  return JSON.parse(text);
}

export async function create(tenant: Tenant, json: unknown = {}, sent: Sent = {}): Promise<string> {
  const answer = await send(tenant, "POST /v2/sandboxes", { ...sent, json });
  assertEquals(answer.status, 201, answer.text);
  return parsed(answer).sandboxID;
}

export function inside(sandbox: string): { readonly [name: string]: string } {
  return { "e2b-sandbox-id": sandbox };
}

/** Runs code and gives the events of the answer. */
export async function run(
  tenant: Tenant,
  sandbox: string,
  fields: { readonly [name: string]: unknown },
) {
  const answer = await send(tenant, "POST /execute", { headers: inside(sandbox), json: fields });
  assertEquals(answer.status, 200, answer.text);
  return answer.text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** The text of the value of the last expression. */
export async function valueOf(
  tenant: Tenant,
  sandbox: string,
  fields: { readonly [name: string]: unknown },
) {
  const events = await run(tenant, sandbox, fields);
  return events.find(({ is_main_result }) => is_main_result)?.text;
}
