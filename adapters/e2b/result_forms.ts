/**
 * The results of a run in E2B's form: a field for each known media type.
 *
 * @module
 */
import { pythonRepr, unquoted } from "./literals.ts";

/** The forms of one result, by the names of E2B's fields. */
export type Forms = { readonly [field: string]: unknown };

/** Fields of E2B by media type. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ["text/plain", "text"],
  ["text/html", "html"],
  ["text/markdown", "markdown"],
  ["text/latex", "latex"],
  ["image/svg+xml", "svg"],
  ["image/png", "png"],
  ["image/jpeg", "jpeg"],
  ["application/pdf", "pdf"],
  ["application/json", "json"],
  ["application/javascript", "javascript"],
]);

/** The forms of a display. Other media types go into `extra`. */
export function displayForms(data: { readonly [type: string]: unknown }): Forms {
  const forms: { [field: string]: unknown } = {};
  const extra: { [type: string]: unknown } = {};
  for (const [type, value] of Object.entries(data)) {
    const field = FIELDS.get(type);
    if (field === undefined) extra[type] = value;
    else forms[field] = value;
  }
  return Object.keys(extra).length === 0 ? forms : { ...forms, extra };
}

/** The forms of the value of the last expression. A string comes without its quotes. */
export function valueForms(
  value: {
    readonly text?: string | undefined;
    readonly json?: unknown;
    readonly repr?: string | undefined;
  },
  language: string,
): Forms {
  if (value.text !== undefined) {
    return { text: language === "perl" ? value.text : unquoted(value.text) };
  }
  const { json, repr } = value;
  if (repr !== undefined) return { text: repr, json };
  // the context is on an earlier engine, or the value's own code failed
  const text = language === "python" ? containerText(json) : JSON.stringify(json);
  return { text, json };
}

/** A container as Python writes it, or as JSON where it is nested too deeply for that. */
function containerText(json: unknown): string {
  try {
    return pythonRepr(json);
  } catch (thrown) {
    if (thrown instanceof RangeError) return JSON.stringify(json);
    throw thrown;
  }
}
