/**
 * The baseline by pages: finds the pages of a memory that differ from it, at the speed of
 * `memcmp`, puts them back, and computes the difference of a page.
 *
 * WebAssembly does not tell which pages a guest wrote, and a guest can write anywhere in its
 * memory. So after a run every page is compared, whatever the guest is known to do. Pages that were
 * compared since the guest ran last need not be compared again.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { MemoryImage, MemoryRange, MemorySpan } from "./image.ts";
import type { MemorySize } from "./memory_size.ts";
import { isBehind, type Move, movesTo } from "./page_moves.ts";
import { createPageDifference } from "./page_difference.ts";
import { SNAPSHOT_PAGE_BYTES } from "./snapshot/page_hash.ts";
import { SpareMemory } from "./spare_memory.ts";
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const PAGES_PER_BLOCK = WASM_PAGE_BYTES / SNAPSHOT_PAGE_BYTES;
/**
 * Maximum number of zero pages in one comparison. Most of a memory is zero. The zeros to compare
 * with then stay in the processor's first cache, which is smaller than a block.
 */
const ZERO_PAGES = 4;
const ZERO = new Uint8Array(ZERO_PAGES * SNAPSHOT_PAGE_BYTES);
const ZERO_PAGE = ZERO.subarray(0, SNAPSHOT_PAGE_BYTES);

/** Maximum number of views of runs of a memory: a few for each of its blocks. */
const MAX_RUNS = 16_384;

/** Pages next to each other, with the baseline's bytes. */
interface Run {
  readonly page: number;
  readonly pages: number;
  readonly data: Bytes;
}

/** Pages of one block, next to each other, all of them zero or none. */
interface Part extends Run {
  /** The pages that differed the last time, a bit each: programs tend to change the same pages. */
  hot: number;
  /** The pages that are compared at once: each hot page alone, and the pages between hot ones. */
  runs: readonly Run[];
}

/** The result of a comparison with the baseline. */
export interface Differences {
  readonly memory: ArrayBuffer;
  /** The parts that were compared, none of it outside the memory that the guest sees. */
  readonly spans: readonly MemorySpan[];
  /** The pages in them that differ. */
  readonly pages: readonly number[];
}

/** Views of the memory that was compared last; creating them takes as long as comparing. */
class MemoryViews {
  readonly #memory: Bytes;
  readonly #pages: Bytes[] = [];
  /** By the number of their first page, and their number of pages. */
  readonly #runs = new Map<number, Bytes>();

  constructor(buffer: ArrayBuffer) {
    this.#memory = new Uint8Array(buffer);
  }

  isOf(buffer: ArrayBuffer): boolean {
    return buffer === this.#memory.buffer;
  }

  page(page: number): Bytes {
    return this.#pages[page] ??= this.#view(page, 1);
  }

  run({ page, pages }: Run): Bytes {
    const key = page * 2 * PAGES_PER_BLOCK + pages;
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    if (this.#runs.size >= MAX_RUNS) this.#runs.clear();
    const view = this.#view(page, pages);
    this.#runs.set(key, view);
    return view;
  }

  #view(page: number, pages: number): Bytes {
    const at = page * SNAPSHOT_PAGE_BYTES;
    return this.#memory.subarray(at, at + pages * SNAPSHOT_PAGE_BYTES);
  }
}

/** An image whose ranges are whole pages, in memory of its own. */
export class Baseline<Head> implements MemoryImage<Head> {
  readonly head: Head;
  readonly pages: number;
  /** Undefined: all zero. */
  readonly #pages: readonly (Bytes | undefined)[];
  /** The parts of each block of 64 KiB. */
  readonly #blocks: (readonly Part[])[] = [];
  readonly #exclusiveOr = createPageDifference();
  readonly #spare = new SpareMemory();
  /** Memories may be larger than their guests see them. */
  #hasOwnSizes = false;
  #views: MemoryViews | undefined;
  #known: Differences | undefined;
  /** The pages that differ from those of the baseline that a memory came from last. */
  #moves: { readonly from: Baseline<Head>; readonly moves: readonly Move[] } | undefined;

  /**
   * Copies the ranges of the image. With a baseline below, the image has only the pages that differ
   * from that one, whole, and is not copied.
   */
  constructor(image: MemoryImage<Head>, below?: Baseline<unknown>) {
    this.head = image.head;
    this.pages = image.pages;
    this.#pages = below === undefined ? pagesOf(image) : pagesOver(image, below.#pages);
  }

