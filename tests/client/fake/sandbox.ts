/** A sandbox object of the fake service (docs/contract.md#sandbox-routes). */
import type { JsonValue } from "../../../client/protocol/types.ts";
import {
  type Body,
  optionalText,
  readBody,
  readCode,
  readFuel,
  readLayer,
  readStdin,
  text,
} from "./body.ts";
import { FakeEngine } from "./engine.ts";
import { FakeError, noSuchRoute, refused } from "./errors.ts";
import { FakeFiles } from "./files.ts";
import { answerRun, type FakeRun } from "./run_answer.ts";
import { execute, type FakeRuntime, type RunInput } from "./runtime.ts";

const MAX_CONTEXTS = 8;

type Layer = ReadonlyMap<string, string | null>;

interface Context {
  readonly id: string;
  readonly binding: string;
  readonly runtime: FakeRuntime;
  readonly cwd: string;
  readonly createdAt: string;
  readonly env: Layer;
  readonly engine: FakeEngine;
  lastUsed: string;
  executions: number;
}

/** The environment in which a fake sandbox finds bindings; anything may be there. */
export type FakeBindings = ReadonlyMap<string, unknown>;

/** The state of one sandbox. */
export class FakeSandbox {
  readonly #id: string;
  readonly #bindings: FakeBindings;
  readonly #contexts = new Map<string, Context>();
  readonly #env = new Map<string, string>();
  readonly #files = new FakeFiles();
  readonly #createdAt = now();
  /** First answers, by their keys. */
  readonly #kept = new Map<string, { readonly body: string; readonly run: FakeRun }>();

  constructor(id: string, bindings: FakeBindings) {
    this.#id = id;
    this.#bindings = bindings;
  }

