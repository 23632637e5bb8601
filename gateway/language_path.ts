/**
 * The language in a path: the exact id of an enabled language.
 *
 * @module
 */
import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import type { Language } from "../client/protocol/types.ts";
import { validationFailed } from "../shared/errors.ts";
import { isLanguage } from "../shared/languages.ts";

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

/** Middleware for paths with `:language`. Answers 400 VALIDATION_FAILED for any other name. */
export const languagePath = zValidator("param", languagePathSchema, (result) => {
  if (!result.success) {
    throw validationFailed(result.error.issues[0]?.message ?? "Unsupported language");
  }
});

/**
 * Looks up the entry of a language in a map that has one for each enabled language.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when the language is not enabled.
 */
export function ofEnabled<T>(language: Language, all: ReadonlyMap<Language, T>): T {
  const found = all.get(language);
  if (found === undefined) throw validationFailed(`Language '${language}' is not enabled`);
  return found;
}
