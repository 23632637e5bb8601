/**
 * The listing of a tenant's sandboxes (docs/contract.md#listing-of-sandboxes).
 *
 * @module
 */
import type { TenantUsage } from "./protocol/sandbox_types.ts";
import type { SandboxNamespace } from "./bindings.ts";
import { type Call, type Endpoint, makeCall } from "./call.ts";
import { bindingFailure } from "./errors.ts";
import type { JsonShape } from "./json_shape.ts";
import { SANDBOXES_PATH } from "./protocol/paths.ts";
import type { RequestOptions } from "./request_options.ts";
import { checkPageSize } from "./validation.ts";

/**
 * The sandboxes of a service at a URL: found by name, and listed.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await getSandbox(env.Sandbox, "scratch").files.upload("notes.txt", "hello");
 * for await (const { id, files, bytes } of env.Sandbox.list()) {
 *   console.log(`${id}: ${files} files, ${bytes} bytes`);
 * }
 * ```
 */
export interface SandboxDirectory extends SandboxNamespace {
  /**
   * All sandboxes of the token's tenant, in order of id. Each page is requested when it is needed.
   * A sandbox that exists throughout comes once, even if others are created or deleted meanwhile.
   *
   * The iteration rejects with a `SandboxError`. Each iteration begins anew.
   */
  list(options?: ListSandboxesOptions): AsyncIterable<SandboxSummary>;
  /** The tenant's use of its quotas. */
  usage(options?: RequestOptions): Promise<TenantUsage>;
}

/** Options of `env.Sandbox.list()`. `timeout` is that of each page. */
export interface ListSandboxesOptions extends RequestOptions {
  /** Sandboxes per page, 1 to 100. All pages are read. @default {50} */
  readonly limit?: number | undefined;
}

/** A sandbox in the listing. */
export interface SandboxSummary {
  /** The name that it is found by. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: Date;
  /** When it was last used; listing it is no use. */
  readonly lastUsed: Date;
  /** When it is deleted unless it is used before, in epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Number of contexts. */
  readonly contexts: number;
  /** Number of files. */
  readonly files: number;
  /** Total length of the files, in bytes. */
  readonly bytes: number;
}

/** All sandboxes, page by page. */
export function listSandboxes(
  endpoint: Endpoint,
  options: ListSandboxesOptions = {},
): AsyncIterable<SandboxSummary> {
  return { [Symbol.asyncIterator]: () => summaries(endpoint, options) };
}

async function* summaries(
  endpoint: Endpoint,
  options: ListSandboxesOptions,
): AsyncGenerator<SandboxSummary, void> {
  const { limit } = options;
  if (limit !== undefined) checkPageSize(limit);
  let cursor: string | undefined;
  do {
    const page: Page = await makeCall(endpoint, pageCall(limit, cursor), options);
    yield* page.sandboxes;
    if (page.cursor !== undefined && page.cursor === cursor) {
      throw bindingFailure("The listing of sandboxes leads to the same page again");
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** The tenant's use of its quotas. */
export async function readUsage(
  endpoint: Endpoint,
  options?: RequestOptions,
): Promise<TenantUsage> {
  return (await makeCall(endpoint, pageCall(1, undefined), options)).usage;
}

interface Page {
  readonly sandboxes: readonly SandboxSummary[];
  readonly cursor: string | undefined;
  readonly usage: TenantUsage;
}

function pageCall(limit: number | undefined, cursor: string | undefined): Call<Page> {
  const query = new URLSearchParams({
    ...(limit === undefined ? {} : { limit: `${limit}` }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const path = `${query}` === "" ? SANDBOXES_PATH : `${SANDBOXES_PATH}?${query}`;
  return { method: "GET", path, status: 200, read: readPage };
}

function readPage(body: JsonShape): Page {
  const usage = body.object("usage");
  return {
    sandboxes: body.list("sandboxes", readSummary),
    cursor: body.has("cursor") ? body.string("cursor") : undefined,
    usage: {
      sandboxes: usage.number("sandboxes"),
      maxSandboxes: usage.number("maxSandboxes"),
      bytes: usage.number("bytes"),
      maxBytes: usage.number("maxBytes"),
    },
  };
}

function readSummary(sandbox: JsonShape): SandboxSummary {
  return {
    id: sandbox.string("id"),
    createdAt: sandbox.date("createdAt"),
    lastUsed: sandbox.date("lastUsed"),
    expiresAt: sandbox.nullable("expiresAt", (key) => sandbox.number(key)),
    contexts: sandbox.number("contexts"),
    files: sandbox.number("files"),
    bytes: sandbox.number("bytes"),
  };
}
