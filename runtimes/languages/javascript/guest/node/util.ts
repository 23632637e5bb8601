/**
 * `util`.
 *
 * @module
 */
import { parseArgs } from "@pkgjs/parseargs";
import { COLORS, formatArguments, inspect, stripEscapes } from "../inspect/inspect.ts";
import { TextDecoder } from "../web/text_decoder.ts";
import { TextEncoder } from "../web/text_encoder.ts";
import { invalidArgument, nodeError } from "../web/node_error.ts";
import { isDeepStrictEqual } from "./deep_equal.ts";
import { SYSTEM_ERRORS } from "./system_errors.ts";
import { PROMISIFY_CUSTOM } from "./timers.ts";
import { createUtilTypes } from "./util_types.ts";

type Fn = (...args: unknown[]) => unknown;
type Warn = (message: string, name: string, code?: string) => void;

function isFunction(value: unknown): value is Fn {
  return typeof value === "function";
}

function requireFn(name: string, value: unknown): Fn {
  if (!isFunction(value)) throw invalidArgument(name, "of type function", value);
  return value;
}

function copyOwn(from: object, to: object): void {
  Object.setPrototypeOf(to, Object.getPrototypeOf(from));
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
}

/** `util.promisify`. */
function promisify(original: unknown): Fn {
  const fn = requireFn("original", original);
  const custom: unknown = Reflect.get(fn, PROMISIFY_CUSTOM);
  if (custom !== undefined) {
    const twin = requireFn("util.promisify.custom", custom);
    Object.defineProperty(twin, PROMISIFY_CUSTOM, { value: twin, configurable: true });
    return twin;
  }
  const promised = function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, value: unknown) => error ? reject(error) : resolve(value);
      Reflect.apply(fn, this, [...args, done]);
    });
  };
  copyOwn(fn, promised);
  Object.defineProperty(promised, PROMISIFY_CUSTOM, { value: promised, configurable: true });
  return promised;
}

/**
 * The error for a promise that was rejected without a reason, because a callback needs an error.
 */
function rejectionError(reason: unknown): unknown {
  if (reason) return reason;
  const error = nodeError(
    Error,
    "ERR_FALSY_VALUE_REJECTION",
    "Promise was rejected with falsy value",
  );
  return Object.assign(error, { reason });
}

/** `util.callbackify`; `later` runs a callback outside of the promise's job. */
function createCallbackify(later: (action: () => void) => void): (original: unknown) => Fn {
  return (original) => {
    const fn = requireFn("original", original);
    const withCallback = function (this: unknown, ...args: unknown[]): void {
      const done = requireFn("last argument", args.pop());
      Promise.resolve(Reflect.apply(fn, this, args)).then(
        (value) => later(() => Reflect.apply(done, this, [null, value])),
        (reason) => later(() => Reflect.apply(done, this, [rejectionError(reason)])),
      );
    };
    Object.defineProperty(withCallback, "name", { value: `${fn.name}Callbackified` });
    return withCallback;
  };
}

/** `util.deprecate`: the function, with a warning on its first call. */
function createDeprecate(warn: Warn): (original: unknown, message: string, code?: string) => Fn {
  const told = new Set<string>();
  return (original, message, code) => {
    const fn = requireFn("fn", original);
    let warned = false;
    const deprecated = function (this: unknown, ...args: unknown[]): unknown {
      if (!warned && (code === undefined || !told.has(code))) {
        if (code !== undefined) told.add(code);
        warn(message, "DeprecationWarning", code);
      }
      warned = true;
      return new.target === undefined
        ? Reflect.apply(fn, this, args)
        : Reflect.construct(fn, args, new.target === deprecated ? fn : new.target);
    };
    Object.setPrototypeOf(deprecated, fn);
    Object.defineProperty(deprecated, "name", { value: fn.name, configurable: true });
    if (fn.prototype) deprecated.prototype = fn.prototype;
    return deprecated;
  };
}

