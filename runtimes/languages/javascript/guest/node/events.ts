/**
 * `events`: the npm package of that name, which is an older version of Node's own, with Node's
 * later additions.
 *
 * @module
 */
import PackageEmitter from "events";
import { inspectWith } from "../inspect/inspect.ts";
import { defineHidden } from "../primordials.ts";
import { setName } from "../web/expose.ts";
import { invalidArgument, nodeError } from "../web/node_error.ts";
import type { Warn } from "./timers.ts";

type Listener = (...args: unknown[]) => unknown;

/** The part of an emitter that this environment uses. */
export interface Emitter {
  on(event: string | symbol, listener: Listener): this;
  once(event: string | symbol, listener: Listener): this;
  off(event: string | symbol, listener: Listener): this;
  emit(event: string | symbol, ...args: unknown[]): boolean;
  listenerCount(event: string | symbol): number;
  listeners(event: string | symbol): Listener[];
  getMaxListeners(): number;
}

/** The class, which is also the module. */
export interface EmitterClass {
  new (): Emitter;
  readonly prototype: Emitter;
  init(this: Emitter): void;
  defaultMaxListeners: number;
}

const ERROR_MONITOR = Symbol("events.errorMonitor");
const CAPTURE = Symbol("kCapture");
const SHAPE_MODE = Symbol("shapeMode");

function isEmitterClass(value: unknown): value is EmitterClass {
  return typeof value === "function";
}

function emitterClass(): EmitterClass {
  if (!isEmitterClass(PackageEmitter)) throw new TypeError("The package events has no class");
  return PackageEmitter;
}

/** The class `EventEmitter`. */
export const EventEmitter: EmitterClass = emitterClass();

function define(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true });
}

