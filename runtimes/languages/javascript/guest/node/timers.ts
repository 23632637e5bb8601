/**
 * `timers` and `timers/promises`: Node's functions over the event loop.
 *
 * @module
 */
import { createTask, type EventLoop, MAX_DELAY, type Task } from "../event_loop.ts";
import {
  listFrom,
  MapPrototypeDelete,
  MapPrototypeGet,
  MapPrototypeSet,
  MathTrunc,
  SymbolFor,
  SymbolToPrimitive,
} from "../primordials.ts";
import type { Timer } from "../timer_queue.ts";
import { setName } from "../web/expose.ts";
import { invalidArgument, requireFunction } from "../web/node_error.ts";

/** Node's symbol for the variant of a function that returns a promise. */
export const PROMISIFY_CUSTOM: symbol = SymbolFor("nodejs.util.promisify.custom");
const NewPromise = Promise;

/** Emits a warning: `process.emitWarning`. */
export type Warn = (message: string, name: string) => void;

/** The functions of `timers`. */
export interface TimerFunctions {
  readonly setTimeout: (...args: readonly unknown[]) => object;
  readonly setInterval: (...args: readonly unknown[]) => object;
  readonly setImmediate: (...args: readonly unknown[]) => object;
  readonly clearTimeout: (timer?: unknown) => void;
  readonly clearInterval: (timer?: unknown) => void;
  readonly clearImmediate: (timer?: unknown) => void;
}

/** A delay in whole milliseconds, as Node reads it. */
function readDelay(value: unknown, warn: Warn): number {
  const delay = Number(value);
  if (delay >= 1 && delay <= MAX_DELAY) return MathTrunc(delay);
  if (delay > MAX_DELAY) {
    const message = `${delay} does not fit into a 32-bit signed integer.\n` +
      "Timeout duration was set to 1.";
    warn(message, "TimeoutOverflowWarning");
  }
  return 1;
}

interface TimerClasses {
  makeTimer(callback: unknown, delay: number, args: ArrayLike<unknown>, repeats: boolean): object;
  makeImmediate(callback: unknown, args: ArrayLike<unknown>): object;
  clear(value: unknown): void;
}

function createClasses(loop: EventLoop): TimerClasses {
  const numbered = new Map<number, object>();
  let nextNumber = 1;

  class Timeout {
    readonly #timer: Timer;
    #number = 0;

    constructor(callback: unknown, delay: number, args: ArrayLike<unknown>, repeats: boolean) {
      this.#timer = {
        callback,
        args,
        self: this,
        delay,
        repeats,
        wakeAt: 0,
        order: 0,
        referenced: true,
        waiting: false,
      };
      loop.startTimer(this.#timer);
    }

    static cancel(value: unknown): boolean {
      if (typeof value !== "object" || value === null || !(#timer in value)) return false;
      loop.cancel(value.#timer);
      MapPrototypeDelete(numbered, value.#number);
      return true;
    }

    ref(): this {
      loop.setReferenced(this.#timer, true);
      return this;
    }

    unref(): this {
      loop.setReferenced(this.#timer, false);
      return this;
    }

    hasRef(): boolean {
      return this.#timer.referenced;
    }

    refresh(): this {
      loop.startTimer(this.#timer);
      return this;
    }

    close(): this {
      loop.cancel(this.#timer);
      return this;
    }

    [SymbolToPrimitive](): number {
      if (this.#number === 0) {
        this.#number = nextNumber++;
        MapPrototypeSet(numbered, this.#number, this);
      }
      return this.#number;
    }
  }

  class Immediate {
    readonly #task: Task;

    constructor(callback: unknown, args: ArrayLike<unknown>) {
      this.#task = createTask(callback, args);
      this.#task.self = this;
      loop.addImmediate(this.#task);
    }

    static cancel(value: unknown): boolean {
      if (typeof value !== "object" || value === null || !(#task in value)) return false;
      loop.cancel(value.#task);
      return true;
    }

    ref(): this {
      loop.setReferenced(this.#task, true);
      return this;
    }

    unref(): this {
      loop.setReferenced(this.#task, false);
      return this;
    }

    hasRef(): boolean {
      return this.#task.referenced;
    }
  }

  setName(Timeout, "Timeout");
  setName(Immediate, "Immediate");
  return {
    makeTimer: (callback, delay, args, repeats) => new Timeout(callback, delay, args, repeats),
    makeImmediate: (callback, args) => new Immediate(callback, args),
    clear: (value) => {
      if (Timeout.cancel(value) || Immediate.cancel(value)) return;
      const number = typeof value === "string" ? Number(value) : value;
      Timeout.cancel(MapPrototypeGet(numbered, number));
    },
  };
}

/** The timer functions of one guest. */
export function createTimers(loop: EventLoop, warn: Warn): TimerFunctions {
  const { makeTimer, makeImmediate, clear } = createClasses(loop);
  const start = (args: readonly unknown[], repeats: boolean): object => {
    requireFunction("callback", args[0]);
    return makeTimer(args[0], readDelay(args[1], warn), listFrom(args, 2), repeats);
  };
  return {
    setTimeout: (...args) => start(args, false),
    setInterval: (...args) => start(args, true),
    setImmediate: (...args) => {
      requireFunction("callback", args[0]);
      return makeImmediate(args[0], listFrom(args, 1));
    },
    clearTimeout: (timer) => clear(timer),
    clearInterval: (timer) => clear(timer),
    clearImmediate: (timer) => clear(timer),
  };
}

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

function abortError(signal: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

function readOptions(value: unknown): WaitOptions {
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null) return value;
  throw invalidArgument("options", "of type object", value);
}

/** `timers/promises`. */
export interface TimerPromises {
  readonly setTimeout: (delay?: unknown, value?: unknown, options?: unknown) => Promise<unknown>;
  readonly setImmediate: (value?: unknown, options?: unknown) => Promise<unknown>;
  readonly setInterval: (
    delay?: unknown,
    value?: unknown,
    options?: unknown,
  ) => AsyncGenerator<unknown>;
  readonly scheduler: object;
}

type Start = (done: () => void) => object;

/** Starts a timer. Returns a promise that settles with the timer or with the signal. */
function wait(
  timers: TimerFunctions,
  start: Start,
  value: unknown,
  options: WaitOptions,
): Promise<unknown> {
  const { signal, ref = true } = options;
  if (signal?.aborted) return NewPromise.reject(abortError(signal));
  return new NewPromise((resolve, reject) => {
    const onAbort = () => {
      timers.clearTimeout(timer);
      if (signal !== undefined) reject(abortError(signal));
    };
    const timer = start(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    });
    if (!ref && "unref" in timer && typeof timer.unref === "function") timer.unref();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** The timer functions that return promises, built on the others. */
export function createTimerPromises(timers: TimerFunctions): TimerPromises {
  const sleep = (delay?: unknown, value?: unknown, options?: unknown) =>
    wait(timers, (done) => timers.setTimeout(done, delay), value, readOptions(options));
  const immediate = (value?: unknown, options?: unknown) =>
    wait(timers, (done) => timers.setImmediate(done), value, readOptions(options));
  async function* every(delay?: unknown, value?: unknown, options?: unknown) {
    const given = readOptions(options);
    for (;;) yield await wait(timers, (done) => timers.setTimeout(done, delay), value, given);
  }
  return {
    setTimeout: sleep,
    setImmediate: immediate,
    setInterval: every,
    scheduler: {
      wait: (delay: unknown, options?: unknown) => sleep(delay, undefined, options),
      yield: () => immediate(),
    },
  };
}
