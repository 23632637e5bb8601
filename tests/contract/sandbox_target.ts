/**
 * The service of the contract tests of sandboxes: the one at `CONTRACT_URL`, or one that is
 * started for them, once for all files that are loaded together. They see nothing but answers to requests, in sandboxes of their own.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { ErrorResponse, ExecutionResult, Language } from "../../client/protocol/types.ts";
import type { ContextInfo } from "../../shared/sandbox_types.ts";
import { type Service, startService } from "../support/service.ts";
import { assertError, assertJsonHeaders } from "./assertions.ts";
import { inForms } from "./forms.ts";

/** The languages that have contexts. */
export const CONTEXT_LANGUAGES = ["javascript", "python", "perl"] as const;

/** A body of an answer whose fields are looked at one by one. */
export type Body = { readonly [field: string]: unknown };

/** A service and a way to new sandboxes. */
export interface SandboxTarget extends AsyncDisposable {
  /** Sends a request for a path. Runs are made in all forms. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request as it is. */
  plainCall(path: string, init?: RequestInit): Promise<Response>;
  /** A sandbox that did not exist; it is deleted in the end. */
  sandbox(id?: string): TargetSandbox;
}

let isShared = false;
let shared: Service | undefined;

/** Starts a service before the first test, unless one is given, and ends it after the last. */
export function shareService(): void {
  if (isShared || Deno.env.has("CONTRACT_URL")) return;
  isShared = true;
  Deno.test.beforeAll(async () => {
    shared = await startService();
  });
  Deno.test.afterAll(async () => await shared?.[Symbol.asyncDispose]());
}

/** The service under test, which {@link shareService} has started. */
export function sandboxTarget(): SandboxTarget {
  const url = Deno.env.get("CONTRACT_URL") ?? shared?.url;
  if (url === undefined) throw new Error("No service: call shareService() at the top of the file");
  const { origin } = new URL(url);
  const token = Deno.env.get("CONTRACT_TOKEN");
  const used = new Set<TargetSandbox>();
  const plainCall = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    return await fetch(`${origin}${path}`, { ...init, headers });
  };
  const call = inForms(plainCall);
  return {
    call,
    plainCall,
    sandbox: (id = crypto.randomUUID()) => {
      const sandbox = new TargetSandbox(call, id);
      used.add(sandbox);
      return sandbox;
    },
    [Symbol.asyncDispose]: async () => {
      for (const sandbox of used) await sandbox.delete();
    },
  };
}

/** One sandbox, seen through the paths of the gateway. */
export class TargetSandbox {
  readonly #call: SandboxTarget["call"];

  constructor(call: SandboxTarget["call"], readonly id: string) {
    this.#call = call;
  }

  /** Sends a request as it is. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    language: Language = "python",
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return await this.#call(`/languages/${language}/sandboxes/${this.id}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request that must succeed with that status; gives the body. */
  async ok(
    method: string,
    path: string,
    body?: unknown,
    { language = "python", status = 200 }: {
      readonly language?: Language;
      readonly status?: number;
    } = {},
  ): Promise<Body> {
    const response = await this.send(method, path, body, language);
    const text = await response.text();
    assertEquals(response.status, status, text);
    assertJsonHeaders(response);
    return JSON.parse(text);
  }

  /** Sends a request that must fail; gives the error. */
  async fails(
    [status, code]: readonly [number, string],
    method: string,
    path: string,
    body?: unknown,
    language: Language = "python",
  ): Promise<ErrorResponse> {
    return await assertError(await this.send(method, path, body, language), status, code);
  }

  /** Creates a context. */
  async context(language: Language, fields: Body = {}): Promise<ContextInfo> {
    const made = await this.ok("POST", "/contexts", fields, { language, status: 201 });
    assert(isContext(made));
    return made;
  }

  /** All contexts, of every language. */
  async contexts(): Promise<readonly ContextInfo[]> {
    const { contexts } = await this.ok("GET", "/contexts");
    assert(Array.isArray(contexts) && contexts.every(isContext));
    return contexts;
  }

  /** Runs code. */
  async run(language: Language, code: string, fields: Body = {}): Promise<ExecutionResult> {
    const response = await this.send("POST", "/execute", { code, ...fields }, language);
    const text = await response.text();
    assertEquals(response.status, 200, text);
    assertJsonHeaders(response);
    return JSON.parse(text);
  }

  /** Runs code that must succeed; gives its value, as text or what JSON says. */
  async value(language: Language, code: string, fields: Body = {}): Promise<unknown> {
    const { results: [entry], error } = await this.run(language, code, fields);
    assertEquals(error, undefined, code);
    return entry?.json ?? entry?.text;
  }

  /** One operation on files that must succeed. */
  async file(op: string, path: string, fields: Body = {}): Promise<Body> {
    return await this.ok("POST", "/files", { op, path, ...fields });
  }

  /** Deletes the sandbox. */
  async delete(): Promise<void> {
    assertEquals(await this.ok("DELETE", ""), { success: true });
  }
}

function isContext(value: unknown): value is ContextInfo {
  return typeof value === "object" && value !== null && "id" in value && "binding" in value;
}
