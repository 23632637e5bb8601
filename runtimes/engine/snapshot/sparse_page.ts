/**
 * A page as its vectors of 16 bytes that are not zero: a mask with a bit for each vector, then those
 * vectors. A step changes single words of most pages, so that their differences are almost empty.
 *
 * Packing is SIMD WebAssembly: a loop over words in JavaScript takes ten times as long.
 *
 * @module
 */
import { SNAPSHOT_PAGE_BYTES } from "./page_hash.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const VECTOR_BYTES = 16;
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

/** Types, and the instructions that are used. */
const I32 = 0x7f;
const V128 = 0x7b;
const SIMD = 0xfd;
const END = 0x0b;
const localGet = (local: number) => [0x20, local];
const localSet = (local: number) => [0x21, local];
const localTee = (local: number) => [0x22, local];
const i32Const = (value: number) => [0x41, ...signed(value)];
const vectorLoad = (offset: number) => [SIMD, 0x00, 0x04, ...unsigned(offset)];
const vectorStore = (offset: number) => [SIMD, 0x0b, 0x04, ...unsigned(offset)];
const STORE_BYTE = [0x3a, 0x00];
const ZERO_VECTOR = [SIMD, 0x0c, ...new Array<number>(VECTOR_BYTES).fill(0)];
const VECTOR_OR = [SIMD, 0x50];
const ANY_TRUE = [SIMD, 0x53];
const ADD = 0x6a;
const SUBTRACT = 0x6b;
const OR = 0x72;
const SHIFT_LEFT = 0x74;
const SHIFT_RIGHT = 0x76;
const LESS = 0x49;

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value < 0x40 ? [value] : [value & 0x7f | 0x80, ...signed(value >>> 7)];
}

/** Appends one vector of a group, unless it is zero, and sets its bit. */
function packVector(index: number): number[] {
  return [
    ...[...localGet(TO), ...localGet(AT), ...vectorLoad(index * VECTOR_BYTES), ...localTee(VECTOR)],
    ...vectorStore(0),
    ...[...localGet(VECTOR), ...ANY_TRUE, ...localTee(ANY)],
    ...[...i32Const(index), SHIFT_LEFT, ...localGet(BITS), OR, ...localSet(BITS)],
    ...[...localGet(TO), ...localGet(ANY), ...i32Const(4), SHIFT_LEFT, ADD, ...localSet(TO)],
  ];
}

/** Packs the page at 0 and returns the length of the packed page. */
function moduleBytes(): Bytes {
  const indexes = Array.from({ length: GROUP }, (_, index) => index);
  const [loop, branchIf, branchIfZero, block, nothing] = [0x03, 0x0d, 0x45, 0x02, 0x40];
  const maskVectors = Array.from({ length: MASK_BYTES / VECTOR_BYTES }, (_, index) => index);
  const body = [
    ...[2, 4, I32, 1, V128],
    ...maskVectors.flatMap((index) => [
      ...[...i32Const(0), ...ZERO_VECTOR, ...vectorStore(PACKED_AT + index * VECTOR_BYTES)],
    ]),
    ...[...i32Const(PACKED_AT + MASK_BYTES), ...localSet(TO)],
    ...[loop, nothing, block, nothing],
    ...[...localGet(AT), ...vectorLoad(0)],
    ...indexes.slice(1).flatMap((index) => [
      ...[...localGet(AT), ...vectorLoad(index * VECTOR_BYTES), ...VECTOR_OR],
    ]),
    ...[...ANY_TRUE, branchIfZero, branchIf, 0], // the whole group is zero
    ...[...i32Const(0), ...localSet(BITS)],
    ...indexes.flatMap(packVector),
    ...[...localGet(AT), ...i32Const(7), SHIFT_RIGHT, ...localGet(BITS)],
    ...[...STORE_BYTE, ...unsigned(PACKED_AT), END],
    ...[...localGet(AT), ...i32Const(GROUP * VECTOR_BYTES), ADD, ...localTee(AT)],
    ...[...i32Const(SNAPSHOT_PAGE_BYTES), LESS, branchIf, 0, END],
    ...[...localGet(TO), ...i32Const(PACKED_AT), SUBTRACT, END],
  ];
  const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
  const section = (id: number, content: readonly number[]) => [
    ...[id, ...unsigned(content.length)],
    ...content,
  ];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 0, 1, I32]), // one type: () → i32
    ...section(3, [1, 0]), // one function of it
    ...section(5, [1, 0x01, 1, 1]), // one memory of one page
    ...section(7, [2, ...name("memory"), 0x02, 0, ...name("pack"), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

const MODULE = new WebAssembly.Module(moduleBytes());

/** Packs one page after the other. */
export interface PagePacker {
  /** The page to pack, to be written by the caller. */
  readonly page: Bytes;
  /** The packed page; valid until the next call. */
  pack(): Bytes;
}

/** Creates a packer with memory of its own. */
export function createPagePacker(): PagePacker {
  const { memory, pack } = new WebAssembly.Instance(MODULE).exports;
  const buffer = memory instanceof WebAssembly.Memory ? memory.buffer : undefined;
  if (!(buffer instanceof ArrayBuffer) || typeof pack !== "function") {
    throw new TypeError("The module of packing has no memory or function");
  }
  const bytes = new Uint8Array(buffer);
  return {
    page: bytes.subarray(0, SNAPSHOT_PAGE_BYTES),
    pack: () => bytes.subarray(PACKED_AT, PACKED_AT + Number(pack())),
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
