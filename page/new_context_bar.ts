/**
 * The buttons that make a context: one for each language, and one for a notebook.
 *
 * @module
 */
import type { Language, LanguageListing } from "@belljar/client";
import { button, el } from "./dom.ts";

/** Creates the bar. */
export function newContextBar(
  languages: readonly LanguageListing[],
  onCreate: (language: Language) => void,
  onNotebook: (file: File) => void,
): HTMLElement {
  const file = el("input", { type: "file", accept: ".ipynb,application/json" });
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    if (chosen !== undefined) onNotebook(chosen);
    file.value = "";
  });
  return el(
    "div",
    { class: "new-context", role: "group", "aria-label": "New context" },
    el("span", { class: "hint" }, "New context"),
    ...languages.map(({ id, name }) =>
      button(`+ ${name}`, () => onCreate(id), { "aria-label": `New context of ${name}` })
    ),
    button("+ Notebook", () => file.click(), {
      title: "A context of an .ipynb file. Nothing runs until you run it",
    }),
  );
}
