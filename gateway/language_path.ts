/**
 * The language in a path: the exact id of an enabled language.
 *
 * @module
 */
import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import type { Language } from "../client/protocol/types.ts";
import { validationFailed } from "../shared/errors.ts";
import { isLanguage, LANGUAGE_INFO } from "../shared/languages.ts";
import type { GatewayEnv } from "./gateway_env.ts";

const PARAMETERS = z.object({
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

/**
 * Middleware of paths with `:language`: sets the variable `language`. Answers 400 `VALIDATION_FAILED` for any
 * other name.
 */
export const languagePath: MiddlewareHandler<GatewayEnv> = zValidator(
  "param",
  PARAMETERS,
  (result, context: Context<GatewayEnv>) => {
    if (result.success) context.set("language", result.data.language);
    else throw validationFailed(result.error.issues[0]?.message ?? "Unsupported language");
  },
);

/**
 * Looks up the entry of a language in a map that has one for each enabled language.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when the language is not enabled.
 */
export function entryOf<T>(language: Language, all: ReadonlyMap<Language, T>): T {
  const found = all.get(language);
  if (found !== undefined) return found;
  const { moduleCommand } = LANGUAGE_INFO[language];
  const cure = moduleCommand === undefined
    ? ""
    : `: it needs its module, which the operator makes with "${moduleCommand}"`;
  throw validationFailed(`Language '${language}' is not enabled${cure}`);
}
