/**
 * Tables as `console.table` draws them.
 *
 * @module
 */
import { append, createList, type List, MathMax, StringPrototypeRepeat } from "../primordials.ts";
import { widthOf } from "../inspect/inspect.ts";

/** A column: its head and its cells; a missing cell is empty. */
export interface Column {
  readonly head: string;
  readonly cells: List<string>;
}

function widths(columns: List<Column>): List<number> {
  const result = createList<number>();
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    if (column === undefined) continue;
    let widest = widthOf(column.head);
    for (let row = 0; row < column.cells.length; row++) {
      widest = MathMax(widest, widthOf(column.cells[row] ?? ""));
    }
    append(result, widest);
  }
  return result;
}

function rule(widest: List<number>, left: string, middle: string, right: string): string {
  let text = left;
  for (let i = 0; i < widest.length; i++) {
    text += `${i === 0 ? "" : middle}${StringPrototypeRepeat("─", (widest[i] ?? 0) + 2)}`;
  }
  return `${text}${right}`;
}

function line(columns: List<Column>, widest: List<number>, row: number | undefined): string {
  let text = "│ ";
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    const cell = (row === undefined ? column?.head : column?.cells[row]) ?? "";
    const room = (widest[i] ?? 0) - widthOf(cell);
    text += `${i === 0 ? "" : " │ "}${cell}${StringPrototypeRepeat(" ", room)}`;
  }
  return `${text} │`;
}

/** The table as text, without a newline at its end. */
export function drawTable(columns: List<Column>): string {
  const widest = widths(columns);
  let rows = 0;
  for (let i = 0; i < columns.length; i++) rows = MathMax(rows, columns[i]?.cells.length ?? 0);
  let text = `${rule(widest, "┌", "┬", "┐")}\n${line(columns, widest, undefined)}\n` +
    `${rule(widest, "├", "┼", "┤")}\n`;
  for (let row = 0; row < rows; row++) text += `${line(columns, widest, row)}\n`;
  return `${text}${rule(widest, "└", "┴", "┘")}`;
}
