/**
 * Calls one sandbox of a service over HTTP, by one language, and looks into its store.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { ErrorResponse, ExecutionResult } from "../../client/protocol/types.ts";
import type { KvStore } from "../../store/kv.ts";
import { openStore } from "../../store/open.ts";
import type { SandboxInfo } from "../../shared/sandbox_types.ts";
import type { GuestLanguage } from "./kill_guests.ts";
import { KillableService } from "./kill_service.ts";

/** How a request differs from `POST` without a body. */
export interface CallInit {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The answer to a run. */
export type RunAnswered =
  | { readonly ok: true; readonly status: 200; readonly result: ExecutionResult }
  | { readonly ok: false; readonly status: number; readonly error: ErrorResponse };

/** Calls one sandbox. */
export class ContextCaller {
  readonly #url: string;
  readonly #language: GuestLanguage;
  readonly #name: string;
  readonly #token: string | undefined;

  constructor(url: string, language: GuestLanguage, name = "box", token?: string) {
    this.#url = url;
    this.#language = language;
    this.#name = name;
    this.#token = token;
  }

  async send(path: string, { method = "POST", body, signal }: CallInit = {}): Promise<Response> {
    return await fetch(`${this.#url}/languages/${this.#language}/sandboxes/${this.#name}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** A run in the default context, or in another, whatever comes of it. */
  async run(code: string, init: CallInit & { contextId?: string } = {}): Promise<RunAnswered> {
    const { contextId, ...rest } = init;
    const body = contextId === undefined ? { code } : { code, contextId };
    const answer = await this.send("/execute", { ...rest, body });
    if (answer.status === 200) return { ok: true, status: 200, result: await answer.json() };
    return { ok: false, status: answer.status, error: await answer.json() };
  }

  /** A run that must be answered 200. */
  async result(code: string, contextId?: string): Promise<ExecutionResult> {
    const answer = await this.run(code, contextId === undefined ? {} : { contextId });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.result;
  }

  /** The value of a run that must succeed. */
  async value(code: string, contextId?: string): Promise<unknown> {
    const { results, error } = await this.result(code, contextId);
    assertEquals(error, undefined);
    const [value] = results;
    return value?.json ?? value?.text;
  }

  /** The text of a file; undefined when there is none. */
  async text(path: string): Promise<string | undefined> {
    const answer = await this.send("/files", { body: { op: "read", path } });
    const { content } = await answer.json();
    return answer.status === 404 ? undefined : content;
  }

  async info(): Promise<SandboxInfo> {
    return await (await this.send("/", { method: "GET" })).json();
  }

  /** Runs so far in the first context. */
  async executions(): Promise<number> {
    return (await this.info()).contexts[0]?.executions ?? 0;
  }

  /** Deletes a context, or all. */
  async remove(path = "/"): Promise<number> {
    const answer = await this.send(path, { method: "DELETE" });
    await answer.body?.cancel();
    return answer.status;
  }
}

/** Services over one file, and the file. */
export interface ServicesAndStore {
  readonly urls: readonly string[];
  readonly kv: KvStore;
}

/** Lease time of {@link withServices}, in milliseconds. */
export const TEST_LEASE_MS = 1_500;

/** Starts processes over one new file of data, and ends them. */
export async function withServices(
  count: number,
  env: Readonly<Record<string, string>>,
  test: (services: ServicesAndStore) => Promise<void>,
  leaseMs = TEST_LEASE_MS,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const services: KillableService[] = [];
  const kvPath = `${folder}/data.sqlite3`;
  try {
    for (let index = 0; index < count; index++) {
      services.push(await KillableService.start({ kvPath, leaseMs, env }));
    }
    const kv = await openStore(kvPath);
    try {
      await test({ urls: services.map(({ url }) => url), kv });
    } finally {
      kv.close();
    }
  } finally {
    for (const service of services) await service[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  }
}
