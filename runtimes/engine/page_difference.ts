/**
 * The difference of two pages, by exclusive or, in SIMD WebAssembly: a loop over words in JavaScript
 * takes several times as long.
 *
 * @module
 */
import {
  ADD_I32,
  END,
  I32,
  i32Const,
  LESS_I32,
  localGet,
  localTee,
  pageModule,
  SIMD,
  VECTOR_BYTES,
  vectorLoad,
  vectorStore,
} from "./page_module.ts";
import { SNAPSHOT_PAGE_BYTES } from "./snapshot/page_hash.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Vectors in one turn of the loop. */
const UNROLLED = 4;
/** Local 0: the place in both pages. */
const AT = 0;
const EXCLUSIVE_OR = [SIMD, 0x51];
const [LOOP, BRANCH, NOTHING] = [0x03, 0x0d, 0x40];

/** Replaces the page at 0 by its difference to the page behind it. */
const instantiate = pageModule([
  ...[1, 1, I32],
  ...[LOOP, NOTHING],
  ...Array.from({ length: UNROLLED }, (_, index) => index * VECTOR_BYTES).flatMap((offset) => [
    ...localGet(AT),
    ...[...localGet(AT), ...vectorLoad(offset)],
    ...[...localGet(AT), ...vectorLoad(SNAPSHOT_PAGE_BYTES + offset)],
    ...[...EXCLUSIVE_OR, ...vectorStore(offset)],
  ]),
  ...[...localGet(AT), ...i32Const(UNROLLED * VECTOR_BYTES), ADD_I32, ...localTee(AT)],
  ...[...i32Const(SNAPSHOT_PAGE_BYTES), LESS_I32, BRANCH, 0, END, END],
]);

/** Writes the exclusive or of two pages into a third; all are of a page's size. */
export type PageDifference = (target: Bytes, a: Uint8Array, b: Uint8Array) => void;

/** Makes a function for differences, with memory of its own. */
export function createPageDifference(): PageDifference {
  const { memory, run } = instantiate();
  const pages = new Uint8Array(memory);
  const first = pages.subarray(0, SNAPSHOT_PAGE_BYTES);
  return (target, a, b) => {
    pages.set(a);
    pages.set(b, SNAPSHOT_PAGE_BYTES);
    run();
    target.set(first);
  };
}
