/**
 * Runtimes with contexts in this process, and a stand-in for the sandbox that calls them: it keeps
 * the workspace, names the snapshot of its last commit, and checks the stored data.
 */
import { NO_PACKAGES, type PackageSettings } from "../../../shared/binding.ts";
import { assert, assertEquals } from "@std/assert";
import { createRuntimes } from "../../../runtimes/create_runtimes.ts";
import { readIndex } from "../../../runtimes/contexts/snapshot_index.ts";
import { type RuntimeParts, startRuntime } from "../../../runtimes/runtime.ts";
import type { RuntimesOptions } from "../../../runtimes/runtimes_options.ts";
import { partCount } from "../../../store/blobs.ts";
import {
  interpreterBlobKey,
  interpreterContextKey,
  interpreterSnapshotKey,
} from "../../../store/keys.ts";
import type { KvStore } from "../../../store/kv.ts";
import { openStore } from "../../../store/open.ts";
import { Transaction } from "../../../store/transaction.ts";
import { conflict } from "../../../shared/errors.ts";
import { languagesWithContexts } from "../../../shared/languages.ts";
import type { LanguageRuntime } from "../../../shared/binding.ts";
import { contentHash } from "../../../shared/content_hash.ts";
import type {
  ExecuteInContextArgs,
  InterpreterExecuteResponse,
  InterpreterExecuteRpcResult,
  StoreWrites,
  WorkspaceFile,
} from "../../../shared/run_in_context.ts";
import { ADMISSION_LIMITS, type LanguageLimits, limitsByLanguage } from "../../../shared/limits.ts";
import type { Language } from "../../../client/protocol/types.ts";
import { keysUnder } from "../../store/fixture.ts";

const MEMORY_PAGE_BYTES = 65_536;
const CACHE = new URL("../../../.belljar/cache", import.meta.url).pathname;

/** One runtime and what it reported. */
export interface Host extends AsyncDisposable {
  readonly language: Language;
  readonly runtime: LanguageRuntime;
  readonly store: KvStore;
  /** Events it logged. */
  readonly logged: string[];
  /** Tenants whose runs were killed. */
  readonly kills: string[];
  /** Process ids of its isolates, in ascending order. */
  isolates(): readonly number[];
}

/** Options; by default a runtime has one isolate, a store in memory, and the usual limits. */
export interface HostOptions {
  /** Not closed with the host. */
  readonly store?: KvStore;
  readonly isolates?: number;
  readonly stateless?: boolean;
  readonly rubyContexts?: boolean;
  readonly packages?: PackageSettings;
  readonly limits?: Partial<LanguageLimits>;
}

/** Starts a runtime as the program does. */
export async function startHost(language: Language, options: HostOptions = {}): Promise<Host> {
  return await hostOf(
    language,
    options,
    async (order) => (await createRuntimes(order)).get(language),
  );
}

/** Starts a runtime over a build that a test made. */
export async function startBuilt(
  built: RuntimeParts["built"],
  options: HostOptions = {},
): Promise<Host> {
  return await hostOf(built.language, options, (order) => startRuntime(order, { built }));
}

function listener() {
  const logged: string[] = [];
  const kills: string[] = [];
  return {
    logged,
    kills,
    clock: Date.now,
    log: (_level: string, event: string) => void logged.push(event),
    onKill: (tenant: string) => void kills.push(tenant),
  };
}

async function hostOf(
  language: Language,
  options: HostOptions,
  start: (order: RuntimesOptions) => Promise<LanguageRuntime | undefined>,
): Promise<Host> {
  const store = options.store ?? await openStore(":memory:");
  const ownStore = options.store === undefined;
  const { logged, kills, ...told } = listener();
  const all = limitsByLanguage();
  const memoryBytes = unusualMemory();
  const runtime = await start({
    ...told,
    languages: [language],
    cacheDir: CACHE,
    packages: options.packages ?? NO_PACKAGES,
    contextLanguages: languagesWithContexts(options.rubyContexts ? ["ruby"] : []),
    limits: { ...all, [language]: { ...all[language], memoryBytes, ...options.limits } },
    admission: ADMISSION_LIMITS,
    stateless: options.stateless ?? false,
    store,
    isolates: options.isolates ?? 1,
    isolatePerTenant: false,
  });
  assert(runtime !== undefined);
  return {
    isolates: () => processesWith(`--wasm-max-mem-pages=${memoryBytes / MEMORY_PAGE_BYTES},`),
    language,
    runtime,
    store,
    logged,
    kills,
    [Symbol.asyncDispose]: async () => {
      await runtime.close();
      if (ownStore) store.close();
    },
  };
}

