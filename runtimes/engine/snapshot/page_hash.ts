/**
 * A hash of memory pages, to detect changed pages. A guest chooses the contents
 * of a page, so the hash is a universal one: a secret random key decides which pages collide,
 * and for any two pages the probability is one in billions.
 *
 * It is NH (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, 1999) twice, each with a key as long
 * as the page, in SIMD WebAssembly: a word of the key is added to each word of the page, and
 * the products of pairs are summed. Multiplying and shifting makes 53 bits of both sums.
 *
 * @module
 */
import {
  ADD_I32,
  END,
  F64,
  I32,
  i32Const,
  i64Const,
  i64Load,
  LESS_I32,
  localGet,
  localSet,
  pageModule,
  SIMD,
  V128,
  VECTOR_BYTES,
  vectorLoad,
} from "../page_module.ts";

/** Bytes of a page of a snapshot. */
export const SNAPSHOT_PAGE_BYTES = 4096;
const WORDS = SNAPSHOT_PAGE_BYTES / 4;

/** Hashes the page that begins at a word of memory to a number of 53 bits. */
export type PageHash = (words: Int32Array, firstWord: number) => number;

/** The module's memory: the page, the two keys, and the two factors of 64 bits. */
const PAGE_AT = 0;
const KEYS_AT = [SNAPSHOT_PAGE_BYTES, 2 * SNAPSHOT_PAGE_BYTES] as const;
const FACTORS_AT = 3 * SNAPSHOT_PAGE_BYTES;
const FACTOR_BYTES = 8;

/** Locals of the function. */
const AT = 0;
const SUMS = [1, 2] as const;
const [LEFT, RIGHT] = [3, 4];

/** The instructions that only a hash uses. */
const ADD_I64 = 0x7c;
const MULTIPLY_I64 = 0x7e;
const SHIFT_I64 = 0x88;
const F64_OF_I64 = 0xba;
const ADD_WORDS = [SIMD, 0xae, 0x01];
const ADD_LONGS = [SIMD, 0xce, 0x01];
const MULTIPLY_LOW = [SIMD, 0xde, 0x01];
const MULTIPLY_HIGH = [SIMD, 0xdf, 0x01];
const lane = (index: number) => [SIMD, 0x1d, index];

/** Adds the products of two vectors of the page, of the key at `keyAt`, to a sum. */
function addProducts(sum: number, keyAt: number): number[] {
  const keyed = (offset: number) => [
    ...localGet(AT),
    ...vectorLoad(PAGE_AT + offset),
    ...localGet(AT),
    ...vectorLoad(keyAt + offset),
    ...ADD_WORDS,
  ];
  const products = (multiply: readonly number[]) => [
    ...localGet(LEFT),
    ...localGet(RIGHT),
    ...multiply,
  ];
  return [
    ...[...keyed(0), ...localSet(LEFT), ...keyed(VECTOR_BYTES), ...localSet(RIGHT)],
    ...[...localGet(sum), ...products(MULTIPLY_LOW), ...ADD_LONGS],
    ...[...products(MULTIPLY_HIGH), ...ADD_LONGS, ...localSet(sum)],
  ];
}

/** One sum of 64 bits, times its factor. */
function scaled(sum: number, factorAt: number): number[] {
  return [
    ...[...localGet(sum), ...lane(0), ...localGet(sum), ...lane(1), ADD_I64],
    ...[...i32Const(0), ...i64Load(factorAt), MULTIPLY_I64],
  ];
}

const HASH_BITS = 53;

const [LOOP, BRANCH, NOTHING] = [0x03, 0x0d, 0x40];
const instantiate = pageModule([
  ...[2, 1, I32, 4, V128],
  ...[LOOP, NOTHING],
  ...addProducts(SUMS[0], KEYS_AT[0]),
  ...addProducts(SUMS[1], KEYS_AT[1]),
  ...[...localGet(AT), ...i32Const(2 * VECTOR_BYTES), ADD_I32, ...localSet(AT)],
  ...[...localGet(AT), ...i32Const(SNAPSHOT_PAGE_BYTES), LESS_I32, BRANCH, 0, END],
  ...scaled(SUMS[0], FACTORS_AT),
  ...scaled(SUMS[1], FACTORS_AT + FACTOR_BYTES),
  ...[ADD_I64, ...i64Const(64 - HASH_BITS), SHIFT_I64, F64_OF_I64, END],
], [F64]);

/** A hash with its own key. */
export function createPageHash(random: (target: Uint8Array<ArrayBuffer>) => void): PageHash {
  const { memory, run } = instantiate();
  const key = new Uint8Array(FACTORS_AT + 2 * FACTOR_BYTES - KEYS_AT[0]);
  random(key);
  new Uint8Array(memory).set(key, KEYS_AT[0]);
  const page = new Int32Array(memory, PAGE_AT, WORDS);
  return (words, firstWord) => {
    page.set(words.subarray(firstWord, firstWord + WORDS));
    return run();
  };
}
