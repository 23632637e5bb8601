/** Sandboxes for tests: over a store in memory and fake runtimes, accessed only through `fetch`. */
import { assertEquals } from "@std/assert";
import { Admission } from "../../gateway/admission.ts";
import { createSandboxes, type Sandboxes, type SandboxesOptions } from "../../sandbox/sandboxes.ts";
import type { KvStore } from "../../store/kv.ts";
import { LeaseTable } from "../../store/lease.ts";
import { ADMISSION_LIMITS } from "../../shared/limits.ts";
import { systemTimers } from "../../shared/timers.ts";
import { assertError } from "../contract/assertions.ts";
import { withTestStore } from "../support/test_store.ts";
import { FakeRuntime } from "./fake_runtime.ts";

/** The runtimes, by binding. */
export interface FakeRuntimes {
  readonly PYTHON: FakeRuntime;
  readonly PERL: FakeRuntime;
  readonly RUBY: FakeRuntime;
}

/** New runtimes; Ruby has no contexts. */
export function fakeRuntimes(): FakeRuntimes {
  return {
    PYTHON: new FakeRuntime("python"),
    PERL: new FakeRuntime("perl"),
    RUBY: new FakeRuntime("ruby", { contexts: false }),
  };
}

/** Options that differ from the defaults. */
export type ProcessOptions = Partial<SandboxesOptions> & {
  readonly runtimes?: FakeRuntimes;
  readonly leaseMs?: number;
};

/** The sandboxes of one process over a store. */
export function sandboxProcess(store: KvStore, options: ProcessOptions = {}): Sandboxes {
  const { runtimes = fakeRuntimes(), leaseMs = 10_000, clock = Date.now, ...others } = options;
  const { timers = systemTimers } = others;
  const owner = crypto.randomUUID();
  return createSandboxes({
    store,
    leases: new LeaseTable({ kv: store, owner, ttlMs: leaseMs, clock, timers }),
    bindings: new Map(Object.entries(runtimes)),
    admission: new Admission(ADMISSION_LIMITS),
    clock,
    log: () => undefined,
    ...others,
  });
}

/** A body of an answer whose fields are read one by one. */
export type Body = { readonly [field: string]: unknown };

/** Calls one sandbox. */
export class Caller {
  readonly #sandboxes: Sandboxes;
  readonly #name: string;
  readonly #tenant: string;

  constructor(sandboxes: Sandboxes, name = "box", tenant = "default") {
    this.#sandboxes = sandboxes;
    this.#name = name;
    this.#tenant = tenant;
  }

  /** Sends a request as the client does. */
  async send(method: string, path: string, body?: unknown, init: RequestInit = {}) {
    const object = this.#sandboxes.forTenant(this.#tenant).get(this.#name);
    return await object.fetch(
      new Request(`https://sandbox.internal${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...init,
        headers: {
          "content-type": "application/json",
          "x-sandbox-id": this.#name,
          ...init.headers,
        },
      }),
    );
  }

  /** Sends a request that must succeed. Returns the body. */
  async ok(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await this.send(method, path, body);
    const value = await response.json();
    assertEquals([response.status === 200 || response.status === 201, value], [true, value]);
    return value;
  }

  /** Sends a request that must fail. Returns the body. */
  async fails(
    status: number,
    code: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Body> {
    return await assertFailure(await this.send(method, path, body), status, code);
  }

  /** Runs code in a context, or in the default context of Python. */
  async run(code: string, contextId?: string): Promise<Body> {
    const where = contextId === undefined ? { binding: "PYTHON" } : { contextId };
    return await this.ok("POST", "/execute", { code, ...where });
  }

  /** One operation on files that must succeed. */
  async file(op: string, path: string, fields: Body = {}): Promise<Body> {
    return await this.ok("POST", "/files", { op, path, ...fields });
  }

  /** The text of a file. */
  async text(path: string): Promise<unknown> {
    return (await this.file("read", path))["content"];
  }

  /** Paths of everything in the workspace. */
  async paths(): Promise<readonly string[]> {
    const { files } = await this.file("list", "/workspace", {
      recursive: true,
      includeHidden: true,
    });
    return Array.isArray(files) ? files.map((file) => String(file.absolutePath)) : [];
  }

  /** Creates a context. Returns its id. */
  async context(fields: Body = {}): Promise<string> {
    return String((await this.ok("POST", "/contexts", { binding: "PYTHON", ...fields }))["id"]);
  }
}

/** Checks an ErrorResponse; errors of files also name the operation. Returns the body. */
export async function assertFailure(
  response: Response,
  status: number,
  code: string,
): Promise<Body> {
  const { operation, ...rest } = await response.clone().json();
  const { headers } = response;
  await assertError(
    new Response(JSON.stringify(rest), { status: response.status, headers }),
    status,
    code,
  );
  return operation === undefined ? rest : { ...rest, operation };
}

/** Does work with an empty store, in memory or that of `KV_TEST_URL`. */
export const withStore = withTestStore;

/**
 * All keys of a store except the fences of leases and the counters, which outlive what they count.
 */
export async function keysOf(store: KvStore): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list({ prefix: [] })) {
    if (key[0] !== "sandbox_size" && key[0] !== "service_lease") keys.push(JSON.stringify(key));
  }
  return keys;
}
