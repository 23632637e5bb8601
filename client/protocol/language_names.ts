/**
 * Names of languages in requests: their ids, and their aliases.
 *
 * @module
 */
import { type Language, LANGUAGES } from "./types.ts";

/** Other names of each language, in lower case. */
export const LANGUAGE_ALIASES = {
  javascript: ["js", "node", "typescript", "ts"],
  python: ["python3", "py"],
  perl: ["pl"],
  ruby: ["rb"],
  shell: ["bash", "sh"],
} as const satisfies { readonly [L in Language]: readonly string[] };

/** The names of a language: its id and its aliases. */
export type LanguageName<L extends Language = Language> = {
  readonly [K in L]: K | typeof LANGUAGE_ALIASES[K][number];
}[L];

/** The language with a name, in any case; undefined when there is none. */
export function languageNamed(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return LANGUAGES.find((id) => {
    const aliases: readonly string[] = LANGUAGE_ALIASES[id];
    return id === lower || aliases.includes(lower);
  });
}

/** Names that notebooks have for a language, in lower case, besides its id and aliases. */
const NOTEBOOK_NAMES: { readonly [name: string]: Language } = {
  ipython: "python",
  deno: "javascript",
};

/** The language that a name in the metadata of a notebook says; undefined when there is none. */
export function notebookLanguage(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(NOTEBOOK_NAMES, lower) ? NOTEBOOK_NAMES[lower] : languageNamed(lower);
}
