/**
 * The operations that the gateway answers or passes to a runtime (docs/contract.md#gateway-routes).
 *
 * @module
 */
import { z } from "zod";
import { EXECUTE_PATH, HEALTH_PATH, LANGUAGES_PATH } from "../../client/protocol/paths.ts";
import {
  bodyCauses,
  callCauses,
  commonCauses,
  type ErrorCause,
  languageCauses,
  parameterCauses,
  runCauses,
  tokenCauses,
} from "./error_causes.ts";
import { streamedSuccess } from "./event_schemas.ts";
import { EVENTS_EXAMPLE, EXECUTE_EXAMPLES, HEALTH_EXAMPLE, RESULT_EXAMPLES } from "./examples.ts";
import { languageSchema } from "./listing_schemas.ts";
import type { Operation, Success } from "./operation.ts";
import { DOCS_PATH, OPENAPI_PATH } from "./paths.ts";
import type { RequestOptions } from "./request_schemas.ts";
import type { BodySchemas } from "./schemas.ts";

const RUNS = "Stateless runs";
const SERVICE = "Service";

/** All of them. */
export function gatewayOperations(
  schemas: BodySchemas,
  options: RequestOptions,
): readonly Operation[] {
  return [...runOperations(schemas, options), ...serviceOperations(schemas)];
}

function runOperations(schemas: BodySchemas, { limits, languages }: RequestOptions): Operation[] {
  const description = "Runs a program in a fresh instance with an empty workspace. Nothing " +
    "is kept. A program that fails or hits a limit is answered with 200 and `error`. With " +
    "`Accept`, the answer is a stream of what happens.";
  const errors = [
    ...commonCauses(),
    ...tokenCauses(),
    ...languageCauses(),
    ...bodyCauses(limits.requestBytes),
    ...runCauses(),
  ];
  return [
    {
      method: "post",
      path: EXECUTE_PATH,
      id: "execute",
      tag: RUNS,
      summary: "Run JavaScript or TypeScript",
      description: `${description} Same as the path of \`javascript\`.`,
      body: {
        schema: schemas.ExecuteJavaScriptRequest,
        examples: EXECUTE_EXAMPLES.javascript,
      },
      success: runAnswer(schemas),
      errors,
    },
    {
      method: "post",
      path: `${EXECUTE_PATH}/{language}`,
      id: "executeLanguage",
      tag: RUNS,
      summary: "Run a program in a language",
      description,
      pathParameters: { language: languageSchema("The language.", languages) },
      body: { schema: schemas.ExecuteRequest, examples: EXECUTE_EXAMPLES.any },
      success: runAnswer(schemas),
      errors: [...errors, ...parameterCauses()],
    },
  ];
}

function runAnswer(schemas: BodySchemas): Success {
  return {
    description: "The program ran, whether it succeeded, failed or hit a limit.",
    schema: schemas.ExecutionResult,
    headers: { "Server-Timing": "ServerTiming" },
    examples: RESULT_EXAMPLES,
    streams: streamedSuccess(EVENTS_EXAMPLE),
  };
}

function serviceOperations(schemas: BodySchemas): Operation[] {
  const errors: readonly ErrorCause[] = [...commonCauses(), ...tokenCauses(), ...callCauses()];
  const common = { method: "get", tag: SERVICE } as const;
  return [
    {
      ...common,
      path: LANGUAGES_PATH,
      id: "listLanguages",
      summary: "List the languages",
      description: "The languages with their engines, capabilities and limits.",
      success: { description: "The languages.", schema: schemas.LanguageList },
      errors,
    },
    {
      ...common,
      path: HEALTH_PATH,
      id: "health",
      summary: "Show the health of the service",
      description: "For load balancers. The one route without a token.",
      success: {
        description: "The service is up, though perhaps not in every language.",
        schema: schemas.HealthReport,
        examples: HEALTH_EXAMPLE,
      },
      errors: commonCauses(),
      open: true,
    },
    {
      ...common,
      path: OPENAPI_PATH,
      id: "openApi",
      summary: "This document",
      description: "OpenAPI 3.1.",
      success: {
        description: "The document.",
        schema: z.looseObject({ openapi: z.string().regex(/^3\.1\.\d+$/) }),
      },
      errors,
    },
    {
      ...common,
      path: DOCS_PATH,
      id: "docs",
      summary: "This document as a page",
      description: "It uses no scripts and loads nothing from elsewhere.",
      success: {
        description: "The page.",
        mediaType: "text/html",
        schema: z.string(),
        headers: { "Content-Security-Policy": "ContentSecurityPolicy" },
      },
      errors,
    },
  ];
}
