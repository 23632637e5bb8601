/**
 * A store that falls silent: from some operation on it does not answer, until it is back.
 *
 * @module
 */
import { systemTimers, type Timers } from "../../shared/timers.ts";
import type { KvStore } from "../../store/kv.ts";
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";

/** The fate of operations that are not answered. */
export type Silence =
  /** They are not done. */
  | "never done"
  /** They are done immediately. */
  | "done"
  /** They are done when the store is back, as Deno's client of a KV server does. */
  | "done late";

/** The store, with its silence. */
export class SilentStore extends WrappedStore {
  /** The number of operations so far. */
  asked = 0;
  #from = Infinity;
  #lost = Infinity;
  #silence: Silence = "never done";
  #back = Promise.withResolvers<void>();
  readonly #late: Promise<unknown>[] = [];

  constructor(kv: KvStore) {
    super(kv);
  }

  /** Falls silent after this many more operations. */
  fallSilent(after: number, silence: Silence): void {
    this.#from = this.asked + after;
    this.#silence = silence;
  }

  /** Loses one answer, after this many more operations: the caller asks a second time. */
  loseAnswer(after: number): void {
    this.#lost = this.asked + after;
  }

  /** Whether it fell silent, or lost the answer. */
  get happened(): boolean {
    return this.asked > Math.min(this.#from, this.#lost);
  }

  /** Answers again. Resolves when all delayed operations are done. */
  async comeBack(): Promise<void> {
    this.#from = this.#lost = Infinity;
    this.#back.resolve();
    await Promise.allSettled(this.#late);
    this.#back = Promise.withResolvers();
  }

  protected override async around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    const number = this.asked++;
    if (number === this.#lost) await work();
    if (number < this.#from) return await work();
    const back = this.#back.promise;
    if (this.#silence === "done") return await Promise.all([work(), back]).then(([value]) => value);
    const isDone = this.#silence === "done late";
    const late = back.then(() => isDone ? work() : new Promise<never>(() => undefined));
    if (isDone) this.#late.push(late.catch(() => undefined));
    return await late;
  }

  override close(): void {}
}

/** Timers whose time limits end only while a store is silent: it may be slow on a busy machine. */
export function silenceTimers(silent: SilentStore): Timers {
  const after: Timers["after"] = (ms, call, background = false) => {
    const due = () => {
      if (background || silent.happened) call();
      else cancel = systemTimers.after(ms, due);
    };
    let cancel = systemTimers.after(ms, due, background);
    return () => cancel();
  };
  return { after };
}
