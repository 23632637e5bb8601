/**
 * Keeps the heap of the image dense. Loading the guest environment allocates a lot that it frees
 * again; what stays would lie between the gaps that this leaves. But a boot does the same each time.
 * So a first boot records which allocations are freed, and a second one places those beyond the heap.
 *
 * The engine allocates through functions whose table indexes are the first words of its runtime. A
 * boot replaces them, and puts them back before the image is taken.
 *
 * @module
 */
import { BootError } from "../boot_error.ts";
import { growMemory } from "../image.ts";
import { LayoutError } from "./layout_error.ts";
import type { QuickJs } from "./quickjs.ts";

/** For each allocation of a boot, in order: its size, and whether it was freed before the end. */
export interface Allocations {
  readonly sizes: readonly number[];
  readonly isFreed: readonly boolean[];
}

/** The engine's own functions, as it calls them. */
interface Allocator {
  allocate(opaque: number, size: number): number;
  free(opaque: number, pointer: number): void;
}

const WORD = 4;
/** Order in the runtime: `calloc`, `malloc`, `free`, `realloc`, the size of an allocation. */
const ALLOCATE = 1;
const FREE = 2;
const REPLACED = 4;
const ALIGNMENT = 16;
/** Flags in the size that precedes an allocation. */
const CHUNK_MARKS = 7;
/** Memory beyond the heap for what is freed again. */
const SCRATCH_BYTES = 32 << 20;

/**
 * A module that exports what it imports, in the types of the functions above. A WebAssembly table
 * accepts only functions that a module exports.
 */
// deno-fmt-ignore
const FUNCTIONS_MODULE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  // types (i32 i32 i32) -> i32, (i32 i32) -> i32, (i32 i32) -> ()
  1, 19, 3, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, 0x60, 2, 0x7f, 0x7f, 0,
  // imports h.0, h.1, h.2, h.3
  2, 25, 4, 1, 0x68, 1, 0x30, 0, 0, 1, 0x68, 1, 0x31, 0, 1, 1, 0x68, 1, 0x32, 0, 2, 1, 0x68, 1, 0x33, 0, 0,
  7, 17, 4, 1, 0x30, 0, 0, 1, 0x31, 0, 1, 1, 0x32, 0, 2, 1, 0x33, 0, 3, // exports
]);

/** The allocations of one boot. */
export class BootHeap {
  readonly #js: QuickJs;
  readonly #own: Allocator;
  readonly #indexes: readonly number[];
  /** Those of an earlier boot. */
  readonly #expected: Allocations | undefined;
  readonly #sizes: number[] = [];
  readonly #isFreed: boolean[] = [];
  /** The number and the size of each allocation that is not freed, by its address. */
  readonly #present = new Map<number, { readonly number: number; readonly size: number }>();
  readonly #scratchStart: number;
  #scratchEnd: number;
  /** Freed scratch memory, by its size. */
  readonly #free = new Map<number, number[]>();

