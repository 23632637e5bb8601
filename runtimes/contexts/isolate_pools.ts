/**
 * The isolates for contexts of one language: the pool of the current engine, and one pool for all
 * engines of earlier builds. An isolate of the second pool takes the engine that a run needs, and
 * ends when it is idle. So their number is bounded, however many engines there are, and tenants
 * share them like any others. The residents record which isolate holds which context.
 *
 * @module
 */
import type { RunCaller } from "../../shared/binding.ts";
import { runtimeUnavailable, waitedTooLong } from "../../shared/errors.ts";
import { systemTimers, type Timers } from "../../shared/timers.ts";
import {
  type ContextRun,
  hasBaseline,
  type Isolate,
  type IsolateRun,
  type RunObservers,
  type StartIsolate,
} from "../pool/isolate.ts";
import { EngineRefused } from "../pool/isolate_process_fault.ts";
import type { IsolateHold, IsolatePool } from "../pool/pool.ts";
import { type EngineArchive, type EngineParts, EngineUnavailable } from "./engine_archive.ts";
import type { ContextAddress } from "../../shared/run_in_context.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";
import type { WorkspaceMirror } from "./workspace_mirror.ts";
import type { RunRequest } from "../engine/engine.ts";

/** Dependencies of the pools. */
export interface IsolatePoolsOptions {
  readonly current: IsolatePool;
  readonly engines: Pick<EngineArchive, "isCurrent" | "currentName" | "check" | "load">;
  /** Creates the pool of earlier engines. `isSpare`: see `PoolOptions`. */
  createEarlier(start: StartIsolate, isSpare: (isolate: Isolate) => boolean): IsolatePool;
  /** Starts a process with an engine: the body of `POST /engine`. */
  startProcess(engine: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Isolate>;
  /** Called with failures of the service itself; `cause` is for the log only. */
  readonly onStartFailure: (cause: unknown) => void;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** The system's timers when absent. */
  readonly timers?: Timers;
}

/**
 * How long an engine counts as refused by the isolate program, which costs a process to find out.
 */
const REFUSED_MS = 60_000;
/** Number of refused engines that are remembered. */
const REMEMBERED = 64;

/** An isolate with the engine that was asked for. */
export interface EngineHold extends IsolateHold {
  /** Name and version of the engine, as results show it. */
  readonly engineName: string;
}

/** The pools of one language. */
export class IsolatePools {
  readonly #options: IsolatePoolsOptions;
  readonly #earlier: IsolatePool;
  readonly #isolates = new Set<EarlierIsolate>();
  /** When each engine was refused. */
  readonly #refused = new Map<string, number>();

  constructor(options: IsolatePoolsOptions) {
    this.#options = options;
    this.#earlier = options.createEarlier(
      () => Promise.resolve(this.#create()),
      (isolate) => engineOf(isolate) === undefined,
    );
  }

  /**
   * Holds an isolate with an engine: the one that `holdsContext` accepts, if it is idle. Rejects
   * like `IsolatePool.hold`, with an EngineUnavailable when the engine may not or cannot run here,
   * and with a SnapshotUnreadable when its baseline is missing.
   */
  async hold(
    parts: EngineParts,
    caller: RunCaller,
    holdsContext: (isolate: Isolate) => boolean,
  ): Promise<EngineHold> {
    const { current, engines } = this.#options;
    if (engines.isCurrent(parts)) {
      const { preloaded } = parts;
      const same = preloaded === undefined ? [] : [hasBaseline(preloaded)];
      const hold = await current.hold(caller, { prefers: [holdsContext, ...same] });
      return { ...hold, engineName: engines.currentName };
    }
    const name = nameOf(parts);
    const isSame = (isolate: Isolate) => engineOf(isolate) === name;
    const isRunning = [...this.#isolates].some((isolate) => isolate.usable && isSame(isolate));
    if (!isRunning) {
      // before it waits for an isolate
      await engines.check(parts);
      this.#checkRefused(name);
    }
    const hold = await this.#earlier.hold(caller, {
      prefers: [holdsContext, isSame, (isolate) => engineOf(isolate) === undefined],
      prepare: (isolate, leftMs) => this.#prepare(isolate, parts, { caller, leftMs }),
    });
    const { isolate } = hold;
    return { ...hold, engineName: isolate instanceof EarlierIsolate ? isolate.engineName : "" };
  }

  /** Number of live isolates with earlier engines. */
  earlierIsolates(): number {
    return [...this.#isolates].filter(({ engine, usable }) => usable && engine !== undefined)
      .length;
  }

  /** Ends the isolates with earlier engines. */
  async close(): Promise<void> {
    await this.#earlier.close();
  }

  #create(): EarlierIsolate {
    const isolate = new EarlierIsolate();
    this.#isolates.add(isolate);
    isolate.ended.then(() => this.#isolates.delete(isolate));
    return isolate;
  }

  /** Gives an isolate the engine, unless it has it. */
  async #prepare(
    isolate: Isolate,
    parts: EngineParts,
    { caller: { signal }, leftMs }: { readonly caller: RunCaller; readonly leftMs: number },
  ): Promise<void> {
    const name = nameOf(parts);
    if (!(isolate instanceof EarlierIsolate) || isolate.engine === name) return;
    const late = new AbortController();
    const { timers = systemTimers, engines } = this.#options;
    const cancel = timers.after(leftMs, () => late.abort(waitedTooLong()));
    const ends = AbortSignal.any([late.signal, ...signal === undefined ? [] : [signal]]);
    try {
      ends.throwIfAborted();
      const { body, engineName } = await engines.load(parts, ends);
      await this.#start(isolate, { name, engineName, body }, ends);
    } finally {
      cancel();
    }
  }

