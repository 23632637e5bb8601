/**
 * `Intl.Segmenter`. Long texts go to the host in pieces. The last segment of a piece is repeated at
 * the start of the next piece, so that no segment is cut.
 *
 * @module
 */
import { ObjectGetPrototypeOf, ObjectSetPrototypeOf, SymbolIterator } from "../primordials.ts";
import { type Class, setTag } from "../web/expose.ts";
import { finishClass } from "./constructors.ts";
import { type Formatter, openFormatter } from "./formatter.ts";
import { requireOptions } from "./options.ts";
import type { IntlSend } from "./request.ts";

const PIECE = 4096;
const LONGEST_PIECE = 16_384;

interface Segment {
  segment: string;
  index: number;
  input: string;
  isWordLike?: boolean;
}

/** The boundaries of a text, found on demand. */
class Boundaries {
  readonly #formatter: Formatter;
  readonly text: string;
  readonly #ends: number[] = [];
  readonly #words: boolean[] = [];
  #known = 0;
  #complete = false;

  constructor(formatter: Formatter, text: string) {
    this.#formatter = formatter;
    this.text = text;
    this.#complete = text === "";
  }

  /** The segment at a position in the list of segments; undefined past the last. */
  at(ordinal: number): Segment | undefined {
    while (ordinal >= this.#ends.length && !this.#complete) this.#findMore(PIECE);
    const end = this.#ends[ordinal];
    if (end === undefined) return undefined;
    const index = ordinal === 0 ? 0 : this.#ends[ordinal - 1] ?? 0;
    const segment: Segment = { segment: this.text.slice(index, end), index, input: this.text };
    const isWordLike = this.#words[ordinal];
    if (isWordLike !== undefined) segment.isWordLike = isWordLike;
    return segment;
  }

  /** The segment that contains an index of the text. */
  containing(index: number): Segment | undefined {
    while (index >= this.#known && !this.#complete) this.#findMore(PIECE);
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = low + high >> 1;
      if ((this.#ends[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return this.at(low);
  }

  #findMore(length: number): void {
    const start = this.#known;
    const last = start + length >= this.text.length;
    const piece = this.text.slice(start, start + length);
    const [ends, words] = this.#formatter("segment", piece) as [number[], boolean[]];
    const whole = last || length >= LONGEST_PIECE && ends.length === 1;
    const count = whole ? ends.length : ends.length - 1;
    if (count === 0) return this.#findMore(2 * length);
    for (let i = 0; i < count; i++) {
      this.#ends.push(start + (ends[i] ?? 0));
      const word = words[i];
      if (word !== undefined) this.#words.push(word);
    }
    this.#known = this.#ends[this.#ends.length - 1] ?? start;
    this.#complete = last;
  }
}

class SegmentIterator implements Iterator<Segment> {
  readonly #boundaries: Boundaries;
  #ordinal = 0;

  constructor(boundaries: Boundaries) {
    this.#boundaries = boundaries;
  }

  next(): IteratorResult<Segment> {
    const value = this.#boundaries.at(this.#ordinal);
    if (value === undefined) return { value, done: true };
    this.#ordinal++;
    return { value, done: false };
  }
}

class Segments {
  readonly #boundaries: Boundaries;

  constructor(boundaries: Boundaries) {
    this.#boundaries = boundaries;
  }

  containing(index: unknown = 0): Segment | undefined {
    const at = Math.trunc(+(index as number)) || 0;
    if (at < 0 || at >= this.#boundaries.text.length) return undefined;
    return this.#boundaries.containing(at);
  }

  [SymbolIterator](): SegmentIterator {
    return new SegmentIterator(this.#boundaries);
  }
}

export function createSegmenter(send: IntlSend): Class {
  class Segmenter {
    readonly #formatter: Formatter;

    constructor(locales: unknown = undefined, options: unknown = undefined) {
      this.#formatter = openFormatter(send, "Segmenter", locales, options, requireOptions);
    }

    segment(text: unknown): Segments {
      return new Segments(new Boundaries(this.#formatter, `${text}`));
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }
  }
  const iterators = ObjectGetPrototypeOf(ObjectGetPrototypeOf([][SymbolIterator]()));
  ObjectSetPrototypeOf(SegmentIterator.prototype, iterators);
  setTag(SegmentIterator, "SegmentIterator", "Segmenter String Iterator");
  Reflect.deleteProperty(SegmentIterator.prototype, "constructor");
  Reflect.deleteProperty(Segments.prototype, "constructor");
  return finishClass(Segmenter, { name: "Segmenter", length: 0, callable: false }, send);
}
