/**
 * The operations of a sandbox, under the path by which the gateway reaches it
 * (docs/contract.md#sandbox-routes).
 *
 * @module
 */
import { z } from "zod";
import {
  EXECUTE_PATH,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_REPLAYED_HEADER,
  LANGUAGES_PATH,
  SANDBOX_ID_HEADER,
} from "../../client/protocol/paths.ts";
import { SANDBOX_NAME } from "../../sandbox/sandbox_name.ts";
import { IDEMPOTENCY_KEY_LENGTH } from "../../shared/limits.ts";
import {
  bodyCauses,
  callCauses,
  commonCauses,
  contextCauses,
  contextLimitCauses,
  contextRunCauses,
  fileCauses,
  languageCauses,
  parameterCauses,
  quotaCauses,
  runCauses,
  runConditionCauses,
  runtimeCauses,
  sandboxCauses,
  tokenCauses,
} from "./error_causes.ts";
import {
  CONTEXT_EXAMPLES,
  CONTEXT_RESULT_EXAMPLES,
  ENV_EXAMPLES,
  EVENTS_EXAMPLE,
  FILE_EXAMPLES,
  SANDBOX_EXECUTE_EXAMPLES,
} from "./examples.ts";
import { streamedSuccess } from "./event_schemas.ts";
import { languageSchema } from "./listing_schemas.ts";
import type { Operation } from "./operation.ts";
import type { RequestOptions } from "./request_schemas.ts";
import type { BodySchemas } from "./schemas.ts";

/** Path of one sandbox, in the document. */
export const SANDBOX_PATH = `${LANGUAGES_PATH}/{language}/sandboxes/{id}`;

const SANDBOX = "Sandbox";
const CONTEXTS = "Contexts";

/** All of them. */
export function sandboxOperations(
  schemas: BodySchemas,
  options: RequestOptions,
): readonly Operation[] {
  return [
    ...contextOperations(schemas, options),
    runOperation(schemas, options),
    ...stateOperations(schemas, options),
    ...wholeOperations(schemas, options),
  ];
}

/** What all operations share; each adds its own errors. */
export function sandboxCommon({ languages }: RequestOptions) {
  return {
    pathParameters: {
      language: languageSchema("The language. All of them lead to the same sandbox.", languages),
      id: idSchema(),
    },
    headerParameters: {
      [SANDBOX_ID_HEADER]: z.string().optional()
        .describe(
          "Must equal the id if present: a request that reaches another sandbox is refused.",
        ),
    },
    errors: [
      ...commonCauses(),
      ...tokenCauses(),
      ...languageCauses(),
      ...parameterCauses(),
      ...sandboxCauses(),
    ],
  };
}

function idSchema(): z.ZodType {
  return z.string().max(SANDBOX_NAME.maxLength).regex(SANDBOX_NAME.pattern)
    .describe("Name of the sandbox. The first use creates it.");
}

function contextOperations(
  schemas: BodySchemas,
  options: RequestOptions,
): readonly Operation[] {
  const { errors, ...addressed } = sandboxCommon(options);
  const path = `${SANDBOX_PATH}/contexts`;
  return [
    {
      ...addressed,
      method: "post",
      path,
      id: "createContext",
      tag: CONTEXTS,
      summary: "Create a context",
      description: "A context is a REPL of the path's language: what a run defines, the next " +
        "one sees. JavaScript, Python and Perl have contexts; Ruby has them in a service with " +
        "`RUBY_CONTEXTS=1`.",
      body: { schema: schemas.CreateContextRequest, examples: CONTEXT_EXAMPLES },
      success: { status: 201, description: "The context.", schema: schemas.ContextInfo },
      errors: [
        ...errors,
        ...callCauses(),
        ...bodyCauses(options.limits.requestBytes),
        ...contextLimitCauses(),
        ...quotaCauses(),
        ...runtimeCauses(),
      ],
    },
    {
      ...addressed,
      method: "get",
      path,
      id: "listContexts",
      tag: CONTEXTS,
      summary: "List the contexts",
      description: "The contexts of all languages.",
      success: { description: "The contexts.", schema: schemas.ContextList },
      errors: [...errors, ...callCauses()],
    },
    {
      ...addressed,
      method: "delete",
      path: `${path}/{contextId}`,
      id: "deleteContext",
      tag: CONTEXTS,
      summary: "Delete a context",
      description: "Ends its runs. The files stay: they belong to the sandbox.",
      pathParameters: {
        ...addressed.pathParameters,
        contextId: z.string().min(1).describe("Id of the context."),
      },
      success: { description: "It is deleted.", schema: schemas.Done },
      errors: [...errors, ...callCauses(), ...contextCauses()],
    },
  ];
}

