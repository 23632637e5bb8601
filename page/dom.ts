/**
 * Elements with their properties and children. Text of others only ever becomes text.
 *
 * @module
 */

/** Contents of an element; `undefined` and `false` are skipped. */
export type Child = Node | string | undefined | false;

/** Attributes of an element; `undefined` and `false` are left out, `true` is the empty text. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined;
}

/** Number of the next description: an id that no other element has. */
let nextHint = 0;

/** Creates an element. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/** Replaces what an element contains. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...present(children));
}

/** A button that does something. A label is for those who cannot see what is on it. */
export function button(
  text: Child,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = el("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", onClick);
  return made;
}

/** A field with its label. */
export function withLabel(text: string, field: HTMLElement): HTMLLabelElement {
  return el("label", { class: "field" }, el("span", { class: "field-name" }, text), field);
}

/** A field with its label and a description, which is read after its name. */
export function withDescription(
  text: string,
  field: HTMLElement,
  description: readonly Child[],
): HTMLElement {
  const id = `hint-${nextHint++}`;
  field.setAttribute("aria-describedby", id);
  return el("div", {}, withLabel(text, field), el("p", { class: "hint", id }, ...description));
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined && child !== false);
}