  async #start(
    isolate: EarlierIsolate,
    { name, engineName, body }: {
      readonly name: string;
      readonly engineName: string;
      readonly body: Uint8Array<ArrayBuffer>;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const start: StartIsolate = (stop) => this.#options.startProcess(body, stop);
    try {
      await isolate.take({ engine: name, engineName }, start, signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (!isolate.usable) throw runtimeUnavailable(); // the pool was closed meanwhile
      this.#options.onStartFailure(cause);
      if (!(cause instanceof Error && cause.cause instanceof EngineRefused)) {
        throw runtimeUnavailable();
      }
      if (this.#refused.size >= REMEMBERED) this.#refused.clear();
      this.#refused.set(name, this.#options.monotonic());
      this.#checkRefused(name);
    }
  }

  #checkRefused(name: string): void {
    const refusedAt = this.#refused.get(name) ?? -Infinity;
    if (this.#options.monotonic() - refusedAt >= REFUSED_MS) return;
    throw new EngineUnavailable("the isolate program cannot load the engine");
  }
}

function nameOf({ engine, baseline }: EngineParts): string {
  return `${engine}/${baseline}`;
}

/** The engine of an isolate; undefined when it has none. */
function engineOf(isolate: Isolate): string | undefined {
  return isolate instanceof EarlierIsolate ? isolate.engine : undefined;
}

/** A context in an isolate's memory. */
export interface Resident extends ContextAddress {
  /** Number of the run that left the state, by which the isolate identifies it. */
  readonly run: number;
  /** Reference to the snapshot of the same state. */
  readonly reference: string;
  readonly index: SnapshotIndex;
  readonly mirror: WorkspaceMirror;
}

/** The resident contexts of one language. */
export class Residents {
  readonly #of = new WeakMap<Isolate, Resident>();

  /** The resident of an isolate, if it is that context in the state that the reference names. */
  find(
    isolate: Isolate,
    { sandboxKey, contextId }: ContextAddress,
    reference: string | null,
  ): Resident | undefined {
    const resident = this.#of.get(isolate);
    const same = resident !== undefined && isolate.holdsContext &&
      resident.sandboxKey === sandboxKey &&
      resident.contextId === contextId && resident.reference === reference;
    return same ? resident : undefined;
  }

  /** Records what an isolate holds. */
  set(isolate: Isolate, resident: Resident): void {
    this.#of.set(isolate, resident);
  }

  /** Records that an isolate holds no state from which a run could continue. */
  delete(isolate: Isolate): void {
    this.#of.delete(isolate);
  }
}

/**
 * An isolate for engines of earlier builds: it takes one after the other, each in a process of its own.
 * Without an engine it is an entry in its pool that costs nothing.
 */
class EarlierIsolate implements Isolate {
  readonly ended: Promise<void>;
  readonly #end = Promise.withResolvers<void>();
  #process: Isolate | undefined;
  #engine: string | undefined;
  #engineName = "";
  /** Aborts a start in progress. */
  readonly #killed = new AbortController();
  #starting = false;

  constructor() {
    this.ended = this.#end.promise;
  }

  get usable(): boolean {
    return !this.#killed.signal.aborted && this.#process?.usable !== false;
  }

  get holdsContext(): boolean {
    return this.#process?.holdsContext ?? false;
  }

  /** Name of the engine in its process; undefined without a process. */
  get engine(): string | undefined {
    return this.#engine;
  }

  /** Name and version of that engine, as results show it. */
  get engineName(): string {
    return this.#engineName;
  }

  /** Replaces the process by one with another engine. Rejects with what the start rejects with. */
  async take(
    { engine, engineName }: { readonly engine: string; readonly engineName: string },
    start: StartIsolate,
    signal: AbortSignal,
  ): Promise<void> {
    this.#starting = true;
    try {
      await this.#endProcess();
      const process = await start(AbortSignal.any([this.#killed.signal, signal]));
      this.#process = process;
      this.#engine = engine;
      this.#engineName = engineName;
      process.ended.then(() => {
        if (this.#process === process) this.#end.resolve();
      });
      if (this.#killed.signal.aborted) process.kill();
    } finally {
      this.#starting = false;
      if (this.#killed.signal.aborted && this.#process === undefined) this.#end.resolve();
    }
  }

  async run(
    request: RunRequest,
    context?: ContextRun,
    observers?: RunObservers,
  ): Promise<IsolateRun> {
    if (this.#process === undefined) throw new Error("The isolate has no engine");
    return await this.#process.run(request, context, observers);
  }

  kill(): void {
    this.#killed.abort();
    this.#process?.kill();
    if (this.#process === undefined && !this.#starting) this.#end.resolve();
  }

  /** The next one starts when the memory of this one is free. */
  async #endProcess(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    this.#engine = undefined;
    process?.kill();
    await process?.ended;
  }
}
