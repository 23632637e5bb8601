/**
 * Where those parts of QuickJS's structures lie in memory that no export reaches. They are found by
 * experiment on a fresh instance when the image is built, so a package with a different layout
 * fails the build and not a run.
 *
 * @module
 */
import { findTop } from "./free_memory.ts";
import { LayoutError } from "./layout_error.ts";
import { addressOf, EVAL_GLOBAL, isObject, isUninitialized } from "./quickjs_abi.ts";
import type { QuickJs } from "./quickjs.ts";

/** Addresses and offsets in bytes; `context` and `runtime` name the structure they count from. */
export interface QuickJsLayout {
  /** Address of the word that holds the address of the heap's last chunk, which is free. */
  readonly topAddress: number;
  /** In the context: the object that holds top-level `let`, `const` and `class`. */
  readonly globalLexicals: number;
  /** In the context: 64 bits of state of Math.random. */
  readonly randomState: number;
  /** In the context: polls left before the interrupt handler is called. */
  readonly interruptCounter: number;
  /** In the runtime: the list of jobs, which points to itself while it is empty. */
  readonly jobs: number;
}

const CONTEXT_BYTES = 2048;
const RUNTIME_BYTES = 2048;
const VALUE_BYTES = 8;
const WORD = 4;

function offsets(bytes: number, step: number): readonly number[] {
  return Array.from({ length: bytes / step }, (_, index) => index * step);
}

function theOnly(found: readonly number[], name: string): number {
  const [one] = found;
  if (one === undefined || found.length > 1) throw new LayoutError(name);
  return one;
}

function evaluateQuietly(js: QuickJs, code: string, flags = EVAL_GLOBAL): void {
  js.release(js.evaluate(code, "belljar:layout", flags));
}

/** The object that holds a name that a script declares. */
function findLexicals(js: QuickJs): number {
  const name = "belljarLayout";
  evaluateQuietly(js, `let ${name} = 1`);
  const global = js.fn.JS_GetGlobalObject(js.context);
  js.release(global);
  const isGlobal = (offset: number) => js.view.getBigInt64(js.context + offset, true) === global;
  const behindGlobal = offsets(CONTEXT_BYTES, VALUE_BYTES)
    .filter((offset) => offset > 0 && isGlobal(offset - VALUE_BYTES));
  return theOnly(
    behindGlobal.filter((offset) => {
      const object = js.view.getBigInt64(js.context + offset, true);
      if (!isObject(object) || addressOf(object) >= js.bytes.length) return false;
      const value = js.property(object, name);
      js.release(value);
      return value === 1n && !isUninitialized(value);
    }),
    "declared names",
  );
}

/** One step of the generator behind Math.random, xorshift64. */
function nextRandom(state: bigint): bigint {
  let x = state;
  x ^= x >> 12n;
  x ^= BigInt.asUintN(64, x << 25n);
  x ^= x >> 27n;
  return x;
}

function findRandomState(js: QuickJs): number {
  const words = () =>
    offsets(CONTEXT_BYTES, VALUE_BYTES)
      .map((offset) => js.view.getBigUint64(js.context + offset, true));
  const before = words();
  evaluateQuietly(js, "Math.random()");
  const after = words();
  return theOnly(
    offsets(CONTEXT_BYTES, VALUE_BYTES).filter((_, index) => {
      const [from = 0n, to = 0n] = [before[index], after[index]];
      return from !== 0n && nextRandom(from) === to;
    }),
    "state of Math.random",
  );
}

function findInterruptCounter(js: QuickJs): number {
  const loops = 100;
  const code = `for (let i = 0; i < ${loops}; i++);`;
  const counters = () =>
    offsets(CONTEXT_BYTES, WORD).map((offset) => js.view.getInt32(js.context + offset, true));
  const before = counters();
  evaluateQuietly(js, code);
  const after = counters();
  return theOnly(
    offsets(CONTEXT_BYTES, WORD).filter((_, index) => {
      const used = (before[index] ?? 0) - (after[index] ?? 0);
      return used >= loops && used <= 3 * loops;
    }),
    "interrupt counter",
  );
}

/** The list that gets longer with each job, and shorter as they run. */
function findJobs(js: QuickJs): number {
  const jobs = 3;
  const lengthAt = (offset: number): number => {
    const head = js.runtime + offset;
    const next = (at: number) => at < js.bytes.length ? js.view.getUint32(at, true) : head;
    let length = 0;
    for (let at = next(head); at !== head && length <= jobs; at = next(at)) length++;
    return length;
  };
  const isEmpty = (offset: number) => lengthAt(offset) === 0;
  let found = offsets(RUNTIME_BYTES, WORD).filter(isEmpty);
  evaluateQuietly(js, "Promise.resolve(1).then(); ".repeat(jobs));
  const context = js.allocate(WORD);
  for (let left = jobs; left > 0; left--) {
    found = found.filter((offset) => lengthAt(offset) === left);
    js.fn.JS_ExecutePendingJob(js.runtime, context);
  }
  js.fn.free(context);
  return theOnly(found, "list of jobs");
}

/** Finds the layout. This spoils the instance: make the image from another one. */
export function findLayout(js: QuickJs): QuickJsLayout {
  return {
    topAddress: findTop(js),
    globalLexicals: findLexicals(js),
    randomState: findRandomState(js),
    interruptCounter: findInterruptCounter(js),
    jobs: findJobs(js),
  };
}
