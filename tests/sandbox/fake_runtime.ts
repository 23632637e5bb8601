/**
 * A runtime without an engine, for tests of the code around one. It keeps contexts as runtimes do:
 * globals are in snapshots that references name, a run's snapshot is restored, and a fence lower
 * than one seen is refused.
 *
 * A program is lines of: `x = <json>`, `x += <number>`, `x` (its value), `print <text>`, `env
 * NAME`, `throw <text>`, `limit`, `die`, `write <path> <text>`, `fill <path> <bytes>`, `read
 * <path>`, `rm <path>`, `mkdir <path>`, `rmdir <path>`, `cd <path>`, `wait`, `code <errorCode>`.
 */
import { Hono } from "hono";
import type { RunCaller, RuntimeBinding, RuntimeContexts } from "../../shared/binding.ts";
import { contentHash } from "../../shared/content_hash.ts";
import { installErrorMapping } from "../../shared/error_mapping.ts";
import { conflict, contextNotFound, ServiceError } from "../../shared/errors.ts";
import { executeReader } from "../../shared/execute_request.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteResponse,
  InterpreterExecuteRpcResult,
} from "../../shared/run_in_context.ts";
import { limitsByLanguage } from "../../shared/limits.ts";
import { CallingProgram, type IsolateRules } from "../runs/calling_runtime.ts";
import { jsonResponse } from "../../shared/responses.ts";
import { checkRunLimits, type MostRunLimits } from "../../shared/run_limits.ts";
import type {
  ExecuteRequest,
  ExecutionError,
  JsonValue,
  Language,
  ResultEntry,
} from "../../client/protocol/types.ts";

interface Snapshot {
  readonly globals: ReadonlyMap<string, JsonValue>;
  readonly cwd: string;
}

interface FakeContext {
  readonly cwd: string;
  fence: number;
  readonly snapshots: Map<string, Snapshot>;
}

interface FakeFile {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

interface Machine {
  readonly globals: Map<string, JsonValue>;
  readonly files: Map<string, FakeFile>;
  readonly dirs: Set<string>;
  readonly written: Set<string>;
  readonly stdout: string[];
  cwd: string;
  result: ResultEntry | undefined;
}

/** Ends a program, with its exception or with a limit. */
class Stop extends Error {
  constructor(readonly kind: "exception" | "limit", message: string) {
    super(message);
  }
}

/** A runtime for one language. */
export class FakeRuntime implements RuntimeBinding {
  /** Contexts by key and id, as `key/id`. */
  readonly stored = new Map<string, FakeContext>();
  /** Names and keys that were removed: they cannot be created again. */
  readonly #gone = new Set<string>();
  /** The requested paths of each run. */
  readonly asked: (readonly string[])[] = [];
  /** Arguments of all runs. */
  readonly runs: ExecuteInContextArgs[] = [];
  /** The received requests, as `METHOD path`. */
  readonly requests: string[] = [];
  /** `wait` waits for this. */
  gate: Promise<void> = Promise.resolve();
  /** Number of runs that have reached a `wait`. */
  waits = 0;
  /** Called before a run and before a request is answered; may wait or throw. */
  before: (what: string) => void | Promise<void> = () => undefined;
  /** How isolates of runs with calls behave. */
  rules: IsolateRules = {};
  /** The reported size of snapshots, in bytes. */
  storedBytes = 100;
  /** The maximum limits that it accepts. */
  mostRunLimits: MostRunLimits;
  readonly language: Language;
  readonly engine = "Fake 1";
  /** The stored state of contexts; undefined when it has none. */
  readonly contexts: RuntimeContexts | undefined;
  readonly #mirrors = new Map<string, Map<string, FakeFile>>();
  readonly #app: Hono;
  #minted = 0;

  constructor(
    language: Language,
    options: { readonly contexts?: boolean } = {},
  ) {
    this.language = language;
    this.mostRunLimits = limitsByLanguage()[language];
    this.contexts = options.contexts === false ? undefined : {
      fork: () => Promise.reject(new Error("this runtime forks nothing")),
      remove: ({ sandboxKey, contextId }) => this.#remove(sandboxKey, contextId),
      wipe: async (sandboxKey) => void await this.#remove(sandboxKey),
    };
    this.#app = this.#routes();
  }

  async fetch(request: Request): Promise<Response> {
    const what = `${request.method} ${new URL(request.url).pathname}`;
    this.requests.push(what);
    await this.before(what);
    return await this.#app.fetch(request);
  }

  async execute(request: ExecuteRequest, _caller: RunCaller): Promise<Response> {
    this.requests.push("POST /execute");
    await this.before("POST /execute");
    return this.#stateless(request);
  }

