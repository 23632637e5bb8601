/**
 * One operation of the service as the document's modules define it, and its conversion to OpenAPI.
 *
 * @module
 */
import { z } from "zod";
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import type { ErrorAnswers } from "./error_answers.ts";
import type { ErrorCause } from "./error_causes.ts";
import { headerObjects } from "./headers.ts";

/** The schemas of path parameters or headers, by name. */
export type Parameters = { readonly [name: string]: z.ZodType };

/** An example value with its title. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A JSON body of a request. */
export interface RequestBody {
  readonly schema: z.ZodType;
  readonly examples: { readonly [name: string]: Example };
}

/** Other forms of an answer, by media type. */
export type StreamedSuccess = {
  readonly [mediaType: string]: {
    readonly schema: z.ZodType;
    readonly examples: { readonly [name: string]: Example };
  };
};

/** The answer when nothing failed. */
export interface Success {
  /** 200 when absent. */
  readonly status?: 200 | 201;
  readonly description: string;
  /** `application/json` when absent. */
  readonly mediaType?: string;
  readonly schema: z.ZodType;
  /** Names of header components, by header name. */
  readonly headers?: { readonly [name: string]: string };
  readonly examples?: { readonly [name: string]: Example };
  /** What `Accept` can ask for instead. */
  readonly streams?: StreamedSuccess;
}

/** One operation. */
export interface Operation {
  readonly method: "get" | "post" | "delete";
  /** With parameters in braces. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: Parameters;
  readonly headerParameters?: Parameters;
  readonly body?: RequestBody;
  readonly success: Success;
  readonly errors: readonly ErrorCause[];
  /** Answered without a token. */
  readonly open?: boolean;
}

/** Converts an operation to OpenAPI. */
export function operationObject(
  operation: Operation,
  errors: ErrorAnswers,
): ZodOpenApiOperationObject {
  const { id, tag, summary, description, body, pathParameters, headerParameters } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    requestParams: {
      ...(pathParameters === undefined ? {} : { path: z.object(pathParameters) }),
      ...(headerParameters === undefined ? {} : { header: z.object(headerParameters) }),
    },
    ...(operation.open === true ? { security: [] } : {}),
    ...(body === undefined ? {} : {
      requestBody: {
        required: true,
        content: { "application/json": { schema: body.schema, examples: { ...body.examples } } },
      },
    }),
    responses: responsesObject(operation, errors),
  };
}

function responsesObject(
  { success, errors: causes }: Operation,
  errors: ErrorAnswers,
): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [statusName(success.status ?? 200)]: successObject(success),
  };
  const statuses = new Set(causes.map(({ status }) => status));
  for (const status of [...statuses].sort((a, b) => a - b)) {
    const here = causes.filter((cause) => cause.status === status);
    responses[statusName(status)] = errors.answer(status, here);
  }
  return responses;
}

function statusName(status: number): `${1 | 2 | 3 | 4 | 5}${string}` {
  const name = String(status);
  if (isStatusName(name)) return name;
  throw new RangeError("not an HTTP status");
}

function isStatusName(name: string): name is `${1 | 2 | 3 | 4 | 5}${string}` {
  return /^[1-5]\d\d$/.test(name);
}

function successObject(success: Success): ZodOpenApiResponseObject {
  const { description, schema, headers, examples, mediaType = "application/json" } = success;
  const streams = Object.entries(success.streams ?? {});
  return {
    description,
    ...(headers === undefined ? {} : { headers: headerObjects(headers) }),
    content: {
      [mediaType]: { schema, ...(examples === undefined ? {} : { examples: { ...examples } }) },
      ...Object.fromEntries(
        streams.map((
          [type, { schema, examples }],
        ) => [type, { schema, examples: { ...examples } }]),
      ),
    },
  };
}