  get ranges(): readonly MemoryRange[] {
    return this.#pages.flatMap((data, page) => {
      return data === undefined ? [] : [{ at: page * SNAPSHOT_PAGE_BYTES, data }];
    });
  }

  /**
   * Calls back for each page of `memory` that differs from the baseline and has a byte in one of
   * the spans, in ascending order. Spans are derived from guest memory: they may be anything, and
   * parts outside memory are ignored.
   */
  forEachDifferent(
    memory: Bytes,
    spans: readonly MemorySpan[],
    found: (page: number) => void,
  ): void {
    const views = this.#viewsOf(memory);
    for (const [from, end] of pagesOfSpans(spans, memory.length)) {
      for (let page = from; page < end;) {
        if (page % PAGES_PER_BLOCK === 0 && page + PAGES_PER_BLOCK <= end) {
          for (const part of this.#partsOf(page / PAGES_PER_BLOCK)) {
            this.#comparePart(views, part, found);
          }
          page += PAGES_PER_BLOCK;
        } else {
          if (!this.#samePage(views, page)) found(page);
          page++;
        }
      }
    }
  }

  /**
   * Whether the next reset puts a memory back or gives it up. `guestBytes`: its size for the guest.
   * Without a size of its own, a guest would see that its memory is larger than the baseline.
   */
  canPutBack({ buffer }: Bytes, guestBytes: number): boolean {
    const spare = buffer.byteLength - this.#bytes;
    if (spare <= 0) return spare === 0;
    return this.#hasOwnSizes && this.#spare.isKept(spare, guestBytes > this.#bytes);
  }

  /**
   * Calls `restoring`. In it, {@link restore} of that memory compares only what was not compared
   * when the differences were found. Nobody may have written to the memory since.
   */
  knowing(known: Differences | undefined, restoring: () => void): void {
    this.#known = known;
    try {
      restoring();
    } finally {
      this.#known = undefined;
    }
  }

  /**
   * Puts every byte of a memory back to the baseline, or writes the baseline into a new memory, and
   * puts back the size that the guest sees. False when the memory is to be given up instead
   * ({@linkcode canPutBack}): it is then unchanged. `from`: the baseline that the memory was put
   * back to last. Pages that differ from it are written without a comparison.
   */
  restore(memory: Bytes, size?: MemorySize, from: Baseline<Head> = this): boolean {
    this.#hasOwnSizes = size?.isOwn === true;
    const guestBytes = size?.bytes ?? memory.length;
    const canPutBack = this.canPutBack(memory, guestBytes);
    this.#spare.note(memory.buffer.byteLength - this.#bytes, guestBytes > this.#bytes);
    if (!canPutBack) {
      this.#views = undefined; // views of a memory that is given up would keep it
      return false;
    }
    if (size !== undefined) size.bytes = this.#bytes;
    const views = this.#viewsOf(memory);
    const putBack = (page: number) => views.page(page).set(this.#pages[page] ?? ZERO_PAGE);
    const known = this.#known?.memory === memory.buffer ? this.#known : undefined;
    known?.pages.forEach(putBack);
    const done = from === this ? known?.spans ?? [] : this.#moveFrom(from, memory);
    this.forEachDifferent(memory, spansBetween(done, memory.length), putBack);
    return true;
  }

  /** Writes all pages that differ from those of another baseline. Returns where they are. */
  #moveFrom(from: Baseline<Head>, memory: Bytes): readonly MemorySpan[] {
    if (this.#moves?.from !== from) {
      this.#moves = { from, moves: [...movesTo(this.#pages, from.#pages)] };
    }
    const moves = this.#moves.moves.filter(({ end }) => end <= memory.length);
    for (const { at, end, data } of moves) {
      if (data === undefined) memory.fill(0, at, end);
      else memory.set(data, at);
    }
    return moves.map(({ at, end }) => [at, end]);
  }

  /** Combines a page of `memory` with the baseline's by exclusive or, into `target`. */
  difference(memory: Bytes, page: number, target: Bytes): void {
    const at = page * SNAPSHOT_PAGE_BYTES;
    const present = memory.subarray(at, at + SNAPSHOT_PAGE_BYTES);
    const bytes = this.#pages[page];
    if (bytes === undefined) target.set(present);
    else this.#exclusiveOr(target, present, bytes);
  }

  /** Changes a page of `memory` by a difference. False when the difference is none. */
  applyDifference(memory: Bytes, page: number, difference: Uint8Array): boolean {
    if (Buffer.compare(difference, ZERO_PAGE) === 0) return false;
    const present = this.#viewsOf(memory).page(page);
    this.#exclusiveOr(present, present, difference);
    return true;
  }

  get #bytes(): number {
    return this.pages * WASM_PAGE_BYTES;
  }

  #viewsOf({ buffer }: Bytes): MemoryViews {
    if (this.#views?.isOf(buffer) !== true) this.#views = new MemoryViews(buffer);
    return this.#views ??= new MemoryViews(buffer);
  }

  #comparePart(views: MemoryViews, part: Part, found: (page: number) => void): void {
    let hot = 0;
    for (const run of part.runs) {
      if (Buffer.compare(views.run(run), run.data) === 0) continue;
      for (let page = run.page; page < run.page + run.pages; page++) {
        if (run.pages > 1 && this.#samePage(views, page)) continue;
        hot |= 1 << (page - part.page);
        found(page);
      }
    }
    if (hot === part.hot) return;
    part.hot = hot;
    part.runs = runsOf(part);
  }

  #samePage(views: MemoryViews, page: number): boolean {
    return Buffer.compare(views.page(page), this.#pages[page] ?? ZERO_PAGE) === 0;
  }

  #partsOf(block: number): readonly Part[] {
    return this.#blocks[block] ??= this.#newParts(block * PAGES_PER_BLOCK);
  }

  #newParts(first: number): readonly Part[] {
    const parts: Part[] = [];
    for (let page = first; page < first + PAGES_PER_BLOCK;) {
      const bytes = this.#pages[page];
      let pages = 1;
      const most = bytes === undefined ? ZERO_PAGES : PAGES_PER_BLOCK;
      for (; pages < most && page + pages < first + PAGES_PER_BLOCK; pages++) {
        if (!isBehind(this.#pages[page + pages], bytes, pages)) break;
      }
      const length = pages * SNAPSHOT_PAGE_BYTES;
      const data = bytes === undefined
        ? ZERO.subarray(0, length)
        : new Uint8Array(bytes.buffer, bytes.byteOffset, length);
      parts.push({ page, pages, data, hot: 0, runs: [{ page, pages, data }] });
      page += pages;
    }
    return parts;
  }
}

