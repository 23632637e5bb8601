/**
 * Kernelspecs: one for each enabled language.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { LANGUAGE_INFO } from "../../shared/languages.ts";
import { kernelName } from "../../shared/notebook_languages.ts";

/** The language of a kernel for which none is named. */
export function defaultLanguage(languages: readonly Language[]): Language {
  const [first = "python"] = languages;
  return languages.includes("python") ? "python" : first;
}

/** A kernelspec as `GET /api/kernelspecs/:name` shows it. */
export function kernelspec(language: Language) {
  return {
    name: kernelName(language),
    spec: {
      argv: [],
      env: {},
      display_name: LANGUAGE_INFO[language].name,
      language,
      interrupt_mode: "message",
      metadata: {},
    },
    resources: {},
  };
}

/** The answer of `GET /api/kernelspecs`. */
export function kernelspecs(languages: readonly Language[]) {
  return {
    default: kernelName(defaultLanguage(languages)),
    kernelspecs: Object.fromEntries(
      languages.map((language) => [kernelName(language), kernelspec(language)]),
    ),
  };
}
