/**
 * Globals that must exist before the other modules of this environment load, because npm packages
 * look for globals while they load. `main.ts` imports this file first.
 *
 * @module
 */
import { installAtomics } from "./atomics.ts";
import { EventLoop } from "./event_loop.ts";
import { type HostFunction, takeHost } from "./host.ts";
import { installProxy } from "./inspect/proxies.ts";
import { type BufferModule, createBufferModule } from "./node/buffer.ts";
import { EventEmitter } from "./node/events.ts";
import { createTimers, type TimerFunctions, type Warn } from "./node/timers.ts";
import {
  dataDescriptor,
  defineHidden,
  FunctionPrototypeToString,
  ReflectDefineProperty,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  uncurryThis,
} from "./primordials.ts";
import { captureGlobals } from "../host/captured_globals.ts";
import { installStackTraces } from "./stack_trace.ts";
import { installWeakReferences } from "./weak_references.ts";
import { installWebApis, type WebApis } from "./web/install.ts";
import { MODULE_THIS_NAME, SCRIPT_THIS_NAME } from "../host/loader_names.ts";

/** The parts that are created first. */
export interface EarlyGlobals {
  readonly host: HostFunction;
  readonly loop: EventLoop;
  readonly timers: TimerFunctions;
  readonly web: WebApis;
  readonly buffer: BufferModule;
  /** Called when a run begins. */
  beginRun(): void;
  /** Called before and after a run of a context whose caller sets the clock. */
  setClock(begins: boolean): void;
  /** Sets the function that receives the timers' warnings. */
  useWarn(warn: Warn): void;
}

/**
 * The Node modules that packages require while they load; the guest's `require` is created later.
 */
function requireForPackages(buffer: BufferModule): void {
  defineHidden(globalThis, "require", (id: string): unknown => {
    if (id === "node:buffer" || id === "buffer") return buffer;
    if (id === "node:events" || id === "events") return EventEmitter;
    throw new Error(`A package needs the module "${id}"`);
  });
}

const ZONE_TAIL = "GMT+0000";
const ZONE_NAME = " (Coordinated Universal Time)";

/** Dates as text with the name of the time zone, as V8 writes them. The engine's zone is UTC. */
function installDateText(): void {
  const { toString, toTimeString } = Date.prototype;
  for (const [name, method] of Object.entries({ toString, toTimeString })) {
    const native = uncurryThis<unknown, [], string>(method);
    const holder = {
      [name](this: unknown): string {
        const text = native(this);
        return StringPrototypeEndsWith(text, ZONE_TAIL) ? `${text}${ZONE_NAME}` : text;
      },
    };
    const worded: unknown = holder[name];
    if (typeof worded !== "function") continue;
    defineHidden(Date.prototype, name, worded);
  }
}

const ALL_REJECTED = "All promises were rejected";

function explain(reason: unknown): never {
  if (reason instanceof AggregateError && reason.message === "") {
    ReflectDefineProperty(reason, "message", dataDescriptor(ALL_REJECTED));
  }
  throw reason;
}

/** `Promise.any` with a message; the engine's error has none. */
function installPromiseAny(): void {
  const native = uncurryThis<unknown, [unknown], object>(Promise.any);
  const then = uncurryThis<unknown, [undefined, typeof explain], unknown>(Promise.prototype.then);
  const holder = {
    any(this: unknown, values: unknown): unknown {
      return then(native(this, values), undefined, explain);
    },
  };
  defineHidden(Promise, "any", holder.any);
}

/** The text with `this` in place of the name that stands for it. */
function withThis(text: string, name: string): string {
  let written = text;
  let at = StringPrototypeIndexOf(written, name, 0);
  while (at >= 0) {
    const end = at + name.length;
    written = `${StringPrototypeSlice(written, 0, at)}this${StringPrototypeSlice(written, end)}`;
    at = StringPrototypeIndexOf(written, name, end);
  }
  return written;
}

/**
 * `Function.prototype.toString` shows `this` where a program wrote it, in place of the names that
 * stand for it in a prepared script.
 */
function installFunctionText(): void {
  const holder = {
    toString(this: unknown): string {
      return withThis(
        withThis(FunctionPrototypeToString(this), SCRIPT_THIS_NAME),
        MODULE_THIS_NAME,
      );
    },
  };
  defineHidden(Function.prototype, "toString", holder.toString);
}

function start(): EarlyGlobals {
  const host = takeHost();
  ReflectDefineProperty(globalThis, "global", dataDescriptor(globalThis, true));
  installFunctionText();
  installStackTraces();
  installProxy();
  installDateText();
  installPromiseAny();
  installAtomics(host);
  const releaseReferences = installWeakReferences();
  const loop = new EventLoop(host);
  let warn: Warn = () => {};
  const timers = createTimers(loop, (message, name) => warn(message, name));
  for (const [name, value] of Object.entries(timers)) {
    ReflectDefineProperty(globalThis, name, dataDescriptor(value, true));
  }
  const web = installWebApis(host);
  const buffer = createBufferModule();
  requireForPackages(buffer);
  captureGlobals();
  return {
    host,
    loop,
    timers,
    web,
    buffer,
    beginRun: () => {
      releaseReferences();
      web.beginRun();
    },
    setClock: web.setClock,
    useWarn: (use) => {
      warn = use;
    },
  };
}

/** Created once, when this file loads. */
export const early: EarlyGlobals = start();
