/**
 * Languages as Jupyter's kernels and notebooks name them.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { LANGUAGE_INFO, languageNamed } from "./languages.ts";

const PYTHON_KERNEL = "python3";
/** The name of the kernelspec of a language: that of Python is what notebooks have in their metadata. */
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

const LANGUAGE_FILES: { readonly [L in Language]: readonly [type: string, extension: string] } = {
  javascript: ["text/javascript", ".js"],
  python: ["text/x-python", ".py"],
  perl: ["text/x-perl", ".pl"],
  ruby: ["text/x-ruby", ".rb"],
  shell: ["text/x-sh", ".sh"],
};

/** `language_info` of a kernel or a notebook. */
export function languageInfo(language: Language) {
  const { version, engine } = LANGUAGE_INFO[language];
  const [mimetype, extension] = LANGUAGE_FILES[language];
  return {
    name: language === "shell" ? "bash" : language,
    version: /\d{1,9}(?:\.\d{1,9})+/.exec(engine)?.[0] ?? version,
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
