/**
 * The value of a program's last expression: in the language's own form, and where it has more to show,
 * as a tree that folds or as a table.
 *
 * @module
 */
import type { ResultEntry } from "@belljar/client";
import { button, el, fill } from "./dom.ts";
import { jsonText } from "./json_text.ts";
import { longText } from "./output_view.ts";
import { recordRows, tableView } from "./record_table.ts";
import { isNested, valueTree } from "./value_tree.ts";

const MAX_RESULT = 8_000;

/** Shows a value. `name`: of its run. */
export function resultView(value: ResultEntry, name: string): HTMLElement {
  const label = `Result of ${name}`;
  const text = value.text ?? value.repr ?? jsonText(value.json ?? null);
  const forms: Record<string, () => HTMLElement> = {
    Text: () =>
      el(
        "pre",
        { class: "output", tabindex: 0, role: "region", "aria-label": label },
        longText(text, MAX_RESULT),
      ),
  };
  const { json } = value;
  const rows = json === undefined ? undefined : recordRows(json);
  if (rows !== undefined) {
    const total = Array.isArray(json) ? json.length : undefined;
    forms["Table"] = () => tableView(rows, label, total);
  }
  if (json !== undefined && isNested(json)) forms["Tree"] = () => valueTree(json, label);
  const body = el("div", { class: "result-body" });
  const choices = Object.entries(forms).map(([form, show]) => {
    const choice = button(form, () => choose(choice, show), { class: "quiet small" });
    return choice;
  });
  const choose = (chosen: HTMLElement, show: () => HTMLElement) => {
    for (const choice of choices) choice.setAttribute("aria-pressed", String(choice === chosen));
    fill(body, show());
  };
  choices[0]?.click();
  return el(
    "div",
    { class: "result" },
    el("span", { class: "result-label" }, "Result"),
    choices.length > 1 &&
      el(
        "span",
        { class: "result-forms", role: "group", "aria-label": `Form of the ${label}` },
        ...choices,
      ),
    body,
  );
}