  async executeInContext(
    key: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult> {
    this.runs.push(args);
    await this.before("run");
    try {
      checkRunLimits(args.limits, this.mostRunLimits);
      return { ok: true, result: await this.#run(key, args, getFiles) };
    } catch (thrown) {
      const cancelled = args.signal?.aborted && thrown === args.signal.reason;
      const error = cancelled ? conflict("The run was cancelled", args.contextId) : thrown;
      if (!(error instanceof ServiceError)) throw error;
      return { ok: false, status: error.status, body: error.toBody(Date.now) };
    }
  }

  async #run(
    key: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteResponse> {
    const name = `${key}/${args.contextId}`;
    const isGone = this.#gone.has(name) || this.#gone.has(key);
    if (args.snapshot === null && !isGone && !this.stored.has(name)) {
      this.stored.set(name, { cwd: args.cwd, fence: 0, snapshots: new Map() });
    }
    const context = this.stored.get(name);
    if (context === undefined) throw contextNotFound(args.contextId);
    if (args.fence < context.fence) throw conflict("an older lease", args.contextId);
    context.fence = args.fence;
    const before = snapshotOf(context, args.snapshot);
    const machine = await this.#machine(key, args, getFiles, before);
    args.listener?.start();
    const stopped = await this.#interpret(machine, args);
    args.signal?.throwIfAborted();
    const rolledBack = stopped?.kind === "limit";
    if (!rolledBack) this.#mirrors.set(key, new Map(machine.files));
    const snapshotRef = rolledBack ? args.snapshot : this.#save(context, args, machine);
    return {
      code: args.code,
      language: this.language,
      engine: "Fake 1",
      durationMs: 1,
      logs: { stdout: machine.stdout, stderr: [] },
      results: stopped === undefined && machine.result !== undefined ? [machine.result] : [],
      ...(stopped === undefined ? {} : { error: errorOf(stopped) }),
      usage: { fuelConsumed: 1, fuelLimit: 2, memoryBytes: 3 },
      timing: { queueMs: 1, resetMs: 2.25, runMs: 3 },
      executionCount: 0,
      context: {
        id: args.contextId,
        cwd: rolledBack ? before.cwd : machine.cwd,
        executions: 0,
        ...(rolledBack ? { rolledBack: true } : { snapshotMs: 1 }),
        snapshot: snapshotRef === null
          ? null
          : { build: "fake", pages: 1, bytes: 4096, storedBytes: this.storedBytes, takenAt: 1 },
      },
      workspace: rolledBack ? unchanged(args) : diffOf(args, machine),
      snapshotRef,
    };
  }

  async #machine(
    key: string,
    { workspace: { dirs, manifest } }: ExecuteInContextArgs,
    getFiles: GetFiles,
    before: Snapshot,
  ): Promise<Machine> {
    const mirror = this.#mirrors.get(key) ?? new Map<string, FakeFile>();
    const missing = Object.keys(manifest).filter((path) =>
      mirror.get(path)?.hash !== manifest[path]
    );
    this.asked.push(missing);
    for (const { path, data } of missing.length === 0 ? [] : await getFiles(missing)) {
      mirror.set(path, { data, hash: contentHash(data) });
    }
    const files = new Map<string, FakeFile>();
    for (const [path, hash] of Object.entries(manifest)) {
      const file = mirror.get(path);
      if (file === undefined || file.hash !== hash) {
        throw new ServiceError("INTERNAL_ERROR", "a file of the workspace is missing");
      }
      files.set(path, file);
    }
    return {
      globals: new Map(before.globals),
      files,
      dirs: new Set(dirs),
      written: new Set(),
      stdout: [],
      cwd: before.cwd,
      result: undefined,
    };
  }

  async #interpret(machine: Machine, args: ExecuteInContextArgs): Promise<Stop | undefined> {
    const program = args.calls && new CallingProgram(args.calls, args, this.rules);
    try {
      for (const line of args.code.split("\n")) {
        if (program !== undefined && await program.step(line)) continue;
        if (line.trim() === "wait") {
          this.waits++;
          await Promise.race([this.gate, aborted(args.signal)]);
        } else step(machine, line.trim(), args);
      }
      if (program !== undefined) machine.stdout.push(...program.end());
      return undefined;
    } catch (thrown) {
      if (thrown instanceof Stop) return thrown;
      throw thrown;
    }
  }

  #save(context: FakeContext, { snapshot }: ExecuteInContextArgs, machine: Machine): string {
    const kept = [...context.snapshots].filter(([reference]) => reference === snapshot);
    context.snapshots.clear();
    for (const [reference, state] of kept) context.snapshots.set(reference, state);
    const reference = `s${++this.#minted}`;
    context.snapshots.set(reference, { globals: new Map(machine.globals), cwd: machine.cwd });
    return reference;
  }

