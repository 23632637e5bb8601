/**
 * The languages that this page knows.
 *
 * @module
 */
import type { Language } from "@belljar/client";

const NAMES: { readonly [L in Language]: string } = {
  javascript: "JavaScript, TypeScript",
  python: "Python",
  perl: "Perl",
  ruby: "Ruby",
  shell: "Shell",
};

/** The name of a language for people. */
export function languageName(language: Language): string {
  return NAMES[language];
}

/** The language with an id; undefined for one that this page does not know. */
export function knownLanguage(id: unknown): Language | undefined {
  return (Object.keys(NAMES) as Language[]).find((language) => language === id);
}
