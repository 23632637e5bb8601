/**
 * A font for tests, made of the tables that shaping needs: two glyphs, A and B, and a pair of them
 * that is set closer. Nothing of it can be drawn.
 */

const UNITS_PER_EM = 1000;
/** Widths of the glyph for what is missing, of A, and of B. */
const WIDTHS = [1000, 600, 700];
const KERNING = -100;

function words(...values: readonly number[]): readonly number[] {
  return values.flatMap((value) => [value >> 8 & 255, value & 255]);
}

function longs(...values: readonly number[]): readonly number[] {
  return values.flatMap((value) => words(value >>> 16, value & 0xffff));
}

const TABLES: Readonly<Record<string, readonly number[]>> = {
  // format 12, one group: A and B are the glyphs from 1 on
  cmap: [
    ...words(0, 1, 3, 10),
    ...longs(12),
    ...words(12, 0),
    ...longs(28, 0, 1, 0x41, 0x42, 1),
  ],
  head: [
    ...longs(0x00010000, 0x00010000, 0, 0x5f0f3cf5),
    ...words(0, UNITS_PER_EM),
    ...longs(0, 0, 0, 0),
    ...words(0, 0, UNITS_PER_EM, UNITS_PER_EM, 0, 8, 2, 0, 0),
  ],
  hhea: [
    ...longs(0x00010000),
    ...words(800, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, WIDTHS.length),
  ],
  hmtx: WIDTHS.flatMap((width) => words(width, 0)),
  // format 0, one pair
  kern: words(0, 1, 0, 20, 1, 1, 6, 0, 0, 1, 2, KERNING),
  maxp: [...longs(0x00005000), ...words(WIDTHS.length)],
};

function fontOf(tables: Readonly<Record<string, readonly number[]>>): Uint8Array<ArrayBuffer> {
  const names = Object.keys(tables);
  const directory: number[] = [...longs(0x00010000), ...words(names.length, 64, 2, 32)];
  const contents: number[] = [];
  const first = directory.length + 16 * names.length;
  for (const name of names) {
    const table = tables[name] ?? [];
    const tag = [...name].map((letter) => letter.charCodeAt(0));
    directory.push(...tag, ...longs(0, first + contents.length, table.length));
    contents.push(...table, ...Array(-table.length & 3).fill(0));
  }
  return Uint8Array.from([...directory, ...contents]);
}

/** The font. */
export const FONT = fontOf(TABLES);
