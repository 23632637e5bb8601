/**
 * Lines of a text, by offset.
 *
 * @module
 */

const NEWLINE = "\n";

/** An index of where the lines of a text begin. Lines count from 0 and end at line feeds. */
export class LineIndex {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  /** Offset of a line's first character; undefined when there is no such line. */
  startOf(line: number): number | undefined {
    return this.#starts[line];
  }

  /** The line that contains an offset. */
  lineOf(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
