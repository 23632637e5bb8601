/**
 * The language that a path names: one of the four ids, exactly as they are written, and enabled.
 *
 * @module
 */
import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
import type { LanguageRuntime } from "../wire/binding.ts";
import { validationFailed } from "../wire/errors.ts";
import { isLanguage } from "../wire/languages.ts";
import { quoted } from "../wire/text.ts";
import type { Language } from "../wire/types.ts";

interface LanguagePath {
  readonly language: Language;
}

const languagePathSchema: z.ZodType<LanguagePath, { readonly language: string }> = z.object({
  language: z.string().transform((name, check) => {
    if (isLanguage(name)) return name;
    check.issues.push({
      code: "custom",
      message: `Unsupported language ${quoted(name)}`,
      input: name,
    });
    return z.NEVER;
  }),
});

/** Middleware for paths with `:language`: 400 VALIDATION_FAILED for any other name. */
export const languagePath = zValidator("param", languagePathSchema, (result) => {
  if (!result.success) {
    throw validationFailed(result.error.issues[0]?.message ?? "Unsupported language");
  }
});

/**
 * The runtime of a language.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when the language is not enabled.
 */
export function enabledRuntime(
  language: Language,
  runtimes: ReadonlyMap<Language, LanguageRuntime>,
): LanguageRuntime {
  const runtime = runtimes.get(language);
  if (runtime === undefined) throw validationFailed(`Language '${language}' is not enabled`);
  return runtime;
}
