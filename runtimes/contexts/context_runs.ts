/**
 * One run in a context, from its record to its answer: the state before it, an isolate that holds
 * or gets that state, the workspace mirror, the run, the new snapshot.
 *
 * @module
 */
import { patienceOf, withPatience } from "../../store/patience.ts";
import {
  conflict,
  memoryTooLarge,
  runtimeUnavailable,
  snapshotCorrupt,
  snapshotIncompatible,
} from "../../shared/errors.ts";
import type {
  ContextAddress,
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteResponse,
} from "../../shared/run_in_context.ts";
import { type LanguageLimits, STORE_WRITE_MS } from "../../shared/limits.ts";
import { effectiveLimits } from "../../shared/run_limits.ts";
import type { ExecutionResult, Language } from "../../client/protocol/types.ts";
import {
  chargedMs,
  checkAttempt,
  type ExecutionFrame,
  executionResult,
  killedResult,
  runRequest,
  timingOf,
} from "../execution.ts";
import type { ContextRun, IsolateRun } from "../pool/isolate.ts";
import type { PoolRun } from "../pool/pool_options.ts";
import type { RunAnswer } from "../pool/run_answer.ts";
import { SnapshotUnreadable } from "./memory_record.ts";
import { type SnapshotIndex, snapshotInfo } from "./snapshot_index.ts";
import type { ContextStore } from "./context_store.ts";
import type { EngineHold, IsolatePools, Resident, Residents } from "./isolate_pools.ts";
import { type EngineChoice, engineOf, EngineUnavailable } from "./engine_archive.ts";
import {
  allowedRecord,
  type CheckedState,
  checkedState,
  readRunStart,
  type RunStart,
} from "./run_state.ts";
import {
  differenceOf,
  EMPTY_MIRROR,
  filesInOrder,
  mirrorOf,
  type WorkspaceMirror,
} from "./workspace_mirror.ts";

/** Dependencies of runs in contexts. */
export interface ContextRunsOptions extends EngineChoice {
  readonly language: Language;
  /** The current build. */
  readonly built: { readonly build: string };
  readonly limits: LanguageLimits;
  readonly contexts: ContextStore;
  readonly pools: IsolatePools;
  readonly residents: Residents;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** Called when a tenant's run cost a process, with the milliseconds that it ran. */
  readonly onKill: (tenant: string, runMs: number) => void;
  /** Called with a fixed text when the stored state of a context cannot be read. */
  readonly onUnreadable: (contextId: string, reason: string) => void;
}

/** The data that an isolate received for the run. */
interface Prepared {
  readonly run: ContextRun;
  readonly mirror: WorkspaceMirror;
}

/** The runs in contexts of one language. */
export class ContextRuns {
  readonly #options: ContextRunsOptions;

  constructor(options: ContextRunsOptions) {
    this.#options = options;
  }