/** The pages `[from, end)` with a byte in one of the spans, which may share a page. */
function* pagesOfSpans(
  spans: readonly MemorySpan[],
  length: number,
): Generator<readonly [from: number, end: number]> {
  let page = 0;
  for (const [from, to] of spans) {
    const end = Math.ceil(Math.min(to, length) / SNAPSHOT_PAGE_BYTES);
    page = Math.max(page, Math.floor(from / SNAPSHOT_PAGE_BYTES));
    if (page >= end) continue;
    yield [page, end];
    page = end;
  }
}

/** The hot pages of a part one by one, and the pages between them together. */
function runsOf({ page: first, pages, data, hot }: Part): readonly Run[] {
  const runs: Run[] = [];
  const isHot = (index: number) => (hot >> index & 1) === 1;
  for (let index = 0; index < pages;) {
    let end = index + 1;
    while (!isHot(index) && end < pages && !isHot(end)) end++;
    const bytes = data.subarray(index * SNAPSHOT_PAGE_BYTES, end * SNAPSHOT_PAGE_BYTES);
    runs.push({ page: first + index, pages: end - index, data: bytes });
    index = end;
  }
  return runs;
}

/** The pages without a byte in any of the spans, as spans. */
function spansBetween(spans: readonly MemorySpan[], length: number): readonly MemorySpan[] {
  const between: MemorySpan[] = [];
  let page = 0;
  const until = (end: number) => {
    if (page < end) between.push([page * SNAPSHOT_PAGE_BYTES, end * SNAPSHOT_PAGE_BYTES]);
  };
  for (const [from, end] of pagesOfSpans(spans, length)) {
    until(from);
    page = end;
  }
  until(length / SNAPSHOT_PAGE_BYTES);
  return between;
}

/** The pages of an image whose ranges are whole pages, and those below where it has none. */
function pagesOver(
  { ranges, pages }: MemoryImage<unknown>,
  below: readonly (Bytes | undefined)[],
): readonly (Bytes | undefined)[] {
  const found = Array.from({ length: pages * PAGES_PER_BLOCK }, (_, page) => below[page]);
  for (const { at, data } of ranges) {
    for (let from = 0; from < data.length; from += SNAPSHOT_PAGE_BYTES) {
      found[(at + from) / SNAPSHOT_PAGE_BYTES] = data.subarray(from, from + SNAPSHOT_PAGE_BYTES);
    }
  }
  return found;
}

/** Copies of the pages in which an image has a range, next to each other in one buffer. */
function pagesOf({ ranges, pages }: MemoryImage<unknown>): readonly (Bytes | undefined)[] {
  const count = pages * PAGES_PER_BLOCK;
  const isUsed = new Uint8Array(count);
  for (const { at, data } of ranges) {
    const end = Math.ceil((at + data.length) / SNAPSHOT_PAGE_BYTES);
    isUsed.fill(1, Math.floor(at / SNAPSHOT_PAGE_BYTES), end);
  }
  const store = new Uint8Array(isUsed.reduce((sum, used) => sum + used, 0) * SNAPSHOT_PAGE_BYTES);
  let next = 0;
  const found = Array.from(isUsed, (used) => {
    if (used === 0) return undefined;
    next += SNAPSHOT_PAGE_BYTES;
    return store.subarray(next - SNAPSHOT_PAGE_BYTES, next);
  });
  for (const { at, data } of ranges) {
    for (let from = at; from < at + data.length;) {
      const page = Math.floor(from / SNAPSHOT_PAGE_BYTES);
      const start = page * SNAPSHOT_PAGE_BYTES;
      const to = Math.min(start + SNAPSHOT_PAGE_BYTES, at + data.length);
      found[page]?.set(data.subarray(from - at, to - at), from - start);
      from = to;
    }
  }
  return found;
}
