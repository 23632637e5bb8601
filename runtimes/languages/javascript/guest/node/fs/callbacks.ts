/**
 * The functions of `fs` that take a callback, made from the synchronous ones.
 *
 * @module
 */
import { ArrayBufferIsView, defineHidden, ReflectApply, SymbolFor } from "../../primordials.ts";
import { setName } from "../../web/expose.ts";
import { toView } from "./arguments.ts";
import { type Deliver, requireCallback, Results } from "./deliver.ts";
import type { FsDependencies } from "./dependencies.ts";

type Functions = Readonly<Record<string, unknown>>;
type AnyFunction = (...args: readonly unknown[]) => unknown;

const PROMISIFY: unique symbol = SymbolFor("nodejs.util.promisify.custom") as typeof PROMISIFY;
const DEFAULT_READ_BYTES = 16_384;
/** Functions whose result is not simply the value of the synchronous function. */
const SPECIAL: Functions = {
  existsSync: 1,
  readSync: 1,
  writeSync: 1,
  readvSync: 1,
  writevSync: 1,
};

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}

/** Removes the callback, which must be the last argument, from the arguments. */
function splitCallback(args: readonly unknown[]): [unknown[], AnyFunction] {
  const rest = args.slice(0, -1);
  const callback = args[args.length - 1];
  if (isFunction(callback)) return [rest, callback];
  requireCallback(undefined);
  return [rest, () => {}];
}

/** The callback form of one synchronous function. */
function withCallback(deliver: Deliver, name: string, run: AnyFunction): AnyFunction {
  const form = (...args: readonly unknown[]): void => {
    if (name === "close" && args.length === 1) return void deliver(() => run(args[0]), () => {});
    const [rest, callback] = splitCallback(args);
    deliver(() => ReflectApply(run, undefined, rest), callback);
  };
  setName(form, name);
  return form;
}

/** Makes the callback forms of all functions whose names end with `Sync`. */
export function createCallbacks(sync: Functions, deliver: Deliver, deps: FsDependencies) {
  const forms: Record<string, unknown> = {};
  for (const [syncName, run] of Object.entries(sync)) {
    if (syncName in SPECIAL || !isFunction(run)) continue;
    const name = syncName.slice(0, -"Sync".length);
    const form = withCallback(deliver, name, run);
    if ("native" in run && isFunction(run.native)) {
      Object.assign(form, { native: withCallback(deliver, "native", run.native) });
    }
    forms[name] = form;
  }
  return { ...forms, ...createTransfers(sync, deliver, deps), exists: createExists(sync, deliver) };
}

/** `exists`, whose callback takes no error. */
function createExists(sync: Functions, deliver: Deliver): AnyFunction {
  const { existsSync } = sync;
  const ask = (path: unknown): boolean => isFunction(existsSync) && existsSync(path) === true;
  const exists = (path: unknown, callback: unknown): void => {
    requireCallback(callback);
    const found = ask(path);
    deliver(() => found, (_error: unknown, value: unknown) => {
      if (isFunction(callback)) callback(value);
    });
  };
  defineHidden(exists, PROMISIFY, (path: unknown) => deliver(() => ask(path)));
  return exists;
}

/** `read`, `write`, `readv`, `writev`: their callbacks take the count and the data. */
function createTransfers(sync: Functions, deliver: Deliver, deps: FsDependencies): Functions {
  const transfers: Record<string, unknown> = {};
  for (const name of ["read", "write", "readv", "writev"]) {
    const run = sync[`${name}Sync`];
    if (!isFunction(run)) continue;
    const normalise = name === "read" ? (args: unknown[]) => readArguments(args, deps) : same;
    transfers[name] = transfer(name, run, deliver, normalise);
  }
  return transfers;
}

function transfer(
  name: string,
  run: AnyFunction,
  deliver: Deliver,
  normalise: (args: unknown[]) => unknown[],
): AnyFunction {
  const perform = (args: unknown[]): [count: unknown, data: unknown] => {
    const all = normalise(args);
    return [ReflectApply(run, undefined, all), all[1]];
  };
  const form = (...args: readonly unknown[]): void => {
    const [rest, callback] = splitCallback(args);
    deliver(() => {
      const [count, data] = perform(rest);
      return new Results(count, data);
    }, callback);
  };
  const counted = name.startsWith("read") ? "bytesRead" : "bytesWritten";
  const held = name.endsWith("v") ? "buffers" : "buffer";
  defineHidden(form, PROMISIFY, (...args: unknown[]) =>
    deliver(() => {
      const [count, data] = perform(args);
      return { [counted]: count, [held]: data };
    }));
  setName(form, name);
  return form;
}

function same(args: unknown[]): unknown[] {
  return args;
}

/** Converts `read(fd)` and `read(fd, {buffer, …})` to the form `read(fd, buffer, …)`. */
function readArguments(args: unknown[], deps: FsDependencies): unknown[] {
  const [fd, second] = args;
  if (ArrayBufferIsView(second)) return args;
  const given = typeof second === "object" && second !== null ? second : {};
  const { buffer, ...rest } = { buffer: undefined, ...given };
  return [fd, buffer ?? deps.buffer(new ArrayBuffer(DEFAULT_READ_BYTES)), rest];
}

/** As {@link readArguments}, for a handle that knows its descriptor. */
export function handleReadArguments(
  fd: number,
  args: unknown[],
  deps: FsDependencies,
): [fd: number, view: ArrayBufferView<ArrayBuffer>, ...rest: unknown[]] {
  const [, buffer, ...rest] = readArguments([fd, ...args], deps);
  return [fd, toView(buffer), ...rest];
}