  /** Runs a program. Throws a ServiceError when it cannot run; then nothing has changed. */
  async run(
    sandboxKey: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteResponse> {
    const address: ContextAddress = { sandboxKey, contextId: args.contextId };
    try {
      const start = await readRunStart(this.#options, address, args);
      this.#checkMemory(start);
      const hold = await this.#hold(start, args);
      try {
        return await this.#runOn(hold, start, { args, getFiles });
      } finally {
        hold.release();
      }
    } catch (thrown) {
      if (thrown instanceof SnapshotUnreadable) {
        await this.#checkRecord(address, args);
        this.#options.onUnreadable(args.contextId, thrown.message);
        throw snapshotCorrupt(args.contextId);
      }
      if (args.signal?.aborted && thrown === args.signal.reason) throw cancelled(args.contextId);
      throw thrown;
    }
  }

  /** An operator may have lowered the limit since the last run. */
  #checkMemory({ index, address: { contextId } }: RunStart): void {
    const { limits, built } = this.#options;
    if (index === undefined || index.memoryBytes <= limits.memoryBytes) return;
    const builds = { stored: index.build, present: built.build };
    const sizes = { memoryBytes: index.memoryBytes, maxBytes: limits.memoryBytes };
    throw memoryTooLarge(contextId, builds, sizes);
  }

  /**
   * Throws the error of a context that was removed, or run with a later lease, while its state was
   * read: parts of the state are missing then.
   */
  async #checkRecord(address: ContextAddress, args: ExecuteInContextArgs): Promise<void> {
    try {
      await allowedRecord(this.#options, address, args);
    } catch (thrown) {
      if (!(thrown instanceof SnapshotUnreadable)) throw thrown;
    }
  }

  async #hold({ address, index }: RunStart, args: ExecuteInContextArgs): Promise<EngineHold> {
    const { pools, residents, built } = this.#options;
    const { tenant, maxWaitMs, signal, listener, calls } = args;
    try {
      return await pools.hold(
        engineOf(this.#options, index, args),
        { tenant, maxWaitMs, signal, listener, calls },
        (isolate) => residents.find(isolate, address, args.snapshot) !== undefined,
      );
    } catch (thrown) {
      if (!(thrown instanceof EngineUnavailable) || index === undefined) throw thrown;
      throw snapshotIncompatible(address.contextId, { stored: index.build, present: built.build });
    }
  }

  async #runOn(
    hold: EngineHold,
    start: RunStart,
    { args, getFiles }: { readonly args: ExecuteInContextArgs; readonly getFiles: GetFiles },
  ): Promise<InterpreterExecuteResponse> {
    const { residents } = this.#options;
    const limits = effectiveLimits(this.#options.limits, args.limits);
    const resident = isRepeatable(args)
      ? undefined
      : residents.find(hold.isolate, start.address, args.snapshot);
    const prepared = await this.#prepare(start, resident, { args, getFiles });
    residents.delete(hold.isolate);
    const { preloaded } = engineOf(this.#options, start.index, args);
    const program = { ...programOf(args), preloaded };
    const ran = await hold.run(runRequest(program, limits), prepared.run);
    if (ran.killed) this.#options.onKill(args.tenant, chargedMs(ran, limits));
    const answer = answerOf(ran, args.contextId);
    await start.read;
    const frame: ExecutionFrame = {
      code: args.code,
      language: this.#options.language,
      engine: hold.engineName,
    };
    const timing = timingOf(ran);
    if (answer === undefined) {
      const { output } = endedRun(ran);
      const killed = killedResult(frame, output, ran.runMs, limits);
      return { ...rolledBack(killed, start, args), timing };
    }
    const result = executionResult(frame, answer, endedRun(ran).output, limits);
    const { mirror } = prepared;
    const response = answer.head.context === undefined
      ? rolledBack(result, start, args)
      : await this.#store(hold, start, {
        args,
        answer,
        result,
        mirror,
        chargedMs: chargedMs(ran, limits),
      });
    return { ...response, timing };
  }

