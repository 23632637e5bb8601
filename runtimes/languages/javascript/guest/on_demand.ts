/**
 * Globals that are loaded when a program first uses one: streams of the web, `Headers`, `Request`,
 * `Response`, `FormData`, messages (`on_demand/main.ts`). Until then each is an accessor.
 *
 * @module
 */
import { CAPTURED_NAMES } from "../host/captured_globals.ts";
import type { BuiltIns } from "./built_ins.ts";
import type { HostFunction } from "./host.ts";
import type { OnDemandEnvironment } from "./on_demand/environment.ts";
import {
  bare,
  dataDescriptor,
  ReflectApply,
  ReflectDefineProperty,
  ReflectGet,
} from "./primordials.ts";
import { PRELUDE_NAME } from "./stack_frames.ts";

/** Names of the streams, which the module `stream/web` has, too. */
const STREAMS = [
  ...["ByteLengthQueuingStrategy", "CompressionStream", "CountQueuingStrategy"],
  ...["DecompressionStream", "ReadableByteStreamController", "ReadableStream"],
  ...["ReadableStreamBYOBReader", "ReadableStreamBYOBRequest", "ReadableStreamDefaultController"],
  ...["ReadableStreamDefaultReader", "TextDecoderStream", "TextEncoderStream", "TransformStream"],
  ...["TransformStreamDefaultController", "WritableStream", "WritableStreamDefaultController"],
  "WritableStreamDefaultWriter",
];
const OTHERS = [
  ...["BroadcastChannel", "FormData", "Headers", "MessageChannel", "MessageEvent", "MessagePort"],
  ...["Request", "Response"],
];

/** Members of the module `diagnostics_channel`. */
const DIAGNOSTICS = ["Channel", "channel", "hasSubscribers", "subscribe", "unsubscribe"];

/** The parts that loading uses. */
export interface OnDemandOptions {
  readonly host: HostFunction;
  readonly builtIns: BuiltIns;
  readonly environment: OnDemandEnvironment;
}

/** Loads the globals, once. */
export class OnDemand {
  readonly #options: OnDemandOptions;
  readonly #captured: Record<string, unknown> = {};
  #loaded: object | undefined;

  constructor(options: OnDemandOptions) {
    this.#options = options;
    for (const name of CAPTURED_NAMES) this.#captured[name] = ReflectGet(globalThis, name);
  }

  /** One of the globals. */
  get(name: string): unknown {
    this.#loaded ??= this.#load();
    return ReflectGet(this.#loaded, name);
  }

  #load(): object {
    const { host, environment, builtIns } = this.#options;
    const bundle = host("compile", `${PRELUDE_NAME}demand`, host("demand") ?? "");
    if (typeof bundle !== "function") throw bundle;
    let loaded: object = bare({});
    const deliver = (globals: object) => {
      loaded = globals;
    };
    ReflectApply(bundle, undefined, [this.#captured, environment, deliver]);
    builtIns.addNamespace(loaded);
    return loaded;
  }

  /** Defines a property that is loaded, by `demand`, when it is first read. */
  #define(
    holder: object,
    name: string,
    enumerable: boolean,
    demand = (name: string): unknown => this.get(name),
  ): void {
    const settle = (self: unknown, value: unknown) =>
      void ReflectDefineProperty(
        Object(self ?? globalThis),
        name,
        dataDescriptor(value, enumerable),
      );
    const descriptor = {
      get(this: unknown): unknown {
        const value = demand(name);
        settle(this, value);
        return value;
      },
      set(this: unknown, value: unknown) {
        settle(this, value);
      },
      enumerable,
      configurable: true,
    };
    ReflectDefineProperty(holder, name, bare(descriptor));
  }

  /** Defines the globals. */
  defineGlobals(): void {
    for (const name of [...STREAMS, ...OTHERS]) this.#define(globalThis, name, false);
  }

  /** The module `stream/web`. */
  streamModule(): object {
    const module = {};
    for (const name of STREAMS) this.#define(module, name, true);
    return module;
  }

  /** The module `diagnostics_channel`. */
  diagnosticsModule(): object {
    const module = {};
    const demand = (name: string) => ReflectGet(Object(this.get("diagnosticsChannel")), name);
    for (const name of DIAGNOSTICS) this.#define(module, name, true, demand);
    return module;
  }

  /** Gives the classes of the module `stream` their `toWeb` and `fromWeb`. */
  adapt(stream: object): void {
    for (const name of ["Readable", "Writable"]) {
      for (const method of ["toWeb", "fromWeb"]) {
        const adapter = (...args: readonly unknown[]): unknown =>
          ReflectApply(
            ReflectGet(Object(ReflectGet(Object(this.get("adapters")), name)), method),
            undefined,
            args,
          );
        ReflectDefineProperty(
          Object(ReflectGet(stream, name)),
          method,
          dataDescriptor(adapter, true),
        );
      }
    }
  }
}