  /** Everything but `DELETE /`, which is the namespace's. */
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (pathname.startsWith("/files/")) return await this.#files.transfer(request, pathname);
    switch (route) {
      case "GET /":
        return Response.json(this.#info());
      case "GET /contexts":
        return Response.json({ contexts: [...this.#contexts.values()].map(shown) });
      case "POST /contexts":
        return Response.json(shown(await this.#create(await readBody(request))), { status: 201 });
      case "POST /execute":
        return answerRun(request, await this.#executeOnce(request, await readBody(request)));
      case "POST /env":
        return this.#setEnv(readLayer(await readBody(request)));
      case "POST /files":
        return Response.json(this.#files.operate(await readBody(request)));
    }
    const id = /^DELETE \/contexts\/([^/]+)$/.exec(route)?.[1];
    if (id === undefined) throw noSuchRoute();
    if (!this.#contexts.delete(decodeURIComponent(id))) throw noContext(decodeURIComponent(id));
    return Response.json({ success: true });
  }

  #setEnv(layer: Layer): Response {
    apply(this.#env, layer);
    return Response.json({ success: true });
  }

  async #create(body: Body): Promise<Context> {
    const binding = text(body, "binding");
    const runtime = await this.#runtime(binding);
    const { contexts, language } = runtime.probe;
    if (!contexts) {
      throw refused(`Code contexts are not supported by binding '${binding}' (${language})`);
    }
    if (this.#contexts.size >= MAX_CONTEXTS) throw refused("A sandbox holds at most 8 contexts");
    const cwd = optionalText(body, "cwd") ?? "/workspace";
    if (!this.#files.isDirectory(cwd)) throw refused("cwd must be an existing directory");
    const context = newContext(binding, runtime, cwd, readLayer(body));
    this.#contexts.set(context.id, context);
    return context;
  }

  async #runtime(name: string): Promise<FakeRuntime> {
    const binding = this.#bindings.get(name);
    if (!isBinding(binding)) throw refused(`Unknown binding '${name}'`);
    const probed = await binding.fetch(new Request("https://runtime.internal/interpreter"));
    if (!probed.ok || !isRuntime(binding)) {
      throw refused(`Binding '${name}' is not a runtime worker`);
    }
    return binding;
  }

  /** A run, or the kept answer of an earlier one with the same key. */
  async #executeOnce({ headers }: Request, body: Body): Promise<FakeRun> {
    const key = headers.get("idempotency-key");
    const kept = key === null ? undefined : this.#kept.get(key);
    if (kept !== undefined) {
      if (kept.body === JSON.stringify(body)) return { ...kept.run, lines: [], isReplay: true };
      throw new FakeError("CONFLICT", "The Idempotency-Key was used with another request");
    }
    const run = await this.#execute(body, headers.get("if-match"));
    if (key !== null) this.#kept.set(key, { body: JSON.stringify(body), run });
    return run;
  }

  async #execute(body: Body, expected: string | null): Promise<FakeRun> {
    const code = readCode(body);
    const layer = readLayer(body);
    const input = { stdin: readStdin(body), fuelLimit: readFuel(body) };
    const contextId = optionalText(body, "contextId");
    if (contextId !== undefined) {
      const context = this.#contexts.get(contextId);
      if (context === undefined) throw noContext(contextId);
      checkExecutions(expected, context);
      return this.#executeIn(context, code, { ...input, env: this.#merge(context.env, layer) });
    }
    if (body["binding"] === undefined) throw refused("Pass a context or a binding");
    const binding = text(body, "binding");
    const runtime = await this.#runtime(binding);
    if (!runtime.probe.contexts) {
      const env = this.#merge(new Map(), layer);
      return execute(runtime.probe, code, { ...input, env }, new FakeEngine());
    }
    const oldest = [...this.#contexts.values()].find((context) => context.binding === binding);
    checkExecutions(expected, oldest);
    const context = oldest ?? await this.#create(body);
    return this.#executeIn(context, code, { ...input, env: this.#merge(context.env, layer) });
  }

  #executeIn(context: Context, code: string, input: RunInput): FakeRun {
    const { result, lines } = execute(context.runtime.probe, code, input, context.engine);
    const executions = ++context.executions;
    context.lastUsed = now();
    const { id, cwd } = context;
    const shown = { executionCount: executions, context: { id, cwd, executions } };
    return { result: { ...result, ...shown }, lines };
  }

  #merge(context: Layer, call: Layer): ReadonlyMap<string, string> {
    const env = new Map(this.#env);
    apply(env, context);
    apply(env, call);
    return env;
  }

  /** As `GET /sandboxes` shows it. */
  summary(): JsonValue {
    const dates = { createdAt: this.#createdAt, lastUsed: this.#createdAt, expiresAt: null };
    return { id: this.#id, ...dates, contexts: this.#contexts.size, ...this.#files.use };
  }

  #info(): JsonValue {
    const contexts = [...this.#contexts.values()].map((context) => {
      const { runtime, executions } = context;
      return { ...shown(context), engine: runtime.probe.engine, executions, snapshot: null };
    });
    return {
      id: this.#id,
      createdAt: this.#createdAt,
      lastUsed: this.#createdAt,
      envVars: [...this.#env.keys()],
      contexts,
      workspace: this.#files.use,
      expiresAt: null,
    };
  }
}

/** The answer of `GET /` for a sandbox that does not exist. */
export function emptyInfo(id: string): JsonValue {
  const workspace = { files: 0, bytes: 0 };
  const dates = { createdAt: null, lastUsed: null, expiresAt: null };
  return { id, ...dates, envVars: [], contexts: [], workspace };
}

/** `If-Match` of a run. */
function checkExecutions(expected: string | null, context: Context | undefined): void {
  const executions = context?.executions ?? 0;
  if (expected === null || expected === `"${executions}"`) return;
  throw new FakeError(
    "PRECONDITION_FAILED",
    "The number of runs of the context is not the expected one",
    {
      context: { executions },
    },
  );
}

function newContext(binding: string, runtime: FakeRuntime, cwd: string, env: Layer): Context {
  const createdAt = now();
  const engine = new FakeEngine();
  const id = crypto.randomUUID();
  return { id, binding, runtime, cwd, env, engine, createdAt, lastUsed: createdAt, executions: 0 };
}

function shown({ id, binding, runtime, cwd, createdAt, lastUsed }: Context) {
  return { id, binding, language: runtime.probe.language, cwd, createdAt, lastUsed };
}

function apply(env: Map<string, string>, layer: Layer): void {
  for (const [name, value] of layer) {
    if (value === null) env.delete(name);
    else env.set(name, value);
  }
}

function isBinding(value: unknown): value is { fetch(request: Request): Promise<Response> } {
  return typeof value === "object" && value !== null && "fetch" in value;
}

function isRuntime(value: object): value is FakeRuntime {
  return "probe" in value;
}

function noContext(contextId: string): FakeError {
  return new FakeError("CONTEXT_NOT_FOUND", `There is no context '${contextId}'`, {
    context: { contextId },
  });
}

function now(): string {
  return new Date().toISOString();
}
