/**
 * Where those parts of QuickJS's structures lie in memory that no export reaches. They are found by
 * experiment on a fresh instance when the image is built, so a package with a different layout
 * fails the build and not a run.
 *
 * @module
 */
import { findTop } from "./free_memory.ts";
import { LayoutError } from "./layout_error.ts";
import { EVAL_GLOBAL } from "./quickjs_abi.ts";
import type { QuickJs } from "./quickjs.ts";

/** Offsets in bytes; `context` and `runtime` name the structure they count from. */
export interface QuickJsLayout {
  /** From the start of a C string back to its length. */
  readonly stringLengthBefore: number;
  /** Address of the word that holds the end of the heap. */
  readonly breakAddress: number;
  /** Address of the word that holds the address of the heap's last chunk, which is free. */
  readonly topAddress: number;
  /** In the context: the object that holds top-level `let`, `const` and `class`. */
  readonly globalLexicals: number;
  /** In the context: 64 bits of state of Math.random. */
  readonly randomState: number;
  /** In the context: polls left before the interrupt handler is called. */
  readonly interruptCounter: number;
  /** In the runtime: the promise rejection tracker, a table index. */
  readonly rejectionTracker: number;
}

const CONTEXT_BYTES = 2048;
const RUNTIME_BYTES = 2048;
const STATIC_WORDS = 32_768;

function findStringLength(js: QuickJs): number {
  const samples = ["a", "seven!!", "x".repeat(300)].map((text) => {
    const value = js.newString(text);
    const pointer = js.fn.getString(js.context, value);
    return { value, pointer, length: text.length };
  });
  const found = [8, 12, 16, 20, 24, 28, 32].filter((before) =>
    samples.every(({ pointer, length }) =>
      (js.view.getUint32(pointer - before, true) & 0x7fffffff) === length
    )
  );
  for (const { value, pointer } of samples) {
    js.fn.freeCString(js.context, pointer);
    js.release(value);
  }
  const [before] = found;
  if (before === undefined || found.length > 1) throw new LayoutError("length of a string");
  return before;
}

/** Finds the only low word that lies above the stack and moves with each allocated megabyte. */
function findBreak(js: QuickJs): number {
  const words = () => new Uint32Array(js.bytes.slice(0, STATIC_WORDS * 4).buffer);
  const megabyte = 1 << 20;
  const before = words();
  const pointers = [js.fn.malloc(megabyte)];
  const middle = words();
  pointers.push(js.fn.malloc(2 * megabyte));
  const after = words();
  pointers.forEach((pointer) => js.fn.free(pointer));
  const stack = Number(js.stackPointer.value);
  const grows = (from: number | undefined, to: number | undefined, by: number) =>
    from !== undefined && to !== undefined && to - from >= by && to - from < by + megabyte;
  let best = -1;
  for (let i = 0; i < STATIC_WORDS; i++) {
    const start = before[i] ?? 0;
    const moved = grows(start, middle[i], megabyte) && grows(middle[i], after[i], 2 * megabyte);
    const value = after[i] ?? 0;
    if (start > stack && moved && (best < 0 || value > (after[best] ?? 0))) best = i;
  }
  if (best < 0) throw new LayoutError("end of the heap");
  return best * 4;
}

function findGlobals(js: QuickJs): number {
  const global = js.fn.getGlobalObject(js.context);
  const bits = js.bits(global);
  js.release(global);
  for (let offset = 0; offset < CONTEXT_BYTES; offset += 8) {
    if (js.view.getBigUint64(js.context + offset, true) === bits) return offset;
  }
  throw new LayoutError("global object");
}

function evaluateQuietly(js: QuickJs, code: string): void {
  js.release(js.evaluate(code, "belljar:layout", EVAL_GLOBAL));
}

/** Finds the 64-bit slots of the context that a script changes. */
function changedBy(js: QuickJs, code: string): ReadonlySet<number> {
  const before = js.bytes.slice(js.context, js.context + CONTEXT_BYTES);
  evaluateQuietly(js, code);
  const after = js.bytes.slice(js.context, js.context + CONTEXT_BYTES);
  const changed = new Set<number>();
  after.forEach((byte, index) => {
    if (byte !== before[index]) changed.add(index - index % 4);
  });
  return changed;
}

function findInterruptCounter(js: QuickJs): number {
  js.fn.enableInterruptHandler(js.runtime);
  const loops = 100;
  const code = `for (let i = 0; i < ${loops}; i++);`;
  const candidates = [...changedBy(js, code)].filter((offset) => {
    const before = js.view.getInt32(js.context + offset, true);
    evaluateQuietly(js, code);
    const used = before - js.view.getInt32(js.context + offset, true);
    return used >= loops && used <= 3 * loops;
  });
  const [offset] = candidates;
  if (offset === undefined || candidates.length > 1) throw new LayoutError("interrupt counter");
  return offset;
}

/** Found just before the runtime's list of jobs, which points to itself while it is empty. */
function findRejectionTracker(js: QuickJs, rejections: () => number): number {
  const isEmptyList = (at: number) =>
    js.view.getUint32(at, true) === at && js.view.getUint32(at + 4, true) === at;
  const found: number[] = [];
  for (let offset = 8; offset < RUNTIME_BYTES; offset += 4) {
    const at = js.runtime + offset;
    const slot = js.view.getUint32(at - 8, true);
    const opaque = js.view.getUint32(at - 4, true);
    if (isEmptyList(at) && slot === 0 && opaque === 0) found.push(offset - 8);
  }
  for (const offset of found) if (tracksRejections(js, offset, rejections)) return offset;
  throw new LayoutError("promise rejection tracker");
}

function tracksRejections(js: QuickJs, offset: number, rejections: () => number): boolean {
  js.view.setUint32(js.runtime + offset, js.trackerIndex, true);
  const before = rejections();
  evaluateQuietly(js, "Promise.reject(1)");
  if (rejections() > before) return true;
  js.view.setUint32(js.runtime + offset, 0, true);
  return false;
}

/**
 * Finds the layout. This spoils the instance: make the image from another one. `rejections` counts
 * the calls of the instance's rejection hook.
 */
export function findLayout(js: QuickJs, rejections: () => number): QuickJsLayout {
  const stringLengthBefore = findStringLength(js);
  const breakAddress = findBreak(js);
  const topAddress = findTop(js);
  const globals = findGlobals(js);
  const randomSlots = [...changedBy(js, "Math.random()")];
  const randomState = globals + 24;
  if (!randomSlots.includes(randomState)) throw new LayoutError("state of Math.random");
  return {
    stringLengthBefore,
    breakAddress,
    topAddress,
    globalLexicals: globals + 8,
    randomState,
    interruptCounter: findInterruptCounter(js),
    rejectionTracker: findRejectionTracker(js, rejections),
  };
}
