/**
 * Guards against a store that is gone for a while. Every operation has a time limit. While the
 * store answers nothing at all, operations are refused at once, and one read polls until the store
 * is back.
 *
 * | event | state before | after |
 * |---|---|---|
 * | an operation got no answer for its whole time, and no other did meanwhile | ready | silent |
 * | any operation is answered, however late | silent | ready |
 *
 * An abandoned operation may still be carried out: Deno's client of a KV server retries without
 * end. So every write of the service is harmless later, because of the versions that it checks or
 * because its keys are never used again.
 *
 * @module
 */
import { STORE_LEAST_MS, STORE_READ_MS, STORE_WRITE_MS } from "../shared/limits.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import { PROBE_KEY } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { currentPatience } from "./patience.ts";
import { storeFailureOf } from "./store_failures.ts";
import { type StoreOperation, WrappedStore } from "./wrapped_store.ts";

/** Time limits of operations, in milliseconds. */
export interface AnswerTimes {
  readonly readMs: number;
  readonly writeMs: number;
}

/** The time limits for a service whose callers wait at most that long. */
export function answerTimes(maxWaitMs: number): AnswerTimes {
  const between = (least: number, ms: number, most: number) => Math.max(least, Math.min(ms, most));
  return {
    readMs: between(STORE_LEAST_MS, maxWaitMs / 2, STORE_READ_MS),
    writeMs: between(2 * STORE_LEAST_MS, maxWaitMs, STORE_WRITE_MS),
  };
}

/** Options of a {@link GuardedStore}. */
export interface GuardedStoreOptions extends AnswerTimes {
  readonly log: Log;
  readonly timers?: Timers;
  /** Monotonic milliseconds. */
  readonly monotonic?: () => number;
}

/** A timer this late shows that the process was busy, so answers may have arrived unread. */
const LATE_TIMER_MS = 50;
/** Longest pause until another read joins the one that polls the store. */
const LONGEST_ASK_MS = 300_000;

interface Pending {
  /** Fails after that time. */
  readonly wait: (ms: number) => void;
}

/** A store with bounded waits. */
export class GuardedStore extends WrappedStore {
  readonly #options: GuardedStoreOptions;
  readonly #timers: Timers;
  readonly #monotonic: () => number;
  readonly #pending = new Set<Pending>();
  /** Time of the last answer. */
  #answeredAt = -Infinity;
  /** Time since which nothing is answered. */
  #silentSince: number | undefined;
  #cancelAsking: () => void = () => {};
  /** Whether the last operation of each kind failed because of the storage itself. */
  readonly #broken = { read: false, write: false };
  /** Bounds every wait once the service stops. */
  #stopMs = Infinity;
  #closed = false;

  constructor(kv: KvStore, options: GuardedStoreOptions) {
    super(kv);
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#monotonic = options.monotonic ?? (() => performance.now());
  }

  /** Whether the store answers, as last known. */
  get state(): "ready" | "failing" {
    const { read, write } = this.#broken;
    return this.#silentSince !== undefined || read || write ? "failing" : "ready";
  }

  /** Reads a key that does not exist. Rejects when the store does not answer. */
  async probe(): Promise<void> {
    await this.get(PROBE_KEY);
  }

  /** From now on nothing waits longer than that, including operations that are waiting already. */
  hurry(ms: number): void {
    this.#stopMs = ms;
    for (const { wait } of this.#pending) wait(ms);
  }

  override close(): void | Promise<void> {
    this.#closed = true;
    this.#cancelAsking();
    return super.close();
  }

  protected override around<T>(operation: StoreOperation, work: () => Promise<T>): Promise<T> {
    const isWrite = operation === "commit" || operation === "set" || operation === "delete";
    const left = currentPatience() ?? Infinity;
    if (this.#silentSince !== undefined || left <= 0) {
      return Promise.reject(new StoreUnavailable(false));
    }
    const { readMs, writeMs } = this.#options;
    const own = isWrite ? writeMs : readMs;
    const ms = Math.min(own, Math.max(left, isWrite ? STORE_LEAST_MS : 0), this.#stopMs);
    return this.#bounded(work(), { ms, tells: ms >= own, isWrite });
  }

  /** `tells`: whether silence for that time means that the store is gone. */
  #bounded<T>(
    answer: Promise<T>,
    { ms, tells, isWrite }: { ms: number; tells: boolean; isWrite: boolean },
  ): Promise<T> {
    const began = this.#monotonic();
    return new Promise((resolve, reject) => {
      let cancel = () => {};
      const giveUp = () => {
        this.#pending.delete(pending);
        if (tells && this.#stopMs === Infinity && this.#answeredAt < began) {
          this.#noteSilence(began);
        }
        reject(new StoreUnavailable(isWrite));
      };
      const wait = (time: number, onTime = giveUp) => {
        cancel();
        const due = this.#monotonic() + time;
        cancel = this.#timers.after(time, () => {
          const isLate = onTime === giveUp && this.#monotonic() - due > LATE_TIMER_MS;
          if (isLate) cancel = this.#timers.after(LATE_TIMER_MS, giveUp);
          else onTime();
        });
      };
      const pending: Pending = { wait };
      this.#pending.add(pending);
      wait(ms);
      const settled = () => {
        cancel();
        this.#pending.delete(pending);
      };
      answer.then((value) => {
        settled();
        this.#noteAnswer();
        this.#noteBroken(isWrite, undefined);
        resolve(value);
      }, (thrown) => {
        settled();
        reject(this.#failure(thrown, isWrite));
      });
    });
  }

  #failure(thrown: unknown, isWrite: boolean): unknown {
    const failure = storeFailureOf(thrown);
    if (failure === undefined) return thrown;
    if (failure.fate !== "locked") this.#noteBroken(isWrite, thrown, failure.isFull);
    return new StoreUnavailable(isWrite && failure.fate === "unknown", failure.isFull);
  }

  #noteBroken(isWrite: boolean, thrown: unknown, isFull = false): void {
    const kind = isWrite ? "write" : "read";
    const broken = thrown !== undefined;
    if (this.#broken[kind] === broken) return;
    this.#broken[kind] = broken;
    if (broken) {
      const problem = isFull ? { problem: "the disk is full" } : {};
      this.#options.log("error", "store.fails", { kind, ...problem, ...describeCause(thrown) });
    } else this.#options.log("info", "store.works", { kind });
  }

  #noteSilence(since: number): void {
    if (this.#silentSince !== undefined || this.#closed) return;
    this.#silentSince = since;
    this.#options.log("error", "store.silent", { ms: Math.round(this.#monotonic() - since) });
    this.#ask(this.#options.readMs);
  }

  #noteAnswer(): void {
    this.#answeredAt = this.#monotonic();
    if (this.#silentSince === undefined) return;
    const ms = Math.round(this.#answeredAt - this.#silentSince);
    this.#silentSince = undefined;
    this.#cancelAsking();
    this.#options.log("info", "store.answers", { ms });
  }

  /**
   * Polls whether the store is back. Unanswered reads stay with Deno's client, which repeats each
   * of them several times a second, so there are few of them, at growing intervals.
   */
  #ask(againMs: number): void {
    if (this.#closed) return;
    this.kv.get(PROBE_KEY).then(() => this.#noteAnswer(), () => undefined);
    this.#cancelAsking = this.#timers.after(againMs, () => {
      this.#ask(Math.min(LONGEST_ASK_MS, 2 * againMs));
    }, true);
  }
}
