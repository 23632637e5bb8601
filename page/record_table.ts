/**
 * Tables of the reader's data: rows of texts, and lists of records.
 *
 * @module
 */
import type { JsonValue } from "@belljar/client";
import { el } from "./dom.ts";
import { countText } from "./format.ts";

/** Rows and columns that are shown. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 50;
/** Characters of a cell. */
const MAX_CELL = 300;

/** A record: an object whose values are no objects. */
type JsonRecord = { readonly [key: string]: JsonValue };

/** A table with a row of names at its top. `total`: all rows, of which these are the first. */
export function tableView(
  [head = [], ...rows]: readonly (readonly string[])[],
  label: string,
  total: number = rows.length,
): HTMLElement {
  const shown = rows.slice(0, MAX_ROWS);
  const columns = head.slice(0, MAX_COLUMNS);
  const cut = [
    ...(shown.length < total ? [`the first ${shown.length} of ${countText(total, "row")}`] : []),
    ...(columns.length < head.length ? [`the first ${columns.length} columns`] : []),
  ];
  return el(
    "div",
    { class: "table", tabindex: 0, role: "region", "aria-label": label },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, cell(name)))),
      ),
      el(
        "tbody",
        {},
        ...shown.map((row) =>
          el("tr", {}, ...columns.map((_, index) => el("td", {}, cell(row[index] ?? ""))))
        ),
      ),
    ),
    cut.length > 0 && el("p", { class: "hint" }, `Shown: ${cut.join(", ")}.`),
  );
}

function cell(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
}

/** A list of at least two records as rows, with their names first; undefined for any other value. */
export function recordRows(value: JsonValue): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isRecord)) return undefined;
  const names = new Set<string>();
  for (const record of value.slice(0, MAX_ROWS)) {
    for (const name of Object.keys(record)) names.add(name);
    if (names.size > MAX_COLUMNS) break;
  }
  const columns = [...names];
  if (columns.length === 0) return undefined;
  const rows = value.slice(0, MAX_ROWS).map((record) =>
    columns.map((name) => Object.hasOwn(record, name) ? textOf(record[name] ?? null) : "")
  );
  return [columns, ...rows];
}

function isRecord(value: JsonValue): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).every((entry) => typeof entry !== "object" || entry === null);
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
