/**
 * The global `display`, and the rich form of a program's value (docs/contract.md#displays). An
 * object shows itself by a method named `Symbol.for("Jupyter.display")`, as in Deno's kernel: it
 * returns values by media type, or a promise of them.
 *
 * @module
 */
import type { HostFunction } from "./host.ts";
import { inspectWith } from "./inspect/inspect.ts";
import { unwrapProxy } from "./inspect/proxies.ts";
import { jsonText } from "./json_text.ts";
import {
  ArrayBufferIsView,
  bare,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ownDescriptor,
  PromisePrototypeThen,
  ReflectApply,
  ReflectGet,
  RegExpPrototypeExec,
  SymbolFor,
  TypedArrayPrototypeGetSymbolToStringTag,
} from "./primordials.ts";
import { encodeBase64 } from "./web/base64.ts";

type Method = (...args: readonly unknown[]) => unknown;

const METHOD = SymbolFor("Jupyter.display");
/** A proxy can be its own prototype. */
const MAX_PROTOTYPES = 1_000;
const MAX_TYPES = 32;
const MEDIA_TYPE =
  /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;
/** Nothing is abbreviated; the limit of displays applies to text that is too long. */
const WHOLE = bare({ depth: Infinity, maxArrayLength: null, maxStringLength: null });
/** The first bytes of the images that a browser's canvas makes. */
const PNG = bare({ type: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] });
const JPEG = bare({ type: "image/jpeg", bytes: [0xff, 0xd8, 0xff] });

const NativePromise = Promise;
const BytesOf = Uint8Array;

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * The method of a value, found without calling the traps of proxies: a proxy never has it.
 * Throws the exceptions of getters.
 */
function methodOf(value: unknown): Method | undefined {
  let holder: object | null = isObject(value) ? unwrapProxy(value) : null;
  for (let steps = 0; holder !== null && steps < MAX_PROTOTYPES; steps++) {
    const descriptor = ownDescriptor(holder, METHOD);
    if (descriptor !== undefined) {
      const method: unknown = descriptor.get === undefined
        ? descriptor.value
        : ReflectApply(descriptor.get, value, []);
      return typeof method === "function" ? method as Method : undefined;
    }
    const prototype = ObjectGetPrototypeOf(holder);
    holder = prototype === null ? null : unwrapProxy(prototype);
  }
  return undefined;
}

/** The bytes of a buffer or of a view of one. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new BytesOf(value);
  if (!ArrayBufferIsView(value)) return undefined;
  return new BytesOf(value.buffer, value.byteOffset, value.byteLength);
}

/** The JSON of one value of a bundle; undefined when it is nothing. */
function valueText(value: unknown): string | undefined {
  if (value === null) return undefined;
  const bytes = bytesOf(value);
  return jsonText(bytes === undefined ? value : encodeBase64(bytes));
}

/** The JSON of a bundle's values, between their brackets; empty when there are none. */
function bundleText(bundle: object): string {
  const types = ObjectKeys(bundle);
  if (types.length > MAX_TYPES) throw new TypeError(`A display has at most ${MAX_TYPES} types`);
  let text = "";
  for (let i = 0; i < types.length; i++) {
    const type = types[i] ?? "";
    const quoted = jsonText(type) ?? "";
    if (RegExpPrototypeExec(MEDIA_TYPE, type) === null) {
      throw new TypeError(`A display has media types such as "text/html", not ${quoted}`);
    }
    const value = valueText(ReflectGet(bundle, type));
    if (value !== undefined) text += `${text === "" ? "" : ","}${quoted}:${value}`;
  }
  return text;
}

/** The type of an image, by its first bytes. */
function imageType(value: unknown): string | undefined {
  if (!ArrayBufferIsView(value)) return undefined;
  if (TypedArrayPrototypeGetSymbolToStringTag(value) !== "Uint8Array") return undefined;
  const starts = ({ bytes }: typeof PNG) => {
    for (let i = 0; i < bytes.length; i++) {
      if (ReflectGet(value, `${i}`) !== bytes[i]) return false;
    }
    return true;
  };
  if (starts(PNG)) return PNG.type;
  return starts(JPEG) ? JPEG.type : undefined;
}

/** The functions that show values. */
export interface Displays {
  /** The global function: shows a value. Returns a promise when its method does. */
  display(value: unknown): unknown;
  /** Shows the program's value, if it has the method. True when that is not done yet. */
  showMain(value: unknown): boolean;
}

/** Makes what shows values. */
export function createDisplays(host: HostFunction): Displays {
  const send = (values: string, rest: string): void => {
    if (values === "") return;
    // the newline before ends other data that was written to the device
    if (host("display", `\n{"data":{${values}}${rest}}\n`) === undefined) return;
    throw new TypeError("A display is nested too deeply");
  };
  const sendBundle = (bundle: unknown, rest: string): void => {
    if (bundle === undefined || bundle === null) return;
    if (!isObject(bundle)) {
      throw new TypeError('[Symbol.for("Jupyter.display")]() must return an object');
    }
    send(bundleText(bundle), rest);
  };
  /** Shows the result of a method. Returns a promise if the result has a `then`. */
  const show = (given: unknown, rest: string): Promise<undefined> | undefined => {
    if (!isObject(given) || typeof ReflectGet(given, "then") !== "function") {
      sendBundle(given, rest);
      return undefined;
    }
    const awaited = new NativePromise((resolve) => resolve(given));
    return new NativePromise((resolve, reject) => {
      PromisePrototypeThen(awaited, (bundle) => {
        try {
          sendBundle(bundle, rest);
          resolve(undefined);
        } catch (error) {
          reject(error);
        }
      }, reject);
    });
  };
  return {
    display(value) {
      const method = methodOf(value);
      if (method !== undefined) return show(ReflectApply(method, value, []), "");
      const type = imageType(value) ?? "text/plain";
      const content = type === "text/plain" ? inspectWith(value, WHOLE) : value;
      send(`"${type}":${valueText(content) ?? '""'}`, "");
      return undefined;
    },
    showMain(value) {
      const method = methodOf(value);
      if (method === undefined) return false;
      return show(ReflectApply(method, value, []), ',"main":true') !== undefined;
    },
  };
}
