/**
 * Both ends of the way to a runtime on another machine, in one process but over real HTTP: the
 * far end serves a runtime without an engine, the near end is the gateway's binding.
 */
import { createAuthenticator } from "../../gateway/authentication.ts";
import { KillMeter } from "../../gateway/kill_meter.ts";
import { createRuntimeGateway } from "../../gateway/runtime_alone.ts";
import { RemoteRuntime } from "../../runtimes/remote/client.ts";
import type { RuntimeBinding } from "../../wire/binding.ts";
import type { ExecuteInContextArgs, GetFiles } from "../../wire/run_in_context.ts";
import { languageListing } from "../../wire/language_listing.ts";
import { ADMISSION_LIMITS, limitsByLanguage } from "../../wire/limits.ts";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { Caller, sandboxProcess, withStore } from "../sandbox/fixture.ts";

/** Looks like nothing else in a log. */
export const TOKEN = "canary-token-5f0e1c";
const LIMITS = limitsByLanguage().python;

/** What may differ at the far end. */
export interface FarOptions {
  readonly ticketMs?: number;
  readonly port?: number;
  readonly kills?: KillMeter;
}

/** A runtime that listens. */
export interface FarEnd extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly stopping: AbortController;
}

/** What a runtime is asked over HTTP. */
export type FarRuntime = Pick<RuntimeBinding, "fetch" | "executeInContext">;

/** Serves a runtime as `deno task runtime` does. */
export function serveFar(far: FarRuntime, options: FarOptions = {}): FarEnd {
  const stopping = new AbortController();
  const { ticketMs, port = 0 } = options;
  const handler = createRuntimeGateway({
    runtime: {
      binding: {
        fetch: (request) => far.fetch(request),
        execute: () => Promise.reject(new Error("callers of another process make requests")),
        executeInContext: (key, args, getFiles) => far.executeInContext(key, args, getFiles),
      },
      listing: languageListing("python", { enabled: true, contexts: true, limits: LIMITS }),
      health: () => ({ state: "ready", isolates: 1, build: "fake" }),
      close: () => Promise.resolve(),
    },
    authenticate: createAuthenticator([{ tenant: "gateway", token: TOKEN }]),
    kills: options.kills ?? new KillMeter(ADMISSION_LIMITS, Date.now),
    stopping: stopping.signal,
    ...(ticketMs === undefined ? {} : { ticketMs }),
    clock: Date.now,
    log: () => undefined,
  });
  return { ...serveHttp(handler, port), stopping };
}

/** Listens on loopback; ending it closes connections at once. */
export function serveHttp(
  handler: (request: Request) => Response | Promise<Response>,
  port = 0,
): Omit<FarEnd, "stopping"> {
  const ending = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, signal: ending.signal, onListen: () => {} },
    handler,
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    port: server.addr.port,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await server.finished;
    },
  };
}

/** The gateway's end. All that it logs is kept. */
export class NearEnd implements Disposable {
  readonly binding: RuntimeBinding;
  readonly lines: string[] = [];
  readonly health: () => string;
  readonly #close: () => void;

  constructor(url: string, token = TOKEN) {
    const runtime = new RemoteRuntime({
      language: "python",
      url,
      token,
      limits: LIMITS,
      admission: ADMISSION_LIMITS,
      stateless: false,
      hasContexts: true,
      clock: Date.now,
      log: (level, event, fields) => void this.lines.push(JSON.stringify([level, event, fields])),
      fetch,
    }).asLanguageRuntime();
    this.binding = runtime.binding;
    this.health = () => runtime.health().state;
    this.#close = () => void runtime.close();
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  /** Runs a program in the context `c` of the key `k`. */
  run(code: string, args: Partial<ExecuteInContextArgs> = {}, getFiles: GetFiles = noFiles) {
    return this.binding.executeInContext("k", { ...runArgs(code), ...args }, getFiles);
  }

  /** Makes the context. */
  async create(): Promise<void> {
    const answer = await this.binding.fetch(
      new Request("http://runtime.internal/interpreters/k/contexts", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id: "c", cwd: "/workspace" }),
      }),
    );
    await answer.body?.cancel();
  }
}

/** Arguments of a first run in an empty workspace. */
export function runArgs(code: string): ExecuteInContextArgs {
  return {
    contextId: "c",
    code,
    envVars: Object.create(null),
    workspace: { dirs: [], manifest: Object.create(null) },
    snapshot: null,
    fence: 1,
    tenant: "default",
  };
}

/** For runs in an empty workspace. */
function noFiles(): Promise<readonly never[]> {
  return Promise.resolve([]);
}

/** Sandboxes whose Python is a runtime on another machine. */
export interface FarSandboxes {
  readonly runtime: FakeRuntime;
  readonly box: Caller;
}

/** Gives a test a sandbox over a runtime that listens. */
export function withFarSandbox(work: (far: FarSandboxes) => Promise<void>): Promise<void> {
  return withStore(async (store) => {
    const runtime = new FakeRuntime("python");
    await using far = serveFar(runtime);
    using near = new NearEnd(far.url);
    const bindings = new Map([["PYTHON", near.binding]]);
    await work({ runtime, box: new Caller(sandboxProcess(store, { bindings })) });
  });
}
