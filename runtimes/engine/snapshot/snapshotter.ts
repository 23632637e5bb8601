/**
 * Captures the state of an engine as segments of changed pages, and restores it.
 *
 * A snapshot is a list of segments, oldest first; for a page that is in several, the newest
 * counts. A capture adds one segment with the pages that changed since the last. To keep the
 * list short and duplication low, the new segment replaces those newest
 * ones that have less than one and a half times its pages: their number stays logarithmic, and
 * unchanged pages are written again a few times at most. Runs tend to change the
 * same pages again and again: those end up in the newest segment, alone.
 *
 * @module
 */
import type { Differences } from "../baseline.ts";
import type { MemorySpan } from "../image.ts";
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import type { EngineState, GlobalValues } from "./engine_state.ts";
import { createPageHash, type PageHash, SNAPSHOT_PAGE_BYTES } from "./page_hash.ts";
import { decodeSegment, SegmentEncoder, SegmentFormatError } from "./segment.ts";

/** The state of an engine as it is stored. */
export interface Snapshot {
  /** Size of linear memory. */
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
  /** Oldest first. */
  readonly segments: readonly Uint8Array<ArrayBuffer>[];
}

/** The result of a capture: the difference from the previous snapshot. */
export interface Capture {
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
  /** Pages that differ from the baseline. */
  readonly pages: number;
  /** How many of the oldest segments the new state uses; `segment` follows them. */
  readonly reusedSegments: number;
  readonly segment: Uint8Array<ArrayBuffer>;
  /**
   * Where the memory differs from the baseline. Undefined for memory that is given up instead of put
   * back: it must not be kept from here.
   */
  readonly differences: Differences | undefined;
}

/** A segment as the snapshotter remembers it. A page may be in a newer one, too. */
interface Known {
  readonly pages: readonly number[];
  readonly bytes: number;
}

/** No segment has the page: it equals the baseline. */
const NO_SEGMENT = -1;
/** The page equals the baseline again, and its newest segment records that. */
const AS_BASELINE = -1;
const GROWTH = 1.5;

/** Tracks the stored state of one engine. */
export class Snapshotter {
  readonly #state: EngineState;
  readonly #hash: PageHash;
  readonly #encoder = new SegmentEncoder();
  /** Number of the newest segment that has a page. */
  readonly #segmentOf: Int16Array;
  /** Hash of a page as the newest segment has it. */
  readonly #hashes: Float64Array;
  #segments: readonly Known[] = [];
  /** The parts of memory that the stored state has; undefined: all, as the baseline has it. */
  #spans: readonly MemorySpan[] | undefined;

  constructor(
    state: EngineState,
    options: {
      /** Most bytes of linear memory that a guest may have. */
      readonly memoryBytes: number;
      random(target: Uint8Array<ArrayBuffer>): void;
    },
  ) {
    this.#state = state;
    this.#hash = createPageHash(options.random);
    const pages = options.memoryBytes / SNAPSHOT_PAGE_BYTES;
    this.#segmentOf = new Int16Array(pages).fill(NO_SEGMENT);
    this.#hashes = new Float64Array(pages);
  }

  /** Notes that the engine is at its baseline. */
  forget(): void {
    this.#segmentOf.fill(NO_SEGMENT);
    this.#segments = [];
    this.#spans = undefined;
  }

