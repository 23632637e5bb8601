/**
 * Maps the value of a program to JSON or to the text that a console would show.
 *
 * @module
 */
import type { BuiltIns } from "./built_ins.ts";
import { kindOf } from "./inspect/brands.ts";
import { inspectWith } from "./inspect/inspect.ts";
import { unwrapProxy } from "./inspect/proxies.ts";
import { jsonText } from "./json_text.ts";
import { bare, StringPrototypeSlice } from "./primordials.ts";

/** Nothing is abbreviated; the result limit applies to text that is too long. */
const WHOLE = bare({ depth: Infinity, maxArrayLength: null, maxStringLength: null });

/** Whether a value is mapped to JSON: arrays, plain objects, instances of guest classes. */
function isContainer(value: object, builtIns: BuiltIns): boolean {
  const target = unwrapProxy(value);
  if (target === null || typeof target === "function") return false;
  const kind = kindOf(target);
  if (kind === "Array") return true;
  return kind === "Object" && !builtIns.hasKin(target);
}

function jsonOf(value: object): string | undefined {
  try {
    return jsonText(value);
  } catch {
    return undefined; // cycles, bigints, a `toJSON` that throws: shown as text
  }
}

/**
 * Text of JSON beyond which a form is abbreviated as a console does it, in UTF-16 units: the whole of a
 * long array costs much fuel.
 */
const MAX_WHOLE = 16_384;
/** UTF-16 units of a form; the host cuts it at 64 KiB. */
const MAX_FORM = 65_540;
const ABBREVIATED = bare({});

/**
 * A value that is mapped to JSON as a console shows it; undefined for other values, whose text is
 * that already, and when the value's own code throws.
 */
export function formOf(value: unknown, mapped: string): string | undefined {
  if (mapped[0] !== "j") return undefined;
  try {
    const form = inspectWith(value, mapped.length > MAX_WHOLE ? ABBREVIATED : WHOLE);
    return StringPrototypeSlice(form, 0, MAX_FORM);
  } catch {
    return undefined;
  }
}

/** Returns `n`, or `t` and text, or `j` and JSON. Throws what the guest's own code throws. */
export function mapResult(value: unknown, builtIns: BuiltIns): string {
  if (value === undefined) return "n";
  if (typeof value === "object" && value !== null && isContainer(value, builtIns)) {
    const json = jsonOf(value);
    if (json !== undefined) return `j${json}`;
  }
  return `t${inspectWith(value, WHOLE)}`;
}
