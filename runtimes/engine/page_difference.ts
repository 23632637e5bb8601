/**
 * The difference of two pages, by exclusive or, in SIMD WebAssembly: a loop over words in JavaScript
 * takes several times as long.
 *
 * @module
 */
import { SNAPSHOT_PAGE_BYTES } from "./snapshot/page_hash.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const SIMD = 0xfd;
const VECTOR_BYTES = 16;
/** Vectors in one turn of the loop. */
const UNROLLED = 4;
/** Local 0: the place in both pages. */
const AT = [0x20, 0];
const vectorLoad = (offset: number) => [...AT, SIMD, 0x00, 0x04, ...unsigned(offset)];

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}

/** A constant of less than 2^13, as a signed number. */
const constant = (value: number) => [0x41, value & 0x7f | 0x80, value >>> 7];

/** Replaces the page at 0 by its difference to the page behind it. */
function moduleBytes(): Bytes {
  const vectors = Array.from({ length: UNROLLED }, (_, index) => index * VECTOR_BYTES);
  const body = [
    ...[1, 1, 0x7f], // one local
    ...[0x03, 0x40], // loop
    ...vectors.flatMap((offset) => [
      ...AT,
      ...[...vectorLoad(offset), ...vectorLoad(SNAPSHOT_PAGE_BYTES + offset)],
      ...[SIMD, 0x51], // exclusive or
      ...[SIMD, 0x0b, 0x04, ...unsigned(offset)], // store
    ]),
    ...[...AT, ...constant(UNROLLED * VECTOR_BYTES), 0x6a, 0x22, 0], // add, keep
    ...[...constant(SNAPSHOT_PAGE_BYTES), 0x49, 0x0d, 0, 0x0b, 0x0b], // less: again
  ];
  const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
  const section = (id: number, content: readonly number[]) => [
    ...[id, ...unsigned(content.length)],
    ...content,
  ];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 0, 0]), // one type: () → ()
    ...section(3, [1, 0]), // one function of it
    ...section(5, [1, 0x01, 1, 1]), // one memory of one page
    ...section(7, [2, ...name("memory"), 0x02, 0, ...name("run"), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

const MODULE = new WebAssembly.Module(moduleBytes());

/** Writes the exclusive or of two pages into a third; all are of a page's size. */
export type PageDifference = (target: Bytes, a: Uint8Array, b: Uint8Array) => void;

/** Makes a function for differences, with memory of its own. */
export function createPageDifference(): PageDifference {
  const { memory, run } = new WebAssembly.Instance(MODULE).exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof run !== "function") {
    throw new TypeError("The module of differences has no memory or function");
  }
  const pages = new Uint8Array(memory.buffer);
  const first = pages.subarray(0, SNAPSHOT_PAGE_BYTES);
  return (target, a, b) => {
    pages.set(a);
    pages.set(b, SNAPSHOT_PAGE_BYTES);
    run();
    target.set(first);
  };
}
