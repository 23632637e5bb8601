/**
 * The choice of a language.
 *
 * @module
 */
import type { Language, LanguageListing } from "@belljar/client";
import { el } from "./dom.ts";
import { languageName } from "./language_names.ts";

/** Creates a field that chooses among languages. */
export function languageChoice(
  languages: readonly LanguageListing[],
  first: Language,
  onChange: (language: Language) => void,
): HTMLSelectElement {
  const choice = el(
    "select",
    { "aria-label": "Language", class: "language" },
    ...languages.map(({ id }) => el("option", { value: id }, languageName(id))),
  );
  choice.value = first;
  choice.addEventListener("change", () => {
    const listing = languages.find(({ id }) => id === choice.value);
    if (listing !== undefined) onChange(listing.id);
  });
  return choice;
}
