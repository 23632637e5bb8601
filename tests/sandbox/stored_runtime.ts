/**
 * A runtime without an engine whose contexts are in the store, as those of the service are: the
 * memory of a context is a number, kept in a segment of its snapshot.
 *
 * A program is JSON: `{lines?, add?, write?, remove?}` performs lines of `../runs/calling_runtime.ts`,
 * adds to the number, writes a file of `/workspace` and removes one. The result is the number after it.
 */
import { newMemory, SnapshotUnreadable } from "../../runtimes/contexts/memory_record.ts";
import type { SnapshotIndex } from "../../runtimes/contexts/snapshot_index.ts";
import { ContextStore } from "../../runtimes/contexts/context_store.ts";
import type { KvStore } from "../../store/kv.ts";
import { isoTimestamp } from "../../shared/clock.ts";
import type { Maintenance, RuntimeBinding, RuntimeContexts } from "../../shared/binding.ts";
import type { Language } from "../../client/protocol/types.ts";
import { conflict, contextNotFound, ServiceError } from "../../shared/errors.ts";
import type {
  ContextAddress,
  ExecuteInContextArgs,
  InterpreterExecuteResponse,
  WorkspaceFile,
} from "../../shared/run_in_context.ts";
import { CallingProgram } from "../runs/calling_runtime.ts";

/** A program. */
export interface StoredProgram {
  readonly lines?: readonly string[];
  readonly add?: number;
  /** The file consists of that many `x`. */
  readonly write?: { readonly path: string; readonly chars: number };
  readonly remove?: string;
}

/** Bytes of each segment; large ones are written ahead of the commit. */
const SMALL = 10;
const LARGE = 200_000;
/** Each segment replaces the ones before it when there are so many. */
const MOST_SEGMENTS = 3;

async function outputOf(
  { lines = [] }: StoredProgram,
  args: ExecuteInContextArgs,
): Promise<readonly string[]> {
  if (args.calls === undefined) return [];
  const program = new CallingProgram(args.calls, args, {});
  for (const line of lines) await program.step(line);
  return program.end();
}

/** The runtime of one language over a store. */
export class StoredRuntime implements RuntimeBinding {
  readonly language: Language;
  readonly engine = "Stored 1";
  readonly contexts: RuntimeContexts;
  readonly #contexts: ContextStore;
  readonly #clock: () => number;

  constructor(kv: KvStore, language: Language, clock: () => number) {
    this.language = language;
    this.#clock = clock;
    this.#contexts = new ContextStore({ kv, language, clock });
    this.contexts = this.#contexts;
  }

  /** Removes what a fork shared and nobody needs any more. */
  get maintenance(): Maintenance {
    return {
      name: `shared snapshots of ${this.language}`,
      run: (signal) => this.#contexts.sweepShared(signal),
    };
  }

  execute = (): Promise<Response> =>
    Promise.reject(new Error("this runtime runs in contexts only"));

  executeInContext: RuntimeBinding["executeInContext"] = async (key, args) => {
    try {
      return { ok: true, result: await this.#run(key, args) };
    } catch (error) {
      const refusal = await this.#refusalOf(error, { sandboxKey: key, contextId: args.contextId });
      if (refusal === undefined) throw error;
      return { ok: false, status: refusal.status, body: refusal.toBody(this.#clock) };
    }
  };

  /** A context that was removed meanwhile lacks parts of its state. */
  async #refusalOf(error: unknown, address: ContextAddress): Promise<ServiceError | undefined> {
    if (error instanceof ServiceError) return error;
    if (!(error instanceof SnapshotUnreadable)) return undefined;
    const isThere = await this.#contexts.read(address) !== undefined;
    return isThere ? undefined : contextNotFound(address.contextId);
  }

  fetch = (): Promise<Response> => Promise.reject(new Error("this runtime has no routes"));

  /** The number in a context; undefined before its first run. */
  async valueOf(
    address: { readonly sandboxKey: string; readonly contextId: string },
    reference: string | null,
  ): Promise<number | undefined> {
    if (reference === null) return undefined;
    const index = await this.#contexts.index(address, reference);
    const segments = await this.#contexts.segments(address, index);
    const last = segments.at(-1);
    return last === undefined
      ? undefined
      : Number(new TextDecoder().decode(last.subarray(0, SMALL)));
  }

  async #run(sandboxKey: string, args: ExecuteInContextArgs): Promise<InterpreterExecuteResponse> {
    const { contextId, fence, snapshot, workspace, cwd } = args;
    const address = { sandboxKey, contextId };
    const known = args.isOptimistic === true ? this.#contexts.known.record(address) : undefined;
    const read = known ??
      (snapshot !== null
        ? await this.#contexts.read(address)
        : await this.#contexts.readOrNew(address, newMemory(isoTimestamp(this.#clock), cwd)));
    if (read === undefined) throw contextNotFound(contextId);
    if (fence < read.record.fence) throw conflict("an older lease", contextId);
    const before = snapshot === null ? undefined : await this.#contexts.index(address, snapshot);
    const program: StoredProgram = JSON.parse(args.code);
    const stdout = await outputOf(program, args);
    const value = (await this.valueOf(address, snapshot) ?? 0) + (program.add ?? 0);
    const segment = new Uint8Array(value % 7 === 0 ? LARGE : SMALL);
    new TextEncoder().encodeInto(String(value).padStart(SMALL), segment);
    const dropped = before === undefined || before.segments.length < MOST_SEGMENTS ? 0 : 2;
    const kept = before?.segments.slice(dropped) ?? [];
    const index: SnapshotIndex = {
      id: `${fence}-${crypto.randomUUID()}`,
      engine: "engine",
      baseline: "baseline",
      build: "build",
      memoryBytes: 65_536,
      globals: {},
      pages: 1,
      segments: kept,
      cwd: read.record.cwd,
      clock: undefined,
      executions: (before?.executions ?? 0) + 1,
      takenAt: this.#clock(),
      replaced: before === undefined
        ? null
        : { id: before.id, segments: before.segments.slice(0, dropped) },
    };
    const saved = await this.#contexts.save(address, read, { before, index, segment, fence });
    if (saved === undefined) throw conflict("The context changed during the run", contextId);
    const { build, pages, takenAt } = index;
    const info = { build, pages, bytes: 4096, storedBytes: segment.length, takenAt };
    return {
      code: args.code,
      language: this.language,
      engine: "Stored 1",
      durationMs: 1,
      logs: { stdout, stderr: [] },
      results: [{ json: value }],
      executionCount: index.executions,
      context: {
        id: contextId,
        cwd: index.cwd,
        executions: index.executions,
        snapshotMs: 1,
        snapshot: info,
      },
      workspace: { dirs: workspace.dirs, ...changesOf(program) },
      snapshotRef: saved.reference,
      writes: saved.writes,
    };
  }
}

function changesOf({ write, remove }: StoredProgram) {
  const files: WorkspaceFile[] = write === undefined ? [] : [{
    path: `/workspace/${write.path}`,
    data: new TextEncoder().encode("x".repeat(write.chars)),
    updatedAt: 1_000,
  }];
  return { files, deleted: remove === undefined ? [] : [`/workspace/${remove}`] };
}
