/**
 * An isolate for engines of earlier builds: it takes one after the other, each in a process of its
 * own. Without an engine it is an entry in its pool that costs nothing.
 *
 * @module
 */
import type { RunRequest } from "../engine/engine.ts";
import type {
  ContextRun,
  Isolate,
  IsolateRun,
  RunObservers,
  StartIsolate,
} from "../pool/isolate.ts";

/** An isolate whose engine can be replaced. */
export class EarlierIsolate implements Isolate {
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