function unhandledError(reason: unknown): unknown {
  if (reason instanceof Error) return reason;
  const shown = typeof reason === "string" || typeof reason === "object"
    ? inspectWith(reason)
    : String(reason);
  const error = nodeError(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${shown})`);
  return Object.assign(error, { context: reason });
}

/** `emit` that passes errors to monitors, and throws errors without listeners. */
function patchEmit(): void {
  const emit = EventEmitter.prototype.emit;
  define(EventEmitter.prototype, "emit", function emitWithErrors(
    this: Emitter,
    event: string | symbol,
    ...args: unknown[]
  ): boolean {
    if (event === "error") {
      if (this.listenerCount(ERROR_MONITOR) > 0) emit.call(this, ERROR_MONITOR, ...args);
      if (this.listenerCount("error") === 0) throw unhandledError(args[0]);
    }
    return emit.call(this, event, ...args);
  });
}

function checkListener(listener: unknown): void {
  if (typeof listener !== "function") {
    throw invalidArgument("listener", "of type function", listener);
  }
}

/** Methods that add listeners. They check listeners and warn of possible leaks. */
function patchAdding(name: "on" | "addListener" | "prependListener", warn: Warn): void {
  const add: unknown = Reflect.get(EventEmitter.prototype, name);
  const warned = new WeakMap<object, Set<string | symbol>>();
  define(EventEmitter.prototype, name, function (
    this: Emitter,
    event: string | symbol,
    listener: unknown,
  ): unknown {
    checkListener(listener);
    silencePackage(this, event);
    const result = Reflect.apply(add as Listener, this, [event, listener]);
    const most = this.getMaxListeners();
    const count = this.listenerCount(event);
    if (most > 0 && count > most) warnOnce(warned, this, event, count, warn);
    return result;
  });
}

/**
 * The package marks listener lists that it warned about; marking them first suppresses its warning,
 * which differs from Node's.
 */
function silencePackage(emitter: Emitter, event: string | symbol): void {
  const events: unknown = Reflect.get(emitter, "_events");
  const list: unknown = typeof events === "object" && events !== null
    ? Reflect.get(events, event)
    : undefined;
  if (Array.isArray(list)) defineHidden(list, "warned", true);
}

function warnOnce(
  warned: WeakMap<object, Set<string | symbol>>,
  emitter: Emitter,
  event: string | symbol,
  count: number,
  warn: Warn,
): void {
  const events = warned.get(emitter) ?? new Set<string | symbol>();
  if (events.has(event)) return;
  warned.set(emitter, events.add(event));
  const name = emitter.constructor?.name ?? "EventEmitter";
  warn(
    `Possible EventEmitter memory leak detected. ${count} ${String(event)} listeners added ` +
      `to [${name}]. MaxListeners is ${emitter.getMaxListeners()}. Use emitter.setMaxListeners() to increase limit`,
    "MaxListenersExceededWarning",
  );
}

/** The fields that Node's emitters show on the console. */
function patchInit(): void {
  const init = EventEmitter.init;
  EventEmitter.init = function (this: Emitter): void {
    init.call(this);
    if (!(SHAPE_MODE in this)) {
      Reflect.set(this, SHAPE_MODE, false);
      Reflect.set(this, CAPTURE, false);
    }
  };
}

interface StreamOptions {
  readonly signal?: AbortSignal;
  readonly close?: readonly string[];
}

function abortError(signal: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

/** `events.on`: the events of an emitter as an async iterator of their arguments. */
function createEventStream(
  emitter: Emitter,
  event: string | symbol,
  options: StreamOptions = {},
): AsyncIterableIterator<unknown> {
  const waiting: PromiseWithResolvers<IteratorResult<unknown>>[] = [];
  const queued: unknown[] = [];
  let failure: { readonly reason: unknown } | undefined;
  let done = false;
  const onEvent = (...args: unknown[]) => {
    const next = waiting.shift();
    if (next === undefined) queued.push(args);
    else next.resolve({ value: args, done: false });
  };
  const finish = () => {
    done = true;
    emitter.off(event, onEvent);
    emitter.off("error", onError);
    for (const next of waiting.splice(0)) next.resolve({ value: undefined, done: true });
  };
  const onError = (reason: unknown) => {
    const next = waiting.shift();
    if (next === undefined) failure = { reason };
    else next.reject(reason);
    finish();
  };
  emitter.on(event, onEvent);
  if (event !== "error") emitter.on("error", onError);
  for (const name of options.close ?? []) emitter.on(name, finish);
  const { signal } = options;
  if (signal?.aborted) onError(abortError(signal));
  else signal?.addEventListener("abort", () => onError(abortError(signal)), { once: true });
  return {
    next() {
      if (queued.length > 0) return Promise.resolve({ value: queued.shift(), done: false });
      if (failure !== undefined) {
        const { reason } = failure;
        failure = undefined;
        return Promise.reject(reason);
      }
      if (done) return Promise.resolve({ value: undefined, done: true });
      const next = Promise.withResolvers<IteratorResult<unknown>>();
      waiting.push(next);
      return next.promise;
    },
    return() {
      finish();
      return Promise.resolve({ value: undefined, done: true });
    },
    throw(reason: unknown) {
      onError(reason);
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** `events.once`, which a signal can end. */
function patchOnce(): void {
  const once = Reflect.get(EventEmitter, "once") as (
    emitter: object,
    event: string | symbol,
  ) => Promise<unknown>;
  const patched = (emitter: object, event: string | symbol, options: StreamOptions = {}) => {
    const { signal } = options;
    if (signal === undefined) return once(emitter, event);
    if (signal.aborted) return Promise.reject(abortError(signal));
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(abortError(signal)), { once: true });
    });
    return Promise.race([once(emitter, event), aborted]);
  };
  define(EventEmitter, "once", patched);
}

/** Adds what Node's module has and the package lacks. */
export function completeEvents(warn: Warn): void {
  setName(EventEmitter, "EventEmitter");
  patchInit();
  patchEmit();
  for (const name of ["on", "addListener", "prependListener"] as const) patchAdding(name, warn);
  patchOnce();
  const additions = {
    EventEmitter,
    on: createEventStream,
    errorMonitor: ERROR_MONITOR,
    captureRejections: false,
    captureRejectionSymbol: Symbol.for("nodejs.rejection"),
    usingDomains: false,
    getEventListeners: (emitter: Emitter, event: string | symbol) => emitter.listeners(event),
    getMaxListeners: (emitter: Emitter) => emitter.getMaxListeners(),
    setMaxListeners(limit: number, ...emitters: readonly object[]): void {
      if (emitters.length === 0) EventEmitter.defaultMaxListeners = limit;
      for (const emitter of emitters) Reflect.set(emitter, "_maxListeners", limit);
    },
  };
  for (const [name, value] of Object.entries(additions)) Reflect.set(EventEmitter, name, value);
}
