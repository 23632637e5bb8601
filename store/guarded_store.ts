/**
 * A store that may be gone for a while. Every operation has a time to be answered in; while nothing
 * is answered at all, operations are refused at once, and one read asks until the store is back.
 *
 * | event | state before | after |
 * |---|---|---|
 * | an operation was silent for its whole time, and nothing else was answered meanwhile | ready | silent |
 * | anything is answered, however late | silent | ready |
 *
 * An operation that was given up may still be done: Deno's client of a KV server goes on trying,
 * without end. So every write of the service is one that does no harm later, by the versions that
 * it checks or the names that it writes to, which nobody uses again.
 *
 * @module
 */
import { STORE_LEAST_MS, STORE_READ_MS, STORE_WRITE_MS } from "../wire/limits.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { StoreUnavailable } from "../wire/store_errors.ts";
import { systemTimers, type Timers } from "../wire/timers.ts";
import { PROBE_KEY } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { presentPatience } from "./patience.ts";
import { isLocked } from "./retry.ts";
import { isUndone, isUnreachable } from "./store_failures.ts";
import { type StoreOperation, WrappedStore } from "./wrapped_store.ts";

/** How long answers may take, in milliseconds. */
export interface AnswerTimes {
  readonly readMs: number;
  readonly writeMs: number;
}

/** The times for a service whose callers wait that long at most. */
export function answerTimes(maxWaitMs: number): AnswerTimes {
  const between = (least: number, ms: number, most: number) => Math.max(least, Math.min(ms, most));
  return {
    readMs: between(STORE_LEAST_MS, maxWaitMs / 2, STORE_READ_MS),
    writeMs: between(2 * STORE_LEAST_MS, maxWaitMs, STORE_WRITE_MS),
  };
}

/** What a {@link GuardedStore} needs. */
export interface GuardedStoreOptions extends AnswerTimes {
  readonly log: Log;
  readonly timers?: Timers;
  /** Monotonic milliseconds. */
  readonly monotonic?: () => number;
}

/** A timer this late tells that the process was busy: answers may lie there unread. */
const LATE_TIMER_MS = 50;
/** Longest time after which a read that asks for the store is joined by another one. */
const LONGEST_ASK_MS = 300_000;

interface Pending {
  /** Gives up after that time. */
  readonly wait: (ms: number) => void;
}

/** The same store, with bounded waits. */
export class GuardedStore extends WrappedStore {
  readonly #options: GuardedStoreOptions;
  readonly #timers: Timers;
  readonly #monotonic: () => number;
  readonly #pending = new Set<Pending>();
  /** When anything was answered last. */
  #answeredAt = -Infinity;
  /** Since when nothing is answered. */
  #silentSince: number | undefined;
  #cancelAsking: () => void = () => {};
  /** Whether the last operation of a kind failed for the place where data are kept. */
  readonly #broken = { read: false, write: false };
  /** Bounds every wait from the moment that the service stops. */
  #stopMs = Infinity;
  #closed = false;

  constructor(kv: KvStore, options: GuardedStoreOptions) {
    super(kv);
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#monotonic = options.monotonic ?? (() => performance.now());
  }

  /** Whether it answers, as far as is known. */
  get state(): "ready" | "failing" {
    const { read, write } = this.#broken;
    return this.#silentSince !== undefined || read || write ? "failing" : "ready";
  }

  /** From now on nothing waits longer than that, also what waits already. */
  hurry(ms: number): void {
    this.#stopMs = ms;
    for (const { wait } of this.#pending) wait(ms);
  }

  override close(): void {
    this.#closed = true;
    this.#cancelAsking();
    super.close();
  }

  protected override around<T>(operation: StoreOperation, work: () => Promise<T>): Promise<T> {
    const isWrite = operation === "commit" || operation === "set" || operation === "delete";
    const left = presentPatience() ?? Infinity;
    if (this.#silentSince !== undefined || left <= 0) {
      return Promise.reject(new StoreUnavailable(false));
    }
    const { readMs, writeMs } = this.#options;
    const own = isWrite ? writeMs : readMs;
    const ms = Math.min(own, Math.max(left, isWrite ? STORE_LEAST_MS : 0), this.#stopMs);
    return this.#bounded(work(), { ms, tells: ms >= own, isWrite });
  }

  /** `tells`: silence for that time means that the store is gone. */
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
    if (isLocked(thrown)) return new StoreUnavailable(false);
    const undone = isUndone(thrown);
    if (!undone && !isUnreachable(thrown)) return thrown;
    this.#noteBroken(isWrite, thrown);
    return new StoreUnavailable(isWrite && !undone);
  }

  #noteBroken(isWrite: boolean, thrown: unknown): void {
    const kind = isWrite ? "write" : "read";
    const broken = thrown !== undefined;
    if (this.#broken[kind] === broken) return;
    this.#broken[kind] = broken;
    if (broken) this.#options.log("error", "store.fails", { kind, ...describeCause(thrown) });
    else this.#options.log("info", "store.works", { kind });
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
   * Asks whether it is back. Reads that are not answered stay with Deno's client, which repeats
   * each of them several times a second: so there are few of them, ever farther apart.
   */
  #ask(againMs: number): void {
    if (this.#closed) return;
    this.kv.get(PROBE_KEY).then(() => this.#noteAnswer(), () => undefined);
    this.#cancelAsking = this.#timers.after(againMs, () => {
      this.#ask(Math.min(LONGEST_ASK_MS, 2 * againMs));
    }, true);
  }
}
