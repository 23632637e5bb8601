/**
 * A value of JSON as a tree that folds. A branch is built when it is opened, so a large value costs
 * only what is shown of it.
 *
 * @module
 */
import type { JsonValue } from "@belljar/client";
import { button, el } from "./dom.ts";
import { exact } from "./format.ts";

/** Entries of a branch that are shown at once. */
const PAGE = 100;
/** Characters of a text. */
const MAX_TEXT = 2_000;
/** Characters of the line of a branch. */
const MAX_HINT = 60;

/** Shows a container; its first level is open. */
export function valueTree(value: JsonValue, label: string): HTMLElement {
  const tree = el("div", { class: "tree", role: "group", "aria-label": label });
  tree.append(branch("", value, true));
  return tree;
}

/** Whether a value is worth a tree: a container with containers in it. */
export function isNested(value: JsonValue): boolean {
  return isContainer(value) &&
    Object.values(value).some((entry) => isContainer(entry) && Object.keys(entry).length > 0);
}

type Container = readonly JsonValue[] | { readonly [key: string]: JsonValue };

function isContainer(value: JsonValue): value is Container {
  return typeof value === "object" && value !== null;
}

function branch(name: string, value: JsonValue, isOpen = false): HTMLElement {
  if (!isContainer(value) || Object.keys(value).length === 0) return leaf(name, value);
  const items = el("div", { class: "tree-items" });
  const details = el(
    "details",
    { open: isOpen },
    el("summary", {}, ...nameOf(name), el("span", { class: "tree-hint" }, hintOf(value))),
    items,
  );
  let isBuilt = false;
  const build = () => {
    if (isBuilt || !details.open) return;
    isBuilt = true;
    append(items, Object.entries(value), 0);
  };
  details.addEventListener("toggle", build);
  build();
  return details;
}

function append(
  items: HTMLElement,
  entries: readonly (readonly [string, JsonValue])[],
  from: number,
): void {
  items.append(...entries.slice(from, from + PAGE).map(([name, entry]) => branch(name, entry)));
  const left = entries.length - from - PAGE;
  if (left <= 0) return;
  const more = button(`${exact(Math.min(PAGE, left))} more of ${exact(left)}`, () => {
    const before = more.previousElementSibling;
    more.remove();
    append(items, entries, from + PAGE);
    const next = before?.nextElementSibling?.querySelector("summary");
    next?.focus();
  }, { class: "quiet small" });
  items.append(more);
}

function leaf(name: string, value: JsonValue): HTMLElement {
  const text = JSON.stringify(value);
  const kind = value === null ? "null" : typeof value;
  return el(
    "div",
    { class: "tree-leaf" },
    ...nameOf(name),
    el(
      "span",
      { class: `tree-${kind}` },
      text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
    ),
  );
}

function nameOf(name: string): readonly HTMLElement[] {
  return name === "" ? [] : [el("span", { class: "tree-name" }, `${name}: `)];
}

function hintOf(value: Container): string {
  if (Array.isArray(value)) return `[${exact(value.length)}]`;
  const names = Object.keys(value).slice(0, 8).join(", ");
  return `{${names.length > MAX_HINT ? `${names.slice(0, MAX_HINT)}…` : names}}`;
}
