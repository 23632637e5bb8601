/**
 * `AbortController` and `AbortSignal` of the DOM Standard.
 *
 * @module
 */
import { trustedEvent } from "./event.ts";
import { EventTarget, signalHook } from "./event_target.ts";
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { illegalConstructor, invalidArgument, outOfRange } from "./node_error.ts";

/** `setTimeout` of the timers module. */
export type SetTimeout = (callback: () => void, ms: number) => unknown;

const CONSTRUCT = Symbol("construct");
const MAX_DELAY = 0xffffffff;

let setTimer: SetTimeout | undefined;
let abortSignal: (signal: AbortSignal, reason: unknown) => void;
let onAbort: (signal: AbortSignal, run: () => void) => boolean;
let isSignal: (value: unknown) => value is AbortSignal;

function abortError(): DOMException {
  return new DOMException("This operation was aborted", "AbortError");
}

function createSignal(): AbortSignal {
  return new AbortSignal(CONSTRUCT);
}

/** Unreferences the timer, so that it does not keep a program running. */
function release(timer: unknown): void {
  const unref: unknown = (timer as { unref?: unknown } | null)?.unref;
  if (typeof unref === "function") Reflect.apply(unref, timer, []);
}

/** Tells an operation to stop. */
export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  #algorithms: (() => void)[] = [];
  #handler: unknown = null;
  #handlerListens = false;

  static {
    abortSignal = (signal, reason) => signal.#abort(reason);
    onAbort = (signal, run) => {
      if (!signal.#aborted) signal.#algorithms.push(run);
      return signal.#aborted;
    };
    isSignal = (value): value is AbortSignal =>
      typeof value === "object" && value !== null && #aborted in value;
  }

  constructor(key: unknown = undefined) {
    if (key !== CONSTRUCT) throw illegalConstructor();
    super();
  }

  static abort(reason: unknown = abortError()): AbortSignal {
    const signal = createSignal();
    signal.#aborted = true;
    signal.#reason = reason;
    return signal;
  }

  static timeout(delay: unknown): AbortSignal {
    if (typeof delay !== "number") throw invalidArgument("delay", "of type number", delay);
    if (!Number.isInteger(delay)) throw outOfRange("delay", "an integer", delay);
    if (delay < 0 || delay > MAX_DELAY) {
      throw outOfRange("delay", `>= 0 && <= ${MAX_DELAY}`, delay);
    }
    const signal = createSignal();
    const timer = setTimer?.(() => {
      const message = "The operation was aborted due to timeout";
      signal.#abort(new DOMException(message, "TimeoutError"));
    }, delay);
    release(timer);
    return signal;
  }

  static any(signals: unknown): AbortSignal {
    if (typeof signals !== "object" || signals === null) {
      throw invalidArgument("signals", "an instance of Array", signals);
    }
    const list = [...signals as Iterable<unknown>];
    list.forEach((signal, index) => requireSignal(`signals[${index}]`, signal));
    const result = createSignal();
    for (const signal of list as AbortSignal[]) {
      const follow = () => abortSignal(result, signal.#reason);
      if (onAbort(signal, follow)) {
        result.#aborted = true;
        result.#reason = signal.#reason;
        break;
      }
    }
    return result;
  }

  #abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const algorithms = this.#algorithms;
    this.#algorithms = [];
    for (const run of algorithms) run();
    this.dispatchEvent(trustedEvent("abort"));
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  get onabort(): unknown {
    return this.#handler;
  }

  set onabort(value: unknown) {
    this.#handler = typeof value === "function" || typeof value === "object" ? value : null;
    if (this.#handlerListens) return;
    this.#handlerListens = true;
    this.addEventListener("abort", (event: unknown) => {
      if (typeof this.#handler === "function") Reflect.apply(this.#handler, this, [event]);
    });
  }

  override [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "AbortSignal", { aborted: this.#aborted }, args);
  }
}

function requireSignal(name: string, value: unknown): void {
  if (!isSignal(value)) throw invalidArgument(name, "an instance of AbortSignal", value);
}

/** Aborts a signal. */
export class AbortController {
  readonly #signal = createSignal();

  get signal(): AbortSignal {
    return this.#signal;
  }

  abort(reason: unknown = abortError()): void {
    abortSignal(this.#signal, reason);
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "AbortController", { signal: this.#signal }, args);
  }
}

/** Prepares the classes for guests, with the given timers. */
export function exposeAbort(setTimeout: SetTimeout | undefined): void {
  setTimer = setTimeout;
  signalHook.onAbort = (signal, remove) => {
    requireSignal("options.signal", signal);
    return isSignal(signal) && onAbort(signal, remove);
  };
  exposeInterface(AbortSignal, "AbortSignal");
  exposeInterface(AbortController, "AbortController");
}
