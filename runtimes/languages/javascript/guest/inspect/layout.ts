/**
 * Lines and columns: which entries share a line, and how arrays of short entries are grouped.
 *
 * @module
 */
import {
  append,
  createList,
  type List,
  MathFloor,
  MathMax,
  MathMin,
  StringPrototypeIncludes,
  StringPrototypePadEnd,
  StringPrototypePadStart,
  StringPrototypeRepeat,
} from "../primordials.ts";
import { ARRAY_EXTRA, type Context, type PropertyStyle } from "./context.ts";
import { stripEscapes, widthOf } from "./width.ts";

const { round, sqrt } = Math;
/** Arrays with more entries than this are grouped into columns. */
const GROUP_FROM = 6;
/** A character is about this many times as high as it is wide; groups should look square. */
const CHARACTER_RATIO = 2.5;
const SEPARATOR_SPACE = 2;
const MAX_COLUMNS = 15;

/** The text around the entries of a container. */
export interface Frame {
  readonly base: string;
  readonly open: string;
  readonly close: string;
}

function joinList(entries: List<string>, separator: string): string {
  let text = entries[0] ?? "";
  for (let i = 1; i < entries.length; i++) text += `${separator}${entries[i]}`;
  return text;
}

interface Measures {
  readonly widths: List<number>;
  readonly total: number;
  readonly longest: number;
  /** Number of entries to group, without a final "more items". */
  readonly count: number;
}

function measure(context: Context, entries: List<string>): Measures {
  const count = entries.length - (context.maxArrayLength < entries.length ? 1 : 0);
  const widths = createList<number>();
  let total = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const width = widthOf(entries[i] ?? "");
    append(widths, width);
    total += width + SEPARATOR_SPACE;
    longest = MathMax(longest, width);
  }
  return { widths, total, longest, count };
}

function columnsFor(context: Context, entries: List<string>, measures: Measures): number {
  const { total, longest, count } = measures;
  const cell = longest + SEPARATOR_SPACE;
  const fits = cell * 3 + context.indentation < context.breakLength;
  if (!fits || (total / cell <= 5 && longest > 6)) return 1;
  const bias = sqrt(cell - total / entries.length);
  const biased = MathMax(cell - 3 - bias, 1);
  return MathMin(
    round(sqrt(CHARACTER_RATIO * biased * count) / biased),
    MathFloor((context.breakLength - context.indentation) / cell),
    Number(context.compact) * 4,
    MAX_COLUMNS,
  );
}

function columnWidths(widths: List<number>, columns: number): List<number> {
  const result = createList<number>();
  for (let column = 0; column < columns; column++) {
    let widest = 0;
    for (let i = column; i < widths.length; i += columns) widest = MathMax(widest, widths[i] ?? 0);
    append(result, widest + SEPARATOR_SPACE);
  }
  return result;
}

function holdsNumbersOnly(values: ArrayLike<unknown>, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if (typeof values[i] !== "number" && typeof values[i] !== "bigint") return false;
  }
  return true;
}

/** Arranges the short entries of a long array in columns. */
function groupEntries(
  context: Context,
  entries: List<string>,
  values: ArrayLike<unknown> | undefined,
): List<string> {
  const measures = measure(context, entries);
  const columns = columnsFor(context, entries, measures);
  if (!(columns > 1)) return entries;
  const { widths, count } = measures;
  const cells = columnWidths(widths, columns);
  const toRight = values === undefined || holdsNumbersOnly(values, entries.length);
  const rows = createList<string>();
  for (let start = 0; start < count; start += columns) {
    const end = MathMin(start + columns, count);
    let row = "";
    for (let i = start; i < end; i++) {
      const entry = entries[i] ?? "";
      const isLast = i === end - 1;
      const text = isLast ? entry : `${entry}, `;
      // widths are in columns, padding counts characters
      const padding = (cells[i - start] ?? 0) + entry.length - (widths[i] ?? 0);
      if (toRight) row += StringPrototypePadStart(text, isLast ? padding - 2 : padding, " ");
      else row += isLast ? text : StringPrototypePadEnd(text, padding, " ");
    }
    append(rows, row);
  }
  if (context.maxArrayLength < entries.length) append(rows, entries[count] ?? "");
  return rows;
}

function fitsOnLine(context: Context, entries: List<string>, start: number, base: string): boolean {
  let length = entries.length + start;
  if (length + entries.length > context.breakLength) return false;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] ?? "";
    length += context.colors ? stripEscapes(entry).length : entry.length;
    if (length > context.breakLength) return false;
  }
  return base === "" || !StringPrototypeIncludes(base, "\n");
}

function layOutCompact(context: Context, entries: List<string>, frame: Frame): string {
  const { base, open, close } = frame;
  if (fitsOnLine(context, entries, 0, base)) {
    return `${open}${base === "" ? "" : ` ${base}`} ${joinList(entries, ", ")} ${close}`;
  }
  const indentation = StringPrototypeRepeat(" ", context.indentation);
  const lead = base === "" && open.length === 1
    ? " "
    : `${base === "" ? "" : ` ${base}`}\n${indentation}  `;
  return `${open}${lead}${joinList(entries, `,\n${indentation}  `)} ${close}`;
}

/** Puts the entries of a container on one line or on many, between its braces. */
export function layOut(
  context: Context,
  entries: List<string>,
  frame: Frame,
  style: PropertyStyle,
  depth: number,
  values?: ArrayLike<unknown>,
): string {
  const { compact } = context;
  if (compact === true) return layOutCompact(context, entries, frame);
  const { base, open, close } = frame;
  const lead = base === "" ? "" : `${base} `;
  let rows = entries;
  if (typeof compact === "number" && compact >= 1) {
    if (style === ARRAY_EXTRA && entries.length > GROUP_FROM) {
      rows = groupEntries(context, entries, values);
    }
    if (context.currentDepth - depth < compact && rows === entries) {
      const start = rows.length + context.indentation + open.length + base.length + 10;
      if (fitsOnLine(context, rows, start, base)) {
        const line = joinList(rows, ", ");
        if (!StringPrototypeIncludes(line, "\n")) return `${lead}${open} ${line} ${close}`;
      }
    }
  }
  const indentation = `\n${StringPrototypeRepeat(" ", context.indentation)}`;
  return `${lead}${open}${indentation}  ${
    joinList(rows, `,${indentation}  `)
  }${indentation}${close}`;
}