/**
 * A permission of isolate processes that distinguishes one host's from others'. More than any
 * engine uses.
 */
function unusualMemory(): number {
  return MEMORY_PAGE_BYTES * (5_000 + Math.floor(Math.random() * 50_000));
}

function processesWith(flag: string): readonly number[] {
  const pids = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name));
  return pids.filter((pid) => Number.isInteger(pid) && commandLine(pid).includes(flag))
    .sort((a, b) => a - b);
}

/** Empty for a process that has ended. */
function commandLine(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
  } catch {
    return "";
  }
}

/** Commits what a run left, as the sandbox's commit does. */
export function commitWrites(
  { store }: Pick<Host, "store">,
  writes: StoreWrites,
): Promise<boolean> {
  return new Transaction(store, { writeId: crypto.randomUUID(), clock: Date.now }).join(writes)
    .commit();
}

let keys = 0;

/** A sandbox key, as a sandbox has it. */
export function newKey(): string {
  return contentHash(new TextEncoder().encode(`key ${keys++}`));
}

/** Sends a request to a route of a runtime. Returns the status and the body. */
export async function send(
  { runtime }: Host,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await runtime.binding.fetch(
    new Request(`https://runtime.internal${path}`, {
      method,
      ...(body === undefined ? {} : {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    }),
  );
  return { status: response.status, body: await response.json() };
}

/** One context as its sandbox sees it. */
export class TestContext {
  readonly host: Host;
  readonly key: string;
  readonly id: string;
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  dirs: readonly string[] = [];
  /** The state of the last commit. */
  reference: string | null = null;
  fence = 1;
  /** Paths of each call of `getFiles`. */
  readonly asked: (readonly string[])[] = [];

  constructor(host: Host, key: string, id: string) {
    this.host = host;
    this.key = key;
    this.id = id;
  }

  /** Creates a context with a new key. */
  static async create(host: Host, cwd = "/workspace"): Promise<TestContext> {
    const context = new TestContext(host, newKey(), crypto.randomUUID());
    const { status } = await send(host, "POST", `/interpreters/${context.key}/contexts`, {
      id: context.id,
      cwd,
    });
    assertEquals(status, 201);
    return context;
  }

  /** The same context, seen by another process. */
  on(host: Host): TestContext {
    const other = new TestContext(host, this.key, this.id);
    for (const [path, data] of this.files) other.files.set(path, data);
    return Object.assign(other, { dirs: this.dirs, reference: this.reference, fence: this.fence });
  }

  put(path: string, text: string): void {
    this.files.set(path, new TextEncoder().encode(text));
  }

  /**
   * Runs, and stores the new snapshot without naming it: a sandbox that ends before its own commit
   * leaves it so.
   */
  async call(
    code: string,
    changes: Partial<ExecuteInContextArgs> = {},
    getFiles?: (paths: readonly string[]) => Promise<readonly WorkspaceFile[]>,
  ): Promise<InterpreterExecuteRpcResult> {
    const answer = await this.ask(code, changes, getFiles);
    if (!answer.ok || answer.result.writes === undefined) return answer;
    if (await commitWrites(this.host, answer.result.writes)) return answer;
    const error = conflict("The context was changed during the run", this.id);
    return { ok: false, status: error.status, body: error.toBody(Date.now) };
  }

  /** Runs only. */
  async ask(
    code: string,
    changes: Partial<ExecuteInContextArgs> = {},
    getFiles?: (paths: readonly string[]) => Promise<readonly WorkspaceFile[]>,
  ): Promise<InterpreterExecuteRpcResult> {
    const manifest = [...this.files].map(([path, data]) => [path, contentHash(data)]);
    const args: ExecuteInContextArgs = {
      contextId: this.id,
      code,
      envVars: {},
      workspace: { dirs: this.dirs, manifest: Object.fromEntries(manifest) },
      snapshot: this.reference,
      cwd: "/workspace",
      fence: this.fence,
      tenant: "acme",
      ...changes,
    };
    const { binding } = this.host.runtime;
    return await binding.executeInContext(this.key, args, async (paths) => {
      this.asked.push(paths);
      return await (getFiles ?? this.#give)(paths);
    });
  }

  readonly #give = (paths: readonly string[]): Promise<readonly WorkspaceFile[]> =>
    Promise.resolve(paths.flatMap((path) => {
      const data = this.files.get(path);
      return data === undefined ? [] : [{ path, data, updatedAt: 1_000 }];
    }));

  /** Commits the state that a run left. */
  commit(result: InterpreterExecuteResponse): void {
    this.reference = result.snapshotRef;
    this.dirs = result.workspace.dirs;
    for (const { path, data } of result.workspace.files) this.files.set(path, data);
    for (const path of result.workspace.deleted) this.files.delete(path);
  }

  /** Runs and commits. */
  async run(code: string, changes?: Partial<ExecuteInContextArgs>) {
    const answer = await this.call(code, changes);
    assert(answer.ok, JSON.stringify(answer));
    this.commit(answer.result);
    return answer.result;
  }

  /** The value of a run as text, which is committed. */
  async value(code: string): Promise<string> {
    return valueOf(await this.run(code));
  }
}

/** The value of a run as text, or its error. */
export function valueOf({ results: [entry], error }: InterpreterExecuteResponse): string {
  if (error !== undefined) return `${error.name}: ${error.message}`;
  return entry?.text ?? JSON.stringify(entry?.json) ?? "none";
}

/** The code, status and message of a refusal. */
export function refusalOf(
  answer: InterpreterExecuteRpcResult,
): readonly [number, string, string] {
  assert(!answer.ok, "the run was not refused");
  assertEquals(answer.body.httpStatus, answer.status);
  assertEquals(Object.keys(answer.body).sort(), [
    "code",
    "context",
    "httpStatus",
    "message",
    "timestamp",
  ]);
  return [answer.status, answer.body.code, answer.body.message];
}

/**
 * Checks that the store contains exactly the parts of these contexts' snapshots: the current one,
 * and at most one other that the next run may name.
 */
export async function assertNothingOrphaned(contexts: readonly TestContext[]): Promise<void> {
  const [first] = contexts;
  if (first === undefined) return;
  const { store, language } = first.host;
  const expected = (await Promise.all(contexts.map(keysOf))).flat();
  const found = await Promise.all(
    [["interpreter", language], ["intent"], ["garbage"]].map((prefix) => keysUnder(store, prefix)),
  );
  assertEquals(found.flat().sort(), [...new Set(expected)].sort());
}

async function keysOf({ host: { store, language }, key, id, reference }: TestContext) {
  const contextKey = interpreterContextKey(language, key, id);
  const record = (await store.get<{ snapshots: string[] }>(contextKey)).value;
  const references = record?.snapshots ?? [];
  assert(reference === null || references.includes(reference), "what is current is not there");
  assert(references.length <= 2);
  const keys: Deno.KvKey[] = [contextKey];
  for (const name of references) {
    const snapshotId = name.slice(0, name.indexOf("."));
    const snapshotKey = interpreterSnapshotKey(language, key, id, snapshotId);
    const bytes = (await store.get<Uint8Array>(snapshotKey)).value;
    const index = bytes === null ? undefined : readIndex(bytes, name);
    assert(index !== undefined, "a snapshot that is named is not there");
    keys.push(snapshotKey);
    for (const ref of index.segments) {
      for (let part = 0; part < partCount(ref); part++) {
        keys.push(interpreterBlobKey(language, key, id, ref.run)(ref.run, ref.n, part));
      }
    }
  }
  return keys.map((parts) => parts.join("/"));
}
