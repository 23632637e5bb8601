/**
 * The language in a path: the exact id of an enabled language.
 *
 * @module
 */
import { quoted } from "../client/protocol/text.ts";
import type { Language } from "../client/protocol/types.ts";
import { validationFailed } from "../shared/errors.ts";
import { isLanguage } from "../shared/languages.ts";

/**
 * Reads the parameter `language` of a path.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for any other name.
 */
export function languageIn(name = ""): Language {
  if (isLanguage(name)) return name;
  throw validationFailed(`Unsupported language ${quoted(name)}`);
}

/**
 * Looks up the entry of a language in a map that has one for each enabled language.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when the language is not enabled.
 */
export function entryOf<T>(language: Language, all: ReadonlyMap<Language, T>): T {
  const found = all.get(language);
  if (found === undefined) throw validationFailed(`Language '${language}' is not enabled`);
  return found;
}