  /** Replaces the functions of a runtime that was just created. */
  constructor(js: QuickJs, expected: Allocations | undefined) {
    this.#js = js;
    this.#expected = expected;
    this.#scratchStart = this.#scratchEnd = js.bytes.length;
    this.#indexes = Array.from({ length: REPLACED }, (_, at) => this.#word(at));
    this.#own = allocatorOf(js, this.#indexes);
    growMemory(js.size, js.bytes.length + SCRATCH_BYTES, js.maximumPages);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(FUNCTIONS_MODULE), {
      h: {
        0: (opaque: number, count: number, size: number) =>
          this.#cleared(this.#allocate(opaque, count * size), count * size),
        1: (opaque: number, size: number) => this.#allocate(opaque, size),
        2: (opaque: number, pointer: number) => this.#release(opaque, pointer),
        3: (opaque: number, pointer: number, size: number) =>
          this.#reallocate(opaque, pointer, size),
      },
    });
    const first = js.table.grow(REPLACED);
    for (let at = 0; at < REPLACED; at++) {
      const replacement = exports[at];
      js.table.set(first + at, typeof replacement === "function" ? replacement : null);
      this.#setWord(at, first + at);
    }
  }

  /** Puts the functions back. Returns what this boot allocated. */
  close(): Allocations {
    this.#indexes.forEach((index, at) => this.#setWord(at, index));
    return { sizes: this.#sizes, isFreed: this.#isFreed };
  }

  /** Whether something is left beyond the heap: then this boot differs from the one before. */
  get hasLeftovers(): boolean {
    return [...this.#present.keys()].some((pointer) => this.#isScratch(pointer));
  }

  #word(at: number): number {
    return this.#js.view.getUint32(this.#js.runtime + at * WORD, true);
  }

  #setWord(at: number, value: number): void {
    this.#js.view.setUint32(this.#js.runtime + at * WORD, value, true);
  }

  #isScratch(pointer: number): boolean {
    return pointer >= this.#scratchStart;
  }

  #allocate(opaque: number, size: number): number {
    const number = this.#sizes.push(size) - 1;
    this.#isFreed.push(false);
    const { sizes, isFreed } = this.#expected ?? { sizes: [], isFreed: [] };
    const isShort = sizes[number] === size && isFreed[number] === true;
    const pointer = isShort ? this.#takeScratch(size) : this.#own.allocate(opaque, size);
    if (pointer !== 0) this.#present.set(pointer, { number, size });
    return pointer;
  }

  #cleared(pointer: number, size: number): number {
    if (pointer !== 0) this.#js.bytes.fill(0, pointer, pointer + size);
    return pointer;
  }

  #takeScratch(size: number): number {
    const rounded = roundedUp(size);
    const free = this.#free.get(rounded)?.pop();
    if (free !== undefined) return free;
    const pointer = this.#scratchEnd;
    this.#scratchEnd += rounded;
    if (this.#scratchEnd > this.#scratchStart + SCRATCH_BYTES) {
      throw new BootError("Loading the environment needs more memory");
    }
    return pointer;
  }

  #release(opaque: number, pointer: number): void {
    const known = this.#present.get(pointer);
    if (known !== undefined) {
      this.#present.delete(pointer);
      this.#isFreed[known.number] = true;
    }
    if (!this.#isScratch(pointer)) return this.#own.free(opaque, pointer);
    const rounded = roundedUp(known?.size ?? 0);
    const free = this.#free.get(rounded) ?? [];
    free.push(pointer);
    this.#free.set(rounded, free);
  }

  /** Bytes of an allocation that was there before this boot began to count. */
  #chunkBytes(pointer: number): number {
    return (this.#js.view.getUint32(pointer - WORD, true) & ~CHUNK_MARKS) - WORD;
  }

  /** Always moves, so that what grows ends up where its last size belongs. */
  #reallocate(opaque: number, pointer: number, size: number): number {
    const moved = size === 0 ? 0 : this.#allocate(opaque, size);
    if (pointer === 0) return moved;
    if (moved !== 0) {
      const copied = Math.min(size, this.#present.get(pointer)?.size ?? this.#chunkBytes(pointer));
      this.#js.bytes.copyWithin(moved, pointer, pointer + copied);
    }
    if (moved !== 0 || size === 0) this.#release(opaque, pointer);
    return moved;
  }
}

function roundedUp(size: number): number {
  return Math.max(ALIGNMENT, Math.ceil(size / ALIGNMENT) * ALIGNMENT);
}

/** The functions that the first words of a runtime name. Throws a LayoutError. */
function allocatorOf(js: QuickJs, indexes: readonly number[]): Allocator {
  const at = (place: number) => {
    const found: unknown = js.table.get(indexes[place] ?? 0);
    if (typeof found !== "function") throw new LayoutError("functions of the allocator");
    return (...args: readonly number[]): number => Number(found(...args));
  };
  const [allocate, free] = [at(ALLOCATE), at(FREE)];
  return { allocate, free: (opaque, pointer) => void free(opaque, pointer) };
}
