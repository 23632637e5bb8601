/**
 * The choice of a language.
 *
 * @module
 */
import type { Language, LanguageListing } from "@belljar/client";
import { el } from "./dom.ts";

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

/** The name of a language for people. */
export function languageName(language: Language): string {
  const names = {
    javascript: "JavaScript, TypeScript",
    python: "Python",
    perl: "Perl",
    ruby: "Ruby",
  };
  return names[language];
}

/** The language of a context or of a result; undefined for one that this page does not know. */
export function knownLanguage(id: string): Language | undefined {
  const known = ["javascript", "python", "perl", "ruby"] as const;
  return known.find((language) => language === id);
}
