/**
 * Globals that must exist before the other modules of this environment load, because npm packages
 * look for globals while they load. `main.ts` imports this file first.
 *
 * @module
 */
import { installAtomics } from "./atomics.ts";
import { installDateText } from "./date_text.ts";
import { EventLoop } from "./event_loop.ts";
import { installFunctionText } from "./function_text.ts";
import { type HostFunction, takeHost } from "./host.ts";
import { installProxy } from "./inspect/proxies.ts";
import { type BufferModule, createBufferModule } from "./node/buffer.ts";
import { EventEmitter } from "./node/events.ts";
import { createTimers, type TimerFunctions, type Warn } from "./node/timers.ts";
import { dataDescriptor, defineHidden, ReflectDefineProperty } from "./primordials.ts";
import { captureGlobals } from "../host/captured_globals.ts";
import { installStackTraces } from "./stack_trace.ts";
import { installPromiseAny } from "./promise_any.ts";
import { installWeakReferences } from "./weak_references.ts";
import { installWebApis, type WebApis } from "./web/install.ts";

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