  #stateless({ code, envVars, limits, stdin }: ExecuteRequest): Response {
    const asked = {
      ...(limits === undefined ? {} : { limits }),
      ...(stdin === undefined ? {} : { stdin }),
    };
    const language = this.language;
    return jsonResponse({ code, language, stateless: true, envVars: [...envVars], ...asked });
  }

  /** Removes a context, or all of a sandbox key. */
  async #remove(key: string, contextId?: string): Promise<boolean> {
    const name = contextId === undefined ? key : `${key}/${contextId}`;
    this.requests.push(`remove ${name}`);
    await this.before(`remove ${name}`);
    this.#gone.add(name);
    for (const each of [...this.stored.keys()]) {
      if (each === name || each.startsWith(`${name}/`)) this.stored.delete(each);
    }
    return true;
  }

  #routes(): Hono {
    const { language, engine } = this;
    const reader = executeReader({ language, limits: limitsByLanguage()[language] });
    const app = new Hono();
    installErrorMapping(app, { clock: Date.now, onUnexpected: () => undefined });
    app.get(
      "/interpreter",
      () => {
        const contexts = this.contexts !== undefined;
        return jsonResponse({ language, engine, contexts, protocol: 1 });
      },
    );
    app.post("/execute", async (context) => this.#stateless(await reader.read(context.req.raw)));
    app.post("/interpreters/:key/contexts", async (context) => {
      const { id, cwd } = await context.req.json();
      const key = context.req.param("key");
      const name = `${key}/${id}`;
      if (this.#gone.has(name) || this.#gone.has(key)) {
        throw conflict("There was such a context", id);
      }
      if (this.stored.has(name)) throw conflict("There is such a context", id);
      this.stored.set(name, { cwd, fence: 0, snapshots: new Map() });
      return jsonResponse({ id, cwd, createdAt: "" }, { status: 201 });
    });
    app.delete("/interpreters/:key/contexts/:id", (context) => {
      const { key, id } = context.req.param();
      this.#gone.add(`${key}/${id}`);
      if (!this.stored.delete(`${key}/${id}`)) throw contextNotFound(id);
      return jsonResponse({ success: true });
    });
    app.delete("/interpreters/:key", (context) => {
      this.#gone.add(context.req.param("key"));
      const prefix = `${context.req.param("key")}/`;
      for (const name of [...this.stored.keys()]) {
        if (name.startsWith(prefix)) this.stored.delete(name);
      }
      return jsonResponse({ success: true });
    });
    return app;
  }
}

function snapshotOf(context: FakeContext, reference: string | null): Snapshot {
  if (reference === null) return { globals: new Map(), cwd: context.cwd };
  const snapshot = context.snapshots.get(reference);
  if (snapshot === undefined) throw new ServiceError("SNAPSHOT_CORRUPT", "no such snapshot");
  return snapshot;
}

function step(machine: Machine, line: string, args: ExecuteInContextArgs): void {
  const { globals, files, dirs } = machine;
  const [word = "", target = "", ...rest] = line.split(" ");
  const path = target.startsWith("/") ? target : `${machine.cwd}/${target}`;
  const text = rest.join(" ");
  machine.result = undefined;
  if (line === "") return;
  if (target === "=") {
    globals.set(word, JSON.parse(text));
  } else if (target === "+=") {
    globals.set(word, Number(globals.get(word)) + Number(text));
  } else if (word === "print") {
    machine.stdout.push(line.slice(6));
    args.listener?.output("stdout", new TextEncoder().encode(`${line.slice(6)}\n`));
  } else if (word === "env") {
    machine.result = { text: args.envVars[target] ?? "unset" };
  } else if (word === "throw") {
    throw new Stop("exception", target);
  } else if (word === "limit") {
    throw new Stop("limit", "Fuel limit reached: 2 units");
  } else if (word === "die") {
    throw new ServiceError("INTERNAL_ERROR", "The isolate died", { status: 502 });
  } else if (word === "write" || word === "fill") {
    const data = word === "write" ? new TextEncoder().encode(text) : new Uint8Array(Number(text));
    files.set(path, { data, hash: contentHash(data) });
    machine.written.add(path);
  } else if (word === "read") {
    machine.result = { text: new TextDecoder().decode(files.get(path)?.data) };
  } else if (word === "rm") {
    files.delete(path);
  } else if (word === "mkdir") {
    dirs.add(path);
  } else if (word === "rmdir") {
    dirs.delete(path);
  } else if (word === "cd") {
    machine.cwd = path;
  } else if (globals.has(word)) {
    machine.result = { json: globals.get(word) ?? null };
  } else {
    throw new Stop("exception", `${word} is not defined`);
  }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener("abort", () => resolve());
  });
}

function errorOf({ kind, message }: Stop): ExecutionError {
  const name = kind === "limit" ? "ExecutionLimitError" : "Error";
  return { name, message, traceback: [] };
}

function unchanged({ workspace }: ExecuteInContextArgs) {
  return { dirs: workspace.dirs, files: [], deleted: [] };
}

function diffOf({ workspace: { manifest } }: ExecuteInContextArgs, machine: Machine) {
  const files = [...machine.written].flatMap((path) => {
    const file = machine.files.get(path);
    return file === undefined ? [] : [{ path, data: file.data, updatedAt: 1_000 }];
  });
  const deleted = Object.keys(manifest).filter((path) => !machine.files.has(path));
  return { dirs: [...machine.dirs], files, deleted };
}
