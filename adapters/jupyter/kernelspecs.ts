/**
 * Kernelspecs: one for each enabled language. That of Python has the name that notebooks have in
 * their metadata.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { LANGUAGE_INFO, languageNamed } from "../../shared/languages.ts";

const PYTHON_KERNEL = "python3";

/** The name of the kernelspec of a language. */
export function kernelName(language: Language): string {
  return language === "python" ? PYTHON_KERNEL : language;
}

/** The language of a kernelspec, or of another common name of the language. */
export function kernelLanguage(
  name: string,
  languages: readonly Language[],
): Language | undefined {
  const language = name === PYTHON_KERNEL ? "python" : languageNamed(name)?.language;
  return language !== undefined && languages.includes(language) ? language : undefined;
}

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

const LANGUAGE_FILES: { readonly [L in Language]: readonly [type: string, extension: string] } = {
  javascript: ["text/javascript", ".js"],
  python: ["text/x-python", ".py"],
  perl: ["text/x-perl", ".pl"],
  ruby: ["text/x-ruby", ".rb"],
  shell: ["text/x-sh", ".sh"],
};

/** `language_info` of a kernel. */
export function languageInfo(language: Language) {
  const { version, engine } = LANGUAGE_INFO[language];
  const [mimetype, extension] = LANGUAGE_FILES[language];
  return {
    name: language === "shell" ? "bash" : language,
    version: /\d+(?:\.\d+)+/.exec(engine)?.[0] ?? version,
    mimetype,
    file_extension: extension,
    ...(language === "python"
      ? {
        pygments_lexer: "ipython3",
        codemirror_mode: { name: "ipython", version: 3 },
        nbconvert_exporter: "python",
      }
      : {}),
  };
}
