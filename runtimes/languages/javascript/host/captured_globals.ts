/**
 * Keeps the globals that this environment's own code uses out of the guest's reach.
 *
 * A script may replace a global, and a script that declares `class Map` shadows it for all code in
 * the realm. So the build wraps the environment in a function with a variable for every global, see
 * {@link encloseScript}. After the environment has defined its own globals, {@link captureGlobals}
 * updates these variables.
 *
 * @module
 */

/**
 * Name of the function that reads all globals again; it exists only while the environment loads.
 */
const CAPTURE = "__captureGlobals";

const LANGUAGE = `Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON
  Math Reflect Proxy Map Set WeakMap WeakSet WeakRef FinalizationRegistry Iterator ArrayBuffer
  SharedArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array
  Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array parseInt parseFloat
  isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent DOMException`;
const ENVIRONMENT = `Intl console process Buffer setTimeout clearTimeout setInterval clearInterval
  setImmediate clearImmediate queueMicrotask structuredClone performance crypto fetch
  AbortController AbortSignal Blob Event EventTarget File TextDecoder TextEncoder URL
  URLSearchParams`;

/** Reads the globals again into the variables of the enclosing function, if there is one. */
export function captureGlobals(): void {
  const capture: unknown = Reflect.get(globalThis, CAPTURE);
  if (typeof capture === "function") capture();
}

/** Names of the globals that the environment keeps. */
export const CAPTURED_NAMES: readonly string[] = `${LANGUAGE} ${ENVIRONMENT}`.split(/\s+/);

/**
 * Wraps the bundle that is loaded on demand: a function of the kept globals by name, of what else it
 * uses, and of the function that receives its globals.
 */
export function encloseOnDemand(script: string): string {
  return `(function({${CAPTURED_NAMES.join(",")}},__belljar_environment__,__belljar_deliver__){` +
    `${script}\n})`;
}

/** Wraps the bundled environment; used by the build. */
export function encloseScript(script: string): string {
  const names = CAPTURED_NAMES;
  const read = names.map((name) => `${name}=globalThis.${name}`).join(",");
  return `((globalThis)=>{let ${read};globalThis.${CAPTURE}=()=>{${read.replaceAll(",", ";")}};` +
    `(()=>{${script}\n})();delete globalThis.${CAPTURE}})(globalThis);`;
}
