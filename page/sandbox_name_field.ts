/**
 * A field for the name of a sandbox.
 *
 * @module
 */
import { type Attributes, el } from "./dom.ts";

/** Creates the field. */
export function sandboxNameField(attributes: Attributes = {}): HTMLInputElement {
  return el("input", {
    required: true,
    maxlength: 63,
    pattern: "(?!\\.{1,2}$)[A-Za-z0-9_.]([A-Za-z0-9_.\\-]*[A-Za-z0-9_.])?",
    title: "Letters, digits, dots, underscores and hyphens, no hyphen at either end",
    autocomplete: "off",
    spellcheck: "false",
    ...attributes,
  });
}