/** The headers that make a run safe to repeat. */
function repeatParameters() {
  return {
    [IDEMPOTENCY_KEY_HEADER]: z.string().min(1).max(IDEMPOTENCY_KEY_LENGTH).regex(/^[!-~]+$/)
      .optional().describe(
        "Names the run, in visible ASCII. For 24 h the same request with the same key gets the " +
          "first answer again and runs nothing. Without effect on a stateless run.",
      ),
    "if-match": z.string().min(1).optional().describe(
      "The number of runs that the context must have had, in quotes; several, with commas; or " +
        "`*` for a context that exists. Without effect on a stateless run.",
    ),
  };
}

function runOperation(schemas: BodySchemas, options: RequestOptions): Operation {
  const { errors, ...addressed } = sandboxCommon(options);
  return {
    ...addressed,
    headerParameters: { ...addressed.headerParameters, ...repeatParameters() },
    method: "post",
    path: `${SANDBOX_PATH}${EXECUTE_PATH}`,
    id: "executeInSandbox",
    tag: CONTEXTS,
    summary: "Run a program in a context",
    description:
      "Without `contextId`: in the oldest context without a name of the path's language, which is " +
      "created when there is none. A language without contexts runs statelessly. State and files " +
      "are kept before the answer is sent; a limit rolls both back. With `Accept`, the answer is " +
      "a stream of what happens.",
    body: { schema: schemas.SandboxExecuteRequest, examples: SANDBOX_EXECUTE_EXAMPLES },
    success: {
      description: "The program ran, whether it succeeded, failed or hit a limit.",
      schema: schemas.ExecutionResult,
      headers: {
        "Server-Timing": "ServerTiming",
        [IDEMPOTENCY_REPLAYED_HEADER]: "IdempotencyReplayed",
      },
      examples: CONTEXT_RESULT_EXAMPLES,
      streams: streamedSuccess(EVENTS_EXAMPLE),
    },
    errors: [
      ...errors,
      ...bodyCauses(options.limits.requestBytes),
      ...contextCauses(),
      ...contextLimitCauses(),
      ...contextRunCauses(),
      ...runConditionCauses(),
      ...quotaCauses(),
      ...runCauses(),
    ],
  };
}

function stateOperations(schemas: BodySchemas, options: RequestOptions): readonly Operation[] {
  const { errors, ...addressed } = sandboxCommon(options);
  const posted = { ...addressed, method: "post", tag: SANDBOX } as const;
  return [
    {
      ...posted,
      path: `${SANDBOX_PATH}/env`,
      id: "setEnvVars",
      summary: "Set variables of the sandbox",
      description:
        `They apply to all its contexts, and come to at most ${options.limits.envLayerBytes} ` +
        "bytes.",
      body: { schema: schemas.EnvRequest, examples: ENV_EXAMPLES },
      success: { description: "The variables are set.", schema: schemas.Done },
      errors: [
        ...errors,
        ...callCauses(),
        ...bodyCauses(options.limits.requestBytes),
        ...quotaCauses(),
      ],
    },
    {
      ...posted,
      path: `${SANDBOX_PATH}/files`,
      id: "files",
      summary: "Work with the files",
      description: "Files are below `/workspace`; there is no way out of it. No operation waits " +
        "for a run.",
      body: { schema: schemas.FileRequest, examples: FILE_EXAMPLES },
      success: { description: "The operation succeeded.", schema: schemas.FileAnswer },
      errors: [
        ...errors,
        ...callCauses(),
        ...bodyCauses(options.limits.fileRequestBytes),
        ...fileCauses(),
        ...quotaCauses(),
      ],
    },
  ];
}

function wholeOperations(schemas: BodySchemas, options: RequestOptions): readonly Operation[] {
  const { errors: all, ...addressed } = sandboxCommon(options);
  const errors = [...all, ...callCauses()];
  const whole = { ...addressed, path: SANDBOX_PATH, tag: SANDBOX, errors } as const;
  return [
    {
      ...whole,
      method: "get",
      id: "sandboxInfo",
      summary: "Show a sandbox",
      description: "A sandbox that does not exist is shown as empty and is not created.",
      success: { description: "The sandbox.", schema: schemas.SandboxInfo },
    },
    {
      ...whole,
      method: "delete",
      id: "deleteSandbox",
      summary: "Delete a sandbox",
      description: "Ends its runs, and wipes its contexts, files and variables. Deleting one " +
        "that does not exist succeeds.",
      success: { description: "It is deleted.", schema: schemas.Done },
    },
  ];
}