  /**
   * Captures the changes. Undefined when the whole snapshot would exceed `limitBytes`, or when
   * `affords` refuses the number of changed pages, which it gets before they are compressed.
   */
  capture(
    limitBytes: number,
    affords: (pages: number) => boolean = () => true,
  ): Capture | undefined {
    const memory = this.#state.memory();
    const { changed, charged, differences } = this.#findChanged(memory);
    if (!affords(charged)) return undefined;
    const reused = this.#reusedBelow(changed);
    const differenceOf = (page: number, target: Uint8Array<ArrayBuffer>) => {
      // free memory may hold dead bytes; it counts as equal to the baseline
      if (this.#hashes[page] === AS_BASELINE) target.fill(0);
      else this.#state.baseline.difference(memory, page, target);
    };
    const write = (first: number) => {
      const written = this.#pagesFrom(first, changed);
      const room = limitBytes - sum(this.#segments.slice(0, first));
      const segment = this.#encoder.encode(written, differenceOf, room);
      return segment === undefined ? undefined : { first, written, segment };
    };
    const made = write(reused) ?? (reused > 0 ? write(0) : undefined);
    if (made === undefined) return undefined;
    const { first, written, segment } = made;
    this.#spans = differences.spans;
    if (first === 0) this.#segmentOf.fill(NO_SEGMENT); // pages that are not written equal the baseline
    for (const page of written) this.#segmentOf[page] = first;
    const own: Known = { pages: written, bytes: segment.length };
    this.#segments = [...this.#segments.slice(0, first), own];
    const globals = this.#state.globals();
    return {
      memoryBytes: memory.length,
      globals,
      pages: differences.pages.length,
      reusedSegments: first,
      segment,
      differences: this.#state.baseline.canPutBack(memory, memory.length) ? differences : undefined,
    };
  }

  /**
   * Restores a snapshot into an engine that is at its baseline. Throws a SegmentFormatError or
   * a RangeError; the engine then needs a reset.
   */
  restore(snapshot: Snapshot): void {
    this.forget();
    if (snapshot.memoryBytes % WASM_PAGE_BYTES !== 0) {
      throw new SegmentFormatError("the memory is not a whole number of pages");
    }
    this.#state.beginRestore(snapshot.memoryBytes);
    const { baseline } = this.#state;
    const memory = this.#state.memory();
    const words = new Int32Array(memory.buffer);
    const known = snapshot.segments.map((): Known => ({ pages: [], bytes: 0 }));
    for (let index = snapshot.segments.length - 1; index >= 0; index--) {
      const bytes = snapshot.segments[index] ?? new Uint8Array();
      const pages: number[] = [];
      for (
        const { page, difference } of decodeSegment(bytes, memory.length / SNAPSHOT_PAGE_BYTES)
      ) {
        pages.push(page);
        if (this.#segmentOf[page] !== NO_SEGMENT) continue;
        this.#segmentOf[page] = index;
        this.#hashes[page] = baseline.applyDifference(memory, page, difference)
          ? this.#hash(words, page * SNAPSHOT_PAGE_BYTES / 4)
          : AS_BASELINE;
      }
      known[index] = { pages, bytes: bytes.length };
    }
    this.#segments = known;
    this.#state.setGlobals(snapshot.globals);
    // what lies outside is equal to the baseline now, and holds dead bytes where the run was here
    if (known.length > 0) this.#spans = this.#state.liveSpans();
  }

  /**
   * Pages that differ from the newest segment that has them. Notes their hashes. `charged`: how many
   * there are at most, the same wherever the state was before the run. There, pages that the state
   * does not have hold other bytes, so each of them that it has now counts.
   */
  #findChanged(memory: Uint8Array<ArrayBuffer>): {
    readonly changed: readonly number[];
    readonly charged: number;
    readonly differences: Differences;
  } {
    const words = new Int32Array(memory.buffer);
    const changed: number[] = [];
    let charged = 0;
    const different = new Uint8Array(memory.length / SNAPSHOT_PAGE_BYTES);
    const pages: number[] = [];
    // the guest's own words say where its heap ends: what lies beyond its memory was not compared
    const spans = this.#state.liveSpans()
      .map(([from, to]): MemorySpan => [from, Math.min(to, memory.length)]);
    const before = this.#spans === undefined ? undefined : pagesIn(this.#spans, memory.length);
    if (before !== undefined) charged += countNew(before, pagesIn(spans, memory.length));
    this.#state.baseline.forEachDifferent(memory, spans, (page) => {
      pages.push(page);
      different[page] = 1;
      const hash = this.#hash(words, page * SNAPSHOT_PAGE_BYTES / 4);
      if (this.#segmentOf[page] !== NO_SEGMENT && this.#hashes[page] === hash) return;
      this.#hashes[page] = hash;
      changed.push(page);
      if (before === undefined || before[page] === 1) charged++;
    });
    this.#segments.forEach(({ pages: written }, index) => {
      for (const page of written) {
        if (this.#segmentOf[page] !== index || different[page] === 1) continue;
        if (this.#hashes[page] === AS_BASELINE) continue;
        this.#hashes[page] = AS_BASELINE;
        changed.push(page);
      }
    });
    return { changed, charged, differences: { memory: memory.buffer, spans, pages } };
  }

  /** How many of the oldest segments a new one with these pages leaves in place. */
  #reusedBelow(changed: readonly number[]): number {
    const added = this.#pagesOfSegments(); // by replacing a segment
    for (const page of changed) {
      const segment = this.#segmentOf[page] ?? NO_SEGMENT;
      if (segment !== NO_SEGMENT) added[segment] = (added[segment] ?? 0) - 1;
    }
    let pages = changed.length;
    let reused = this.#segments.length;
    for (; reused > 0; reused--) {
      const before = this.#segments[reused - 1]?.pages.length ?? 0;
      if (before >= GROWTH * pages) break;
      pages += added[reused - 1] ?? 0;
    }
    return reused;
  }

  /** For each segment, the number of pages whose newest segment it is. */
  #pagesOfSegments(): number[] {
    return this.#segments.map(({ pages }, index) =>
      pages.reduce((count, page) => count + (this.#segmentOf[page] === index ? 1 : 0), 0)
    );
  }

  /** The changed pages and those of the segments from `first` on, in ascending order. */
  #pagesFrom(first: number, changed: readonly number[]): number[] {
    const wanted = new Set(changed);
    for (const { pages } of this.#segments.slice(first)) pages.forEach((page) => wanted.add(page));
    const pages = [...wanted].sort((a, b) => a - b);
    // a page that equals the baseline is recorded only if an older segment has it
    return first > 0 ? pages : pages.filter((page) => this.#hashes[page] !== AS_BASELINE);
  }
}

/** For each page of a memory, 1 if it is in one of the spans, wholly or in part. */
function pagesIn(spans: readonly MemorySpan[], bytes: number): Uint8Array {
  const pages = new Uint8Array(bytes / SNAPSHOT_PAGE_BYTES);
  for (const [from, to] of spans) {
    pages.fill(1, Math.floor(from / SNAPSHOT_PAGE_BYTES), Math.ceil(to / SNAPSHOT_PAGE_BYTES));
  }
  return pages;
}

/** How many pages are 1 in the second list only. */
function countNew(before: Uint8Array, now: Uint8Array): number {
  let count = 0;
  for (let page = 0; page < now.length; page++) {
    if (now[page] === 1 && before[page] === 0) count++;
  }
  return count;
}

function sum(segments: readonly Known[]): number {
  return segments.reduce((total, { bytes }) => total + bytes, 0);
}
