/**
 * Which languages a service has: those of its build, without those whose module is not there.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { isBundled, LANGUAGE_INFO, LANGUAGES } from "../shared/languages.ts";

/** The languages of a build, and how to find their modules. */
export interface LanguageFacts {
  /** The languages that can be enabled. */
  readonly available: readonly Language[];
  /**
   * Whether the cache folder has the module of a language that needs one.
   * @default {it has none}
   */
  readonly hasModule?: (language: Language, cacheDir: string) => boolean;
}

/** All that the build and its cache folder have. */
export function defaultLanguages(facts: LanguageFacts, cacheDir: string): readonly Language[] {
  return LANGUAGES.filter((language) =>
    facts.available.includes(language) && isThere(facts, language, cacheDir)
  );
}

/** Why chosen languages cannot be enabled: a text for each one, which follows the variable's name. */
export function moduleProblems(
  facts: LanguageFacts,
  languages: readonly Language[],
  cacheDir: string,
): readonly string[] {
  return languages.filter((language) => !isThere(facts, language, cacheDir)).map((language) =>
    `must not have ${language}: its module is not there. ` +
    `${LANGUAGE_INFO[language].moduleCommand} makes it`
  );
}

function isThere({ hasModule }: LanguageFacts, language: Language, cacheDir: string): boolean {
  return isBundled(language) || hasModule?.(language, cacheDir) === true;
}
