/**
 * The table of languages: all that does not depend on the configuration. A new language
 * is an id in `types.ts` and a row here; the compiler and `tests/languages_test.ts` name the rest
 * (docs/adding-a-language.md).
 *
 * @module
 */
import { LANGUAGE_ALIASES, languageNamed as idNamed } from "../client/protocol/language_names.ts";
import { type Language, type LanguageListing, LANGUAGES } from "../client/protocol/types.ts";

export { LANGUAGES };

const MIB = 1024 * 1024;

/** The facts of a language that do not depend on the configuration. */
export interface LanguageInfo
  extends
    Pick<LanguageListing, "name" | "package" | "version" | "engine" | "capabilities" | "aliases"> {
  /**
   * Whether its memory can be stored, and put back: in every service, where the operator asks for it,
   * or nowhere. Its engine has a `state` where it can.
   */
  readonly contexts: "always" | "optional" | "never";
  /**
   * The command that makes its module. Without the module the language is not there.
   * @default {a package of npm has it}
   */
  readonly moduleCommand?: string;
  /**
   * Most fuel of a run by default: about twenty seconds of the fastest common empty loop, in an
   * isolate that has run it before. `bench/endless_loops.ts` measures it.
   */
  readonly fuel: number;
  /** Linear memory of an instance in bytes, by default. */
  readonly memoryBytes: number;
}

/** A value for each language: a language without one does not compile. */
export type ByLanguage<T> = { readonly [L in Language]: T };

/**
 * The languages by id. `package` is the npm package that carries the WebAssembly, or the crate
 * that is compiled to it, `engine` is the text that results and the probe show.
 */
export const LANGUAGE_INFO: ByLanguage<LanguageInfo> = {
  javascript: {
    name: "JavaScript",
    package: "quickjs-wasi",
    version: "3.6.2",
    engine: "QuickJS-ng 0.17.0 (quickjs-wasi 3.6.2)",
    capabilities: ["stateless", "env", "typescript"],
    aliases: LANGUAGE_ALIASES.javascript,
    contexts: "always",
    fuel: 450_000_000_000,
    memoryBytes: 64 * MIB,
  },
  python: {
    name: "Python",
    package: "pyodide",
    version: "314.0.7",
    engine: "CPython 3.14.2 (Pyodide 314.0.7)",
    capabilities: ["stateless", "env"],
    aliases: LANGUAGE_ALIASES.python,
    contexts: "always",
    fuel: 400_000_000_000,
    memoryBytes: 256 * MIB,
  },
  perl: {
    name: "Perl",
    package: "@6over3/zeroperl-ts",
    version: "1.0.10",
    engine: "Perl 5.42.0 (zeroperl 1.0.10)",
    capabilities: ["stateless", "env"],
    aliases: LANGUAGE_ALIASES.perl,
    contexts: "always",
    fuel: 250_000_000_000,
    memoryBytes: 128 * MIB,
  },
  ruby: {
    name: "Ruby",
    package: "@ruby/4.0-wasm-wasi",
    version: "2.10.1",
    engine: "Ruby 4.0.0 (ruby.wasm 2.10.1)",
    capabilities: ["stateless", "env"],
    aliases: LANGUAGE_ALIASES.ruby,
    contexts: "optional",
    fuel: 425_000_000_000,
    memoryBytes: 256 * MIB,
  },
  shell: {
    name: "Shell",
    package: "bashkit",
    version: "0.20.2",
    engine: "bashkit 0.20.2",
    capabilities: ["stateless", "env"],
    aliases: LANGUAGE_ALIASES.shell,
    contexts: "always",
    moduleCommand: "deno task shell build",
    fuel: 160_000_000_000,
    memoryBytes: 128 * MIB,
  },
};

/** A language that every service has, because packages carry its module. */
export type BundledLanguage = Exclude<Language, "shell">;

/** A value for each of them. */
export type ByBundledLanguage<T> = { readonly [L in BundledLanguage]: T };

/** Whether every service has the language: its module needs no command of the operator. */
export function isBundled(language: Language): language is BundledLanguage {
  return LANGUAGE_INFO[language].moduleCommand === undefined;
}

/** The languages that every service has. */
export const BUNDLED_LANGUAGES: readonly BundledLanguage[] = LANGUAGES.filter(isBundled);

/** The languages that have contexts in a service whose operator asks for those of `chosen`. */
export function languagesWithContexts(chosen: readonly Language[]): readonly Language[] {
  return LANGUAGES.filter((language) => {
    const { contexts } = LANGUAGE_INFO[language];
    return contexts === "always" || (contexts === "optional" && chosen.includes(language));
  });
}

/** Makes a value for each language. */
export function byLanguage<T>(valueOf: (language: Language) => T): ByLanguage<T> {
  const entries = LANGUAGES.map((language): [Language, T] => [language, valueOf(language)]);
  return Object.fromEntries(entries) as ByLanguage<T>; // it has an entry for each id
}

/** Whether a text is an id, exactly as paths and configuration want it. */
export function isLanguage(name: string): name is Language {
  return LANGUAGES.some((language) => language === name);
}

/** The meaning of `language` in a body: the runtime's language, and whether it is TypeScript. */
export interface NamedLanguage {
  /** The runtime that runs it. */
  readonly language: Language;
  /** Whether the name means TypeScript, so that types must be stripped. */
  readonly typescript: boolean;
}

/**
 * Reads an id or alias in any case (docs/contract.md#runtime-routes); undefined when it is neither.
 */
export function languageNamed(name: string): NamedLanguage | undefined {
  const language = idNamed(name);
  if (language === undefined) return undefined;
  const lower = name.toLowerCase();
  return { language, typescript: lower === "typescript" || lower === "ts" };
}
