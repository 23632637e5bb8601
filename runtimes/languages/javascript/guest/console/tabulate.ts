/**
 * The columns and cells of `console.table` for a value.
 *
 * @module
 */
import {
  append,
  ArrayIsArray,
  bare,
  createList,
  type List,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  ReflectGet,
  uncurryThis,
} from "../primordials.ts";
import { kindOf } from "../inspect/brands.ts";
import { inspectWith } from "../inspect/inspect.ts";
import { previewIterator } from "../inspect/iterators.ts";
import type { Column } from "./table.ts";

const INDEX = "(index)";
const ITERATION_INDEX = "(iteration index)";
const KEY = "Key";
const VALUES = "Values";

const mapForEach = uncurryThis(Map.prototype.forEach) as (
  map: unknown,
  visit: (value: unknown, key: unknown) => void,
) => void;
const setForEach = uncurryThis(Set.prototype.forEach) as (
  set: unknown,
  visit: (value: unknown) => void,
) => void;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function cellText(value: unknown): string {
  const isDeep = isObject(value) && kindOf(value) !== "Array" && kindOf(value) !== "TypedArray" &&
    ObjectKeys(value).length > 2;
  return inspectWith(
    value,
    bare({ depth: isDeep ? -1 : 0, maxArrayLength: 3, breakLength: Infinity }),
  );
}

function column(head: string, values: List<unknown>): Column {
  const cells = createList<string>();
  for (let i = 0; i < values.length; i++) append(cells, cellText(values[i]));
  return { head, cells };
}

function columnsOf(...columns: readonly Column[]): List<Column> {
  const list = createList<Column>();
  for (let i = 0; i < columns.length; i++) {
    const item = columns[i];
    if (item !== undefined) append(list, item);
  }
  return list;
}

function numbered(values: List<unknown>): Column {
  const indexes = createList<unknown>();
  for (let i = 0; i < values.length; i++) append(indexes, i);
  return column(ITERATION_INDEX, indexes);
}

/** Keys and values of a Map or of an iterator of its entries. */
function pairColumns(keys: List<unknown>, values: List<unknown>): List<Column> {
  return columnsOf(numbered(keys), column(KEY, keys), column(VALUES, values));
}

function valueColumns(values: List<unknown>): List<Column> {
  return columnsOf(numbered(values), column(VALUES, values));
}

function mapColumns(map: object): List<Column> {
  const keys = createList<unknown>();
  const values = createList<unknown>();
  mapForEach(map, (value, key) => {
    append(keys, key);
    append(values, value);
  });
  return pairColumns(keys, values);
}

function setColumns(set: object): List<Column> {
  const values = createList<unknown>();
  setForEach(set, (value) => append(values, value));
  return valueColumns(values);
}

function iteratorColumns(iterator: object, kind: "Map Iterator" | "Set Iterator"): List<Column> {
  const { items, isEntries } = previewIterator(iterator, kind);
  if (!isEntries || kind === "Set Iterator") return valueColumns(items);
  const keys = createList<unknown>();
  const values = createList<unknown>();
  for (let i = 0; i < items.length; i++) {
    const pair = items[i] as List<unknown>;
    append(keys, pair[0]);
    append(values, pair[1]);
  }
  return pairColumns(keys, values);
}

/** Columns by property name, in the order of an object's keys. */
class RowColumns {
  readonly #byName: Record<string, List<string>> = bare({});

  set(name: string, row: number, text: string): void {
    const cells = this.#byName[name] ??= createList<string>();
    while (cells.length < row) append(cells, "");
    cells[row] = text;
  }

  get columns(): List<Column> {
    const columns = createList<Column>();
    const names = ObjectKeys(this.#byName);
    for (let i = 0; i < names.length; i++) {
      const head = names[i] ?? "";
      append(columns, { head, cells: this.#byName[head] ?? createList<string>() });
    }
    return columns;
  }
}

function addRow(
  columns: RowColumns,
  item: unknown,
  row: number,
  properties: List<string> | undefined,
): void {
  const holder = isObject(item) || typeof item === "function" ? item : undefined;
  const keys = properties ?? (holder === undefined ? createList<string>() : ObjectKeys(holder));
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    const has = holder !== undefined && ObjectPrototypeHasOwnProperty(holder, key);
    columns.set(key, row, has ? cellText(ReflectGet(holder, key)) : "");
  }
}

function rowColumns(data: object, properties: List<string> | undefined): List<Column> {
  const rows = ObjectKeys(data);
  const heads = createList<string>();
  const columns = new RowColumns();
  const values = createList<string>();
  for (let row = 0; row < rows.length; row++) {
    const key = rows[row] ?? "";
    append(heads, key);
    const item: unknown = ReflectGet(data, key);
    const isPrimitive = !isObject(item) && typeof item !== "function";
    if (properties === undefined && isPrimitive) {
      while (values.length < row) append(values, "");
      values[row] = cellText(item);
    } else {
      addRow(columns, item, row, properties);
    }
  }
  const result = columnsOf({ head: INDEX, cells: heads });
  const named = columns.columns;
  for (let i = 0; i < named.length; i++) {
    const item = named[i];
    if (item !== undefined) append(result, item);
  }
  if (values.length > 0) append(result, { head: VALUES, cells: values });
  return result;
}

/** The columns of the table that shows `data`. `properties` selects among the keys of rows. */
export function tabulate(data: object, properties: List<string> | undefined): List<Column> {
  const kind = ArrayIsArray(data) ? "Array" : kindOf(data);
  switch (kind) {
    case "Map":
      return mapColumns(data);
    case "Set":
      return setColumns(data);
    case "Map Iterator":
    case "Set Iterator":
      return iteratorColumns(data, kind);
    default:
      return rowColumns(data, properties);
  }
}
