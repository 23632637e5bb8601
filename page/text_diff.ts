/**
 * Differences of two texts, line by line.
 *
 * @module
 */
import { diffArrays } from "diff";
import { el } from "./dom.ts";
import { longText } from "./output_view.ts";

/** Lines of each text that are compared, and the most changes that are looked for. */
const MAX_LINES = 2_000;
const MAX_EDITS = 1_000;
/** Lines around a change that are shown. */
const AROUND = 2;

/** A line of the comparison. */
interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

const SIGNS = { same: " ", added: "+", removed: "-" } as const;
const WORDS = { same: "", added: "Only here: ", removed: "Only in the first: " } as const;

/** The lines of two texts in one order; undefined when they differ too much to compare. */
export function diffOf(before: string, after: string): readonly DiffLine[] | undefined {
  const [old, now] = [before.split("\n"), after.split("\n")];
  if (Math.max(old.length, now.length) > MAX_LINES) return undefined;
  const parts = diffArrays(old, now, { maxEditLength: MAX_EDITS });
  return parts?.flatMap(({ added, removed, value }) =>
    value.map((text) => ({ kind: added ? "added" : removed ? "removed" : "same", text }) as const)
  );
}

/** Shows how a text differs from another one. */
export function diffView(before: string, after: string, label: string): HTMLElement {
  if (before === after) return el("p", { class: "hint" }, "No difference.");
  const lines = diffOf(before, after);
  if (lines === undefined) return el("p", { class: "hint" }, "Too many differences to show.");
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== "same");
  const shown = lines.map((line, at) => ({ line, isShown: isNear(at) }));
  const items = shown.flatMap(({ line: { kind, text }, isShown }, at) => {
    if (!isShown) return shown[at - 1]?.isShown === false ? [] : [el("div", {}, "…")];
    const word = el("span", { class: "visually-hidden" }, WORDS[kind]);
    return [el("div", { class: `diff-${kind}` }, word, `${SIGNS[kind]} `, longText(text))];
  });
  const attributes = { tabindex: 0, role: "region", "aria-label": label };
  return el("div", { class: "output diff", ...attributes }, ...items);
}
