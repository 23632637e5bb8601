/**
 * The gateway's own routes: description and answer as one value, and the language in their paths.
 *
 * @module
 */
import type { Context, Hono, MiddlewareHandler } from "hono";
import type { Release } from "../sandbox/operation_options.ts";
import { clientGone } from "../shared/responses.ts";
import { honoPath, type RouteDescription } from "../shared/route.ts";
import type { Admission } from "./admission.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import type { Language } from "../client/protocol/types.ts";
import { validationFailed } from "../shared/errors.ts";
import { isLanguage, LANGUAGE_INFO } from "../shared/languages.ts";

/** Answers a request. Rejects with a `ServiceError`. */
export type Answer = (context: Context<GatewayEnv>) => Response | Promise<Response>;

/** A route of the gateway. */
export interface GatewayRoute extends RouteDescription {
  readonly answer: Answer;
}

/** Adds routes to an app. */
export function installRoutes(app: Hono<GatewayEnv>, routes: readonly GatewayRoute[]): void {
  for (const route of routes) {
    const [method, path] = [route.method.toUpperCase(), honoPath(route)];
    if (route.path.includes("{language}")) app.on(method, path, languagePath);
    app.on(method, path, route.answer);
  }
}

/** An answer that takes one of its tenant's places, for work in the service's own thread. */
export function inCallPlace(calls: Admission, answer: Answer): Answer {
  return async (context) => {
    const { signal } = context.req.raw;
    let leave: Release;
    try {
      leave = await calls.enter(context.get("tenant"), signal);
    } catch (thrown) {
      if (signal.aborted && thrown === signal.reason) return clientGone();
      throw thrown;
    }
    try {
      return await answer(context);
    } finally {
      leave();
    }
  };
}

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
