/**
 * The language that a path names: one of the ids, exactly as they are written, and enabled.
 *
 * @module
 */
import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
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
 * What there is for a language, where there is something for each enabled one.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when the language is not enabled.
 */
export function ofEnabled<T>(language: Language, all: ReadonlyMap<Language, T>): T {
  const found = all.get(language);
  if (found === undefined) throw validationFailed(`Language '${language}' is not enabled`);
  return found;
}
