/**
 * A page as its vectors of 16 bytes that are not zero: a mask with a bit for each vector, then those
 * vectors. A step changes single words of most pages, so that their differences are almost empty.
 *
 * Packing is SIMD WebAssembly: a loop over words in JavaScript takes ten times as long.
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
  localSet,
  localTee,
  pageModule,
  SIMD,
  unsigned,
  V128,
  VECTOR_BYTES,
  vectorLoad,
  vectorStore,
} from "../page_module.ts";
import { SNAPSHOT_PAGE_BYTES } from "./page_hash.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const VECTOR_WORDS = VECTOR_BYTES / 4;
/** Vectors of one byte of the mask, which are skipped together. */
const GROUP = 8;
/** Bytes of the mask. */
const MASK_BYTES: number = SNAPSHOT_PAGE_BYTES / VECTOR_BYTES / 8;
/** Most bytes of a packed page. */
export const MAX_PACKED_BYTES: number = MASK_BYTES + SNAPSHOT_PAGE_BYTES;

/** The module's memory: the page, and the packed page behind it. */
const PACKED_AT = SNAPSHOT_PAGE_BYTES;

/** Locals of the function. */
const [AT, TO, BITS, ANY, VECTOR] = [0, 1, 2, 3, 4];

/** The instructions that only packing uses. */
const STORE_BYTE = [0x3a, 0x00];
const ZERO_VECTOR = [SIMD, 0x0c, ...new Array<number>(VECTOR_BYTES).fill(0)];
const VECTOR_OR = [SIMD, 0x50];
const ANY_TRUE = [SIMD, 0x53];
const SUBTRACT = 0x6b;
const OR = 0x72;
const SHIFT_LEFT = 0x74;
const SHIFT_RIGHT = 0x76;
const [LOOP, BLOCK, BRANCH, IS_ZERO, NOTHING] = [0x03, 0x02, 0x0d, 0x45, 0x40];

/** Appends one vector of a group, unless it is zero, and sets its bit. */
function packVector(index: number): number[] {
  return [
    ...[...localGet(TO), ...localGet(AT), ...vectorLoad(index * VECTOR_BYTES), ...localTee(VECTOR)],
    ...vectorStore(0),
    ...[...localGet(VECTOR), ...ANY_TRUE, ...localTee(ANY)],
    ...[...i32Const(index), SHIFT_LEFT, ...localGet(BITS), OR, ...localSet(BITS)],
    ...[...localGet(TO), ...localGet(ANY), ...i32Const(4), SHIFT_LEFT, ADD_I32, ...localSet(TO)],
  ];
}

const GROUP_INDEXES = Array.from({ length: GROUP }, (_, index) => index);
const MASK_VECTORS = Array.from({ length: MASK_BYTES / VECTOR_BYTES }, (_, index) => index);

/** Packs the page at 0 and returns the length of the packed page. */
const instantiate = pageModule([
  ...[2, 4, I32, 1, V128],
  ...MASK_VECTORS.flatMap((index) => [
    ...[...i32Const(0), ...ZERO_VECTOR, ...vectorStore(PACKED_AT + index * VECTOR_BYTES)],
  ]),
  ...[...i32Const(PACKED_AT + MASK_BYTES), ...localSet(TO)],
  ...[LOOP, NOTHING, BLOCK, NOTHING],
  ...[...localGet(AT), ...vectorLoad(0)],
  ...GROUP_INDEXES.slice(1).flatMap((index) => [
    ...[...localGet(AT), ...vectorLoad(index * VECTOR_BYTES), ...VECTOR_OR],
  ]),
  ...[...ANY_TRUE, IS_ZERO, BRANCH, 0], // the whole group is zero
  ...[...i32Const(0), ...localSet(BITS)],
  ...GROUP_INDEXES.flatMap(packVector),
  ...[...localGet(AT), ...i32Const(7), SHIFT_RIGHT, ...localGet(BITS)],
  ...[...STORE_BYTE, ...unsigned(PACKED_AT), END],
  ...[...localGet(AT), ...i32Const(GROUP * VECTOR_BYTES), ADD_I32, ...localTee(AT)],
  ...[...i32Const(SNAPSHOT_PAGE_BYTES), LESS_I32, BRANCH, 0, END],
  ...[...localGet(TO), ...i32Const(PACKED_AT), SUBTRACT, END],
], [I32]);

/** Packs one page after the other. */
export interface PagePacker {
  /** The page to pack, to be written by the caller. */
  readonly page: Bytes;
  /** The packed page; valid until the next call. */
  pack(): Bytes;
}

/** Creates a packer with memory of its own. */
export function createPagePacker(): PagePacker {
  const { memory, run } = instantiate();
  const bytes = new Uint8Array(memory);
  return {
    page: bytes.subarray(0, SNAPSHOT_PAGE_BYTES),
    pack: () => bytes.subarray(PACKED_AT, PACKED_AT + run()),
  };
}

/**
 * Unpacks the page at a word of `packed` into a page of words. Returns the number of the word behind
 * it; undefined where `packed` ends before.
 */
export function unpackPage(
  packed: Int32Array,
  start: number,
  page: Int32Array<ArrayBuffer>,
): number | undefined {
  page.fill(0);
  const maskWords = MASK_BYTES / 4;
  let at = start + maskWords;
  if (at > packed.length) return undefined;
  for (let word = 0; word < maskWords; word++) {
    let bits = packed[start + word] ?? 0;
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits & -bits);
      bits &= bits - 1;
      if (at + VECTOR_WORDS > packed.length) return undefined;
      const to = (word * 32 + bit) * VECTOR_WORDS;
      for (let index = 0; index < VECTOR_WORDS; index++) page[to + index] = packed[at + index] ?? 0;
      at += VECTOR_WORDS;
    }
  }
  return at;
}