  /** Everything that the isolate lacks: files, and the state unless it holds that. */
  async #prepare(
    { address, index, cwd, read }: RunStart,
    resident: Resident | undefined,
    { args, getFiles }: { readonly args: ExecuteInContextArgs; readonly getFiles: GetFiles },
  ): Promise<Prepared> {
    const mirror = mirrorOf(args.workspace);
    const { removed, dirs, missing } = differenceOf(resident?.mirror ?? EMPTY_MIRROR, mirror);
    const fresh = resident === undefined && index !== undefined;
    if (fresh) await read; // a deleted context has no segments either
    const [files, segments] = await Promise.all([
      missing.length === 0 ? [] : getFiles(missing),
      fresh ? this.#options.contexts.segments(address, index) : [],
    ]);
    const found = filesInOrder(missing, files, mirror);
    return {
      mirror,
      run: {
        head: {
          resume: resident?.run,
          snapshot: fresh
            ? { memoryBytes: index.memoryBytes, globals: index.globals, segments: segments.length }
            : undefined,
          cwd,
          clock: index?.clock,
          removed,
          dirs,
          files: found.map(({ path, updatedAt }) => [path, updatedAt]),
          snapshotBytes: this.#options.limits.snapshotBytes,
        },
        parts: [...segments, ...found.map(({ data }) => data)],
      },
    };
  }

  /** Prepares the state after the run for the sandbox's commit, and records the resident. */
  async #store(
    hold: EngineHold,
    start: RunStart,
    { args, answer, result, mirror, chargedMs }: {
      readonly args: ExecuteInContextArgs;
      readonly answer: RunAnswer;
      readonly result: ExecutionResult;
      readonly mirror: WorkspaceMirror;
      /** Called if the run cost the process. */
      readonly chargedMs: number;
    },
  ): Promise<InterpreterExecuteResponse> {
    const state = checkedState(answer, {
      mirror,
      segments: start.index?.segments ?? [],
      limits: this.#options.limits,
    });
    if (state === undefined) {
      hold.isolate.kill(); // no valid run leaves this state
      this.#options.onKill(args.tenant, chargedMs);
      throw runtimeUnavailable();
    }
    const started = this.#options.monotonic();
    const left = Math.max((args.maxWaitMs ?? 0) - (started - start.began), STORE_WRITE_MS);
    const saved = await withPatience(patienceOf(left), () => this.#save(start, state, args));
    const snapshotMs = state.head.captureMs + this.#options.monotonic() - started;
    const { index, reference, writes } = saved;
    this.#options.residents.set(hold.isolate, {
      ...start.address,
      run: answer.head.run,
      reference,
      index,
      mirror: state.workspace.mirror,
    });
    return {
      ...result,
      executionCount: index.executions,
      context: {
        id: args.contextId,
        cwd: index.cwd,
        executions: index.executions,
        snapshotMs,
        snapshot: snapshotInfo(index),
      },
      workspace: state.workspace.diff,
      snapshotRef: reference,
      writes,
    };
  }

  async #save(
    { address, index: before, read }: RunStart,
    { head: context, segment }: CheckedState,
    args: ExecuteInContextArgs,
  ) {
    const { built, clock, newId, engines, contexts } = this.#options;
    const { engine, baseline, preloaded } = engineOf(this.#options, before, args);
    const segments = before?.segments.slice(0, context.reusedSegments) ?? [];
    const index: SnapshotIndex = {
      id: `${args.fence}-${newId()}`,
      engine,
      baseline,
      ...(preloaded === true ? { preloaded } : {}),
      build: before?.build ?? built.build,
      memoryBytes: context.memoryBytes,
      globals: context.globals,
      pages: context.pages,
      segments,
      cwd: context.cwd,
      clock: args.clock === undefined ? context.clock : before?.clock,
      executions: (before?.executions ?? 0) + 1,
      takenAt: clock(),
      replaced: before === undefined
        ? null
        : { id: before.id, segments: before.segments.slice(context.reusedSegments) },
    };
    await engines.ensureStored(index);
    const { fence } = args;
    const saved = await contexts.save(address, await read, { before, index, segment, fence });
    if (saved !== undefined) return saved;
    throw conflict("The context was deleted or changed during the run", address.contextId);
  }
}

function programOf(args: ExecuteInContextArgs) {
  const { code, envVars, stdin, repr, notebook } = args;
  return {
    code,
    env: new Map(Object.entries(envVars)),
    typescript: false,
    stdin,
    repr,
    replay: args,
    ...(notebook === undefined ? {} : { notebook }),
  };
}

/**
 * The state of an isolate depends on earlier runs in details that guests hardly see: inode numbers,
 * times of directories, costs that were paid once. So a repeatable run begins in a fresh isolate.
 */
function isRepeatable({ seed, clock, calls }: ExecuteInContextArgs): boolean {
  return calls !== undefined || (seed !== undefined && clock !== undefined);
}

function cancelled(contextId: string) {
  return conflict("The run was cancelled", contextId);
}

/** The answer of a run; undefined when the run was killed at the wall-clock limit. */
function answerOf(ran: PoolRun, contextId: string): RunAnswer | undefined {
  checkAttempt(ran);
  if (ran.end === "cancelled") throw cancelled(contextId);
  if (ran.end === "died") throw runtimeUnavailable();
  if (ran.run.unreadable) throw new SnapshotUnreadable("an engine could not read a snapshot");
  return ran.run.answer;
}

function endedRun(ran: PoolRun): IsolateRun {
  if (ran.end === "answered" || ran.end === "wall clock") return ran.run;
  throw runtimeUnavailable();
}

/** The answer to a run after which everything is as before. */
function rolledBack(
  result: ExecutionResult,
  { index, cwd }: RunStart,
  args: ExecuteInContextArgs,
): InterpreterExecuteResponse {
  const executions = (index?.executions ?? 0) + 1;
  return {
    ...result,
    executionCount: executions,
    context: {
      id: args.contextId,
      cwd,
      executions,
      snapshot: index === undefined ? null : snapshotInfo(index),
      rolledBack: true,
    },
    workspace: { dirs: args.workspace.dirs, files: [], deleted: [] },
    snapshotRef: args.snapshot,
  };
}
