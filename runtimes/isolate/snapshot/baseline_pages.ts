/**
 * The baseline by pages: finds the pages of a memory that differ from it, at the speed of
 * `memcmp`, and computes the difference of a page.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { MemoryImage } from "../image.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import type { MemorySpan } from "./engine_state.ts";
import { SNAPSHOT_PAGE_BYTES } from "./page_hash.ts";

const PAGES_PER_BLOCK = WASM_PAGE_BYTES / SNAPSHOT_PAGE_BYTES;
const ZERO = Buffer.alloc(WASM_PAGE_BYTES);

/** The position of the bytes of a page or a block of pages. */
interface PageSource {
  readonly bytes: Buffer;
  readonly at: number;
}
const NOWHERE: PageSource = { bytes: ZERO, at: 0 };

/** A baseline. */
export class BaselinePages {
  /** Size of the image's memory in bytes. */
  readonly bytes: number;
  readonly #pages: (PageSource | undefined)[] = [];
  /** Blocks of 64 KiB that are contiguous in the image. */
  readonly #blocks: (PageSource | undefined)[] = [];
  /** Blocks that are not all zero. */
  readonly #filled = new Set<number>();

  constructor(image: MemoryImage<unknown>) {
    this.bytes = image.pages * WASM_PAGE_BYTES;
    for (const { at, data } of image.ranges) this.#add(at, data);
  }

  /**
   * Calls back for each page of `memory` that differs from the baseline and has a byte in one of
   * the spans, in ascending order. Spans are derived from guest memory: they may be anything, and
   * parts outside memory are ignored.
   */
  forEachDifferent(
    memory: Uint8Array<ArrayBuffer>,
    spans: readonly MemorySpan[],
    found: (page: number) => void,
  ): void {
    let page = 0;
    for (const [from, to] of spans) {
      const end = Math.ceil(Math.min(to, memory.length) / SNAPSHOT_PAGE_BYTES);
      page = Math.max(page, Math.floor(from / SNAPSHOT_PAGE_BYTES)); // spans may share a page
      while (page < end) {
        if (page % PAGES_PER_BLOCK === 0 && page + PAGES_PER_BLOCK <= end) {
          if (this.#sameBlock(memory, page)) {
            page += PAGES_PER_BLOCK;
            continue;
          }
          const last = page + PAGES_PER_BLOCK;
          for (; page < last; page++) if (!this.#samePage(memory, page)) found(page);
        } else {
          if (!this.#samePage(memory, page)) found(page);
          page++;
        }
      }
    }
  }

  /** Combines a page of `memory` with the baseline's by exclusive or, into `target`. */
  difference(memory: Uint8Array<ArrayBuffer>, page: number, target: Uint8Array<ArrayBuffer>): void {
    const at = page * SNAPSHOT_PAGE_BYTES;
    target.set(memory.subarray(at, at + SNAPSHOT_PAGE_BYTES));
    const place = this.#pages[page];
    if (place !== undefined) exclusiveOr(target, place.bytes, place.at);
  }

  #sameBlock(present: Uint8Array, page: number): boolean {
    const index = page / PAGES_PER_BLOCK;
    const block = this.#blocks[index];
    if (block === undefined && this.#filled.has(index)) return false; // not contiguous
    const { bytes, at } = block ?? NOWHERE;
    const from = page * SNAPSHOT_PAGE_BYTES;
    return isSame(present, from, bytes, at, WASM_PAGE_BYTES);
  }

  #samePage(present: Uint8Array, page: number): boolean {
    const { bytes, at } = this.#pages[page] ?? NOWHERE;
    const from = page * SNAPSHOT_PAGE_BYTES;
    return isSame(present, from, bytes, at, SNAPSHOT_PAGE_BYTES);
  }

  /** Returns views of whole pages, and copies of pages that a range fills in part. */
  #add(at: number, data: Uint8Array<ArrayBuffer>): void {
    const whole = Buffer.from(data.buffer, data.byteOffset, data.length);
    for (let from = at; from < at + data.length;) {
      const page = Math.floor(from / SNAPSHOT_PAGE_BYTES);
      const pageStart = page * SNAPSHOT_PAGE_BYTES;
      this.#filled.add(Math.floor(page / PAGES_PER_BLOCK));
      const to = Math.min(pageStart + SNAPSHOT_PAGE_BYTES, at + data.length);
      if (to - from === SNAPSHOT_PAGE_BYTES) {
        this.#pages[page] = { bytes: whole, at: from - at };
        const isBlock = page % PAGES_PER_BLOCK === 0 &&
          from + WASM_PAGE_BYTES <= at + data.length;
        if (isBlock) this.#blocks[page / PAGES_PER_BLOCK] = { bytes: whole, at: from - at };
      } else {
        const copy = this.#pages[page]?.bytes ?? Buffer.alloc(SNAPSHOT_PAGE_BYTES);
        copy.set(data.subarray(from - at, to - at), from - pageStart);
        this.#pages[page] = { bytes: copy, at: 0 };
      }
      from = to;
    }
  }
}

/** Compares views, because with offsets Deno 2.5 copies both whole buffers. */
function isSame(a: Uint8Array, atA: number, b: Uint8Array, atB: number, length: number): boolean {
  const viewA = new Uint8Array(a.buffer, a.byteOffset + atA, length);
  return Buffer.compare(viewA, new Uint8Array(b.buffer, b.byteOffset + atB, length)) === 0;
}

/** Combines `target` with as many bytes; by words if both are aligned to four bytes. */
function exclusiveOr(target: Uint8Array<ArrayBuffer>, bytes: Buffer, at: number): void {
  const offset = bytes.byteOffset + at;
  if (offset % 4 !== 0 || target.byteOffset % 4 !== 0) {
    for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) ^ (bytes[at + i] ?? 0);
    return;
  }
  const words = new Int32Array(target.buffer, target.byteOffset, target.length / 4);
  const others = new Int32Array(bytes.buffer, offset, target.length / 4);
  for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) ^ (others[i] ?? 0);
}
