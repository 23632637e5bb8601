/** A preparer with the real stripper, and a host that runs what it prepares. */
import vm from "node:vm";
import { fail } from "@std/assert";
import type { GuestError } from "../../../../../runtimes/engine/engine.ts";
import {
  createPreparer,
  type PreparedSource,
  type Preparer,
} from "../../../../../runtimes/languages/javascript/host/source/prepare.ts";
import {
  meterStripper,
  stripperPackageUrl,
} from "../../../../../runtimes/languages/javascript/build/stripper_module.ts";

const compiled: { module?: WebAssembly.Module; bytes?: Uint8Array<ArrayBuffer> } = {};

/** The metered stripper, made once per process. */
export function stripperBytes(): Uint8Array<ArrayBuffer> {
  return compiled.bytes ??= meterStripper(Deno.readTextFileSync(stripperPackageUrl()));
}

export function stripperModule(): WebAssembly.Module {
  return compiled.module ??= new WebAssembly.Module(stripperBytes());
}

export function newPreparer(): Preparer {
  return createPreparer({ stripper: stripperModule });
}

/** A preparer that must not be given TypeScript. */
export function scriptPreparer(): Preparer {
  return createPreparer({ stripper: () => fail("the stripper was asked for") });
}

const JAVASCRIPT = { typescript: false };
export const TYPESCRIPT = { typescript: true };

/** The prepared source; fails when there is none. */
export function prepared(preparer: Preparer, code: string, options = JAVASCRIPT): PreparedSource {
  const preparation = preparer.prepare(code, options);
  if (!preparation.ok) fail(`${code}\n${JSON.stringify(preparation.error)}`);
  return preparation.source;
}

/** The error; fails when there is none. */
export function refused(preparer: Preparer, code: string, options = JAVASCRIPT): GuestError {
  const preparation = preparer.prepare(code, options);
  if (preparation.ok) fail(`${code}\nwas prepared as\n${preparation.source.code}`);
  return preparation.error;
}

const MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  fs: { default: { name: "fs" }, readFileSync: () => "data", "string name": 7, absent: undefined },
  path: { default: { name: "path" }, join: (...parts: string[]) => parts.join("/") },
};

/** A global scope with the guest's module functions; `loaded` lists the requested modules. */
export function newScope(): { readonly scope: vm.Context; readonly loaded: string[] } {
  const loaded: string[] = [];
  const load = (specifier: string) => {
    loaded.push(specifier);
    const exports = MODULES[specifier.replace(/^node:/, "")];
    if (exports === undefined) throw new Error(`Cannot find module '${specifier}'`);
    return Object.seal(exports);
  };
  const scope = vm.createContext({
    __belljar_import__: load,
    __belljar_import_async__: (specifier: string) => Promise.resolve(load(specifier)),
    module: { exports: {} },
    require: (specifier: string) => load(specifier)["default"],
  });
  return { scope, loaded };
}

/** Runs prepared code as a script of the host's engine. Returns its completion value. */
export function evaluate({ code }: PreparedSource, scope = newScope().scope): unknown {
  return new vm.Script(code, { filename: "main.js" }).runInContext(scope);
}

/** The error that evaluating throws, by name and message, and its line in the submitted text. */
export function thrown(source: PreparedSource): { readonly text: string; readonly line: number } {
  try {
    evaluate(source);
  } catch (error) {
    const { name, message, stack } = error as Error;
    const line = Number(/main\.js:(\d+)/.exec(String(stack))?.[1] ?? 0);
    return { text: `${name}: ${message}`, line: source.lineOf(line) };
  }
  fail(`nothing was thrown by\n${source.code}`);
}
