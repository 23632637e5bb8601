/**
 * `EventTarget` of the DOM Standard. There is no tree: an event has one target.
 *
 * @module
 */
import { queueJob } from "../primordials.ts";
import { type Event, eventDispatch } from "./event.ts";
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { invalidArgument, missingArguments, nodeError } from "./node_error.ts";

type Callback = object;

interface Listener {
  readonly callback: Callback;
  readonly capture: boolean;
  readonly once: boolean;
  readonly passive: boolean;
  removed: boolean;
}

/** Connects `signal` with a listener; `abort.ts` provides it. */
type OnAbort = (signal: object, remove: () => void) => boolean;

interface Options {
  readonly capture: boolean;
  readonly once: boolean;
  readonly passive: boolean;
  readonly signal: unknown;
}

/**
 * Calls a function when a signal aborts. Returns whether it has already aborted. Set by `abort.ts`.
 */
export const signalHook: { onAbort: OnAbort } = {
  onAbort(signal) {
    throw invalidArgument("options.signal", "an instance of AbortSignal", signal);
  },
};

const apply = Reflect.apply;

function readOptions(options: unknown): Options {
  if (typeof options !== "object" && typeof options !== "function" || options === null) {
    return { capture: Boolean(options), once: false, passive: false, signal: undefined };
  }
  const given = options as Partial<Options>;
  return {
    capture: Boolean(given.capture),
    once: Boolean(given.once),
    passive: Boolean(given.passive),
    signal: given.signal,
  };
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

/** A listener's exception ends the run like an uncaught one, after the dispatch. */
function report(error: unknown): void {
  queueJob(() => {
    throw error;
  });
}

function invoke(callback: Callback, event: Event, target: EventTarget): void {
  try {
    if (typeof callback === "function") {
      apply(callback, target, [event]);
      return;
    }
    const handle: unknown = Reflect.get(callback, "handleEvent");
    if (typeof handle !== "function") throw invalidArgument("handleEvent", "a function", handle);
    apply(handle, callback, [event]);
  } catch (error) {
    report(error);
  }
}

/** An object that receives events. */
export class EventTarget {
  readonly #listeners = new Map<string, Listener[]>();

  addEventListener(type: unknown, callback: unknown, options: unknown = undefined): void {
    if (arguments.length < 2) throw missingArguments("type", "listener");
    const { capture, once, passive, signal } = readOptions(options);
    if (callback === null || callback === undefined) return;
    if (!isCallback(callback)) {
      throw invalidArgument("listener", "an instance of EventListener", callback);
    }
    const name = `${type}`;
    if (signal !== undefined) {
      const remove = () => this.removeEventListener(name, callback, capture);
      if (signalHook.onAbort(signal as object, remove)) return;
    }
    const listeners = this.#listeners.get(name) ?? [];
    if (this.#indexOf(listeners, callback, capture) >= 0) return;
    this.#listeners.set(name, [...listeners, { callback, capture, once, passive, removed: false }]);
  }

  removeEventListener(type: unknown, callback: unknown, options: unknown = undefined): void {
    if (arguments.length < 2) throw missingArguments("type", "listener");
    const { capture } = readOptions(options);
    const name = `${type}`;
    const listeners = this.#listeners.get(name) ?? [];
    const at = this.#indexOf(listeners, callback, capture);
    const listener = listeners[at];
    if (listener === undefined) return;
    listener.removed = true;
    this.#listeners.set(name, listeners.filter((one) => one !== listener));
  }

  #indexOf(listeners: readonly Listener[], callback: unknown, capture: boolean): number {
    return listeners.findIndex((one) => one.callback === callback && one.capture === capture);
  }

  dispatchEvent(event: Event): boolean {
    if (arguments.length === 0) throw missingArguments("event");
    const dispatch = this.#begin(event);
    dispatch.target = this;
    dispatch.dispatching = true;
    for (const listener of this.#listeners.get(event.type) ?? []) {
      if (listener.removed) continue;
      if (listener.once) this.removeEventListener(event.type, listener.callback, listener.capture);
      dispatch.passive = listener.passive;
      invoke(listener.callback, event, this);
      dispatch.passive = false;
      if (dispatch.stoppedAtOnce) break;
    }
    dispatch.dispatching = false;
    return !event.defaultPrevented;
  }

  #begin(event: Event): ReturnType<typeof eventDispatch> {
    let dispatch: ReturnType<typeof eventDispatch>;
    try {
      dispatch = eventDispatch(event);
    } catch {
      throw invalidArgument("event", "an instance of Event", event);
    }
    if (dispatch.dispatching) {
      const message = `The event "${event.type}" is already being dispatched`;
      throw nodeError(Error, "ERR_EVENT_RECURSION", message);
    }
    return dispatch;
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, this.constructor?.name ?? "EventTarget", {}, args);
  }
}

/** Prepares the class for guests. */
export function exposeEventTarget(): void {
  exposeInterface(EventTarget, "EventTarget");
}
