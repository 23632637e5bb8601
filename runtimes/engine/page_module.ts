/**
 * Small WebAssembly modules that work on pages of a guest's memory: one function without parameters over
 * a memory of 64 KiB, in SIMD. Their instructions are written as bytes here, because no compiler is part
 * of the program in an isolate.
 *
 * @module
 */

/** Types. */
export const I32 = 0x7f;
export const F64 = 0x7c;
export const V128 = 0x7b;

/** Instructions. */
export const SIMD = 0xfd;
export const END = 0x0b;
export const localGet = (local: number): number[] => [0x20, local];
export const localSet = (local: number): number[] => [0x21, local];
export const localTee = (local: number): number[] => [0x22, local];
export const i32Const = (value: number): number[] => [0x41, ...signed(value)];
export const i64Const = (value: number): number[] => [0x42, ...signed(value)];
export const i64Load = (offset: number): number[] => [0x29, 0x03, ...unsigned(offset)];
export const vectorLoad = (offset: number): number[] => [SIMD, 0x00, 0x04, ...unsigned(offset)];
export const vectorStore = (offset: number): number[] => [SIMD, 0x0b, 0x04, ...unsigned(offset)];
export const ADD_I32 = 0x6a;
export const LESS_I32 = 0x48;

/** Bytes of a vector. */
export const VECTOR_BYTES = 16;

/** A number in LEB128. */
export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value < 0x40 ? [value] : [value & 0x7f | 0x80, ...signed(value >>> 7)];
}

/** An instance of such a module. */
export interface PageInstance {
  /** Its memory, which never grows. */
  readonly memory: ArrayBuffer;
  /** Runs the function; its result as a number, NaN without one. */
  readonly run: () => number;
}

/**
 * Makes a module whose function has these locals and instructions, and a result of a type, if any. Each
 * call of the returned function instantiates it.
 */
export function pageModule(
  body: readonly number[],
  result: readonly number[] = [],
): () => PageInstance {
  const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
  const section = (id: number, content: readonly number[]) => [
    ...[id, ...unsigned(content.length)],
    ...content,
  ];
  const module = new WebAssembly.Module(
    new Uint8Array([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, [1, 0x60, 0, result.length, ...result]), // one type
      ...section(3, [1, 0]), // one function of it
      ...section(5, [1, 0x01, 1, 1]), // one memory of one page
      ...section(7, [2, ...name("memory"), 0x02, 0, ...name("run"), 0x00, 0]),
      ...section(10, [1, ...unsigned(body.length), ...body]),
    ]),
  );
  return () => {
    const { memory, run } = new WebAssembly.Instance(module).exports;
    const buffer = memory instanceof WebAssembly.Memory ? memory.buffer : undefined;
    if (!(buffer instanceof ArrayBuffer) || typeof run !== "function") {
      throw new TypeError("A module for pages has no memory or function");
    }
    return { memory: buffer, run: () => Number(run()) };
  };
}
