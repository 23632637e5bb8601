/**
 * The languages: ids, aliases, engines and capabilities.
 *
 * @module
 */
import type { LanguageLimits } from "./limits.ts";
import type { Language, LanguageListing, PublishedLimits } from "./types.ts";

/** The ids, in the order of `GET /languages`. */
export const LANGUAGES: readonly Language[] = [
  "javascript",
  "python",
  "perl",
  "ruby",
];

/** The languages whose state can be captured and restored. */
export const LANGUAGES_WITH_CONTEXTS: readonly Language[] = ["javascript", "python", "perl"];

/** Facts of a language that do not depend on the configuration. */
export type LanguageInfo = Pick<
  LanguageListing,
  "id" | "name" | "package" | "version" | "engine" | "capabilities" | "aliases"
>;

/**
 * The languages by id. `package` is the npm package that carries the WebAssembly, results and the
 * probe show the text of `engine`.
 */
export const LANGUAGE_INFO: { readonly [L in Language]: LanguageInfo } = {
  javascript: {
    id: "javascript",
    name: "JavaScript",
    package: "@jitl/quickjs-ng-wasmfile-release-sync",
    version: "0.32.0",
    engine: "QuickJS-ng 0.12.1 (quickjs-emscripten 0.32.0)",
    capabilities: ["stateless", "env", "typescript"],
    aliases: ["js", "node", "typescript", "ts"],
  },
  python: {
    id: "python",
    name: "Python",
    package: "pyodide",
    version: "314.0.7",
    engine: "CPython 3.14.2 (Pyodide 314.0.7)",
    capabilities: ["stateless", "env"],
    aliases: ["python3", "py"],
  },
  perl: {
    id: "perl",
    name: "Perl",
    package: "@6over3/zeroperl-ts",
    version: "1.0.10",
    engine: "Perl 5.42.0 (zeroperl 1.0.10)",
    capabilities: ["stateless", "env"],
    aliases: ["pl"],
  },
  ruby: {
    id: "ruby",
    name: "Ruby",
    package: "@ruby/4.0-wasm-wasi",
    version: "2.10.1",
    engine: "Ruby 4.0.0 (ruby.wasm 2.10.1)",
    capabilities: ["stateless", "env"],
    aliases: ["rb"],
  },
};

/** The parts of an entry of `GET /languages` that depend on the configuration. */
export interface ListingOptions {
  /** Whether this service runs the language. */
  readonly enabled: boolean;
  /** Whether it can hold code contexts here. */
  readonly contexts: boolean;
  /** Its configured limits. */
  readonly limits: LanguageLimits;
}

/** One entry of `GET /languages`. `contexts` is among the capabilities when it is true. */
export function languageListing(
  language: Language,
  options: ListingOptions,
): LanguageListing {
  const info = LANGUAGE_INFO[language];
  const { enabled, contexts } = options;
  return {
    id: info.id,
    name: info.name,
    package: info.package,
    version: info.version,
    engine: info.engine,
    enabled,
    mode: "script",
    contexts,
    capabilities: contexts ? [...info.capabilities, "contexts"] : info.capabilities,
    aliases: info.aliases,
    limits: publishedLimits(options.limits),
  };
}

function publishedLimits(limits: LanguageLimits): PublishedLimits {
  const { codeBytes, requestBytes, fuel, memoryBytes, outputBytes, outputLines } = limits;
  const { resultBytes, wallMs } = limits;
  return {
    codeBytes,
    requestBytes,
    fuel,
    memoryBytes,
    outputBytes,
    outputLines,
    resultBytes,
    wallMs,
  };
}

/** Whether a text is exactly the id of a language, as in paths and configuration. */
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
  const lower = name.toLowerCase();
  const language = LANGUAGES.find((id) =>
    id === lower || LANGUAGE_INFO[id].aliases.includes(lower)
  );
  if (language === undefined) return undefined;
  return { language, typescript: lower === "typescript" || lower === "ts" };
}