/** `util.inherits`. */
function inherits(constructor: unknown, parent: unknown): void {
  const child = requireFn("ctor", constructor);
  const above = requireFn("superCtor", parent);
  Object.defineProperty(child, "super_", { value: above, writable: true, configurable: true });
  Object.setPrototypeOf(child.prototype, above.prototype);
}

/** `util.styleText`: no stream here shows colors, so there are none unless forced. */
function styleText(format: unknown, text: unknown, options?: unknown): string {
  if (typeof text !== "string") throw invalidArgument("text", "of type string", text);
  let left = "";
  let right = "";
  for (const name of Array.isArray(format) ? format : [format]) {
    const color = COLORS[String(name)];
    if (color === undefined) {
      const known = Object.keys(COLORS).map((key) => `'${key}'`).join(", ");
      throw nodeError(
        TypeError,
        "ERR_INVALID_ARG_VALUE",
        `The argument 'format' must be one of: ${known}. Received ${inspect(name)}`,
      );
    }
    left += `\x1b[${color[0]}m`;
    right = `\x1b[${color[1]}m${right}`;
  }
  const isForced = Reflect.get(Object(options), "validateStream") === false;
  return isForced ? `${left}${text}${right}` : text;
}

function stripVTControlCharacters(text: unknown): string {
  if (typeof text !== "string") throw invalidArgument("str", "of type string", text);
  return stripEscapes(text);
}

function toUSVString(text: unknown): string {
  return `${text}`.toWellFormed();
}

/** Names of system errors by number. */
function systemErrors(): object {
  return {
    getSystemErrorName: (number: number) => SYSTEM_ERRORS.get(number)?.[0],
    getSystemErrorMap: () => new Map(SYSTEM_ERRORS),
  };
}

/** The legacy type checks that `util` still has. */
function oldChecks(types: Readonly<Record<string, (value: unknown) => boolean>>): object {
  const isObject = (value: unknown) => value !== null && typeof value === "object";
  return {
    isArray: Array.isArray,
    isBoolean: (value: unknown) => typeof value === "boolean",
    isNull: (value: unknown) => value === null,
    isNullOrUndefined: (value: unknown) => value === null || value === undefined,
    isNumber: (value: unknown) => typeof value === "number",
    isString: (value: unknown) => typeof value === "string",
    isSymbol: (value: unknown) => typeof value === "symbol",
    isUndefined: (value: unknown) => value === undefined,
    isRegExp: types["isRegExp"],
    isObject,
    isDate: types["isDate"],
    isError: (value: unknown) => types["isNativeError"]?.(value) || value instanceof Error,
    isFunction,
    isPrimitive: (value: unknown) => !isObject(value) && !isFunction(value),
  };
}

function debuglog(): Fn {
  return Object.assign(() => {}, { enabled: false });
}

/** The module `util`. */
export function createUtil(parts: {
  readonly warn: Warn;
  readonly later: (action: () => void) => void;
}): object {
  const types = createUtilTypes();
  return {
    ...oldChecks(types),
    ...systemErrors(),
    callbackify: createCallbackify(parts.later),
    debug: debuglog,
    debuglog,
    deprecate: createDeprecate(parts.warn),
    format: (...args: unknown[]) => formatArguments(args),
    formatWithOptions(options: unknown, ...args: unknown[]): string {
      if (typeof options !== "object" || options === null) {
        throw invalidArgument("inspectOptions", "of type object", options);
      }
      return formatArguments(args, options);
    },
    inherits,
    inspect,
    isDeepStrictEqual,
    parseArgs: (config?: object) => parseArgs({ args: [], ...config }),
    promisify: Object.assign(promisify, { custom: PROMISIFY_CUSTOM }),
    stripVTControlCharacters,
    styleText,
    toUSVString,
    TextDecoder,
    TextEncoder,
    types,
  };
}
