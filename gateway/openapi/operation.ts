/**
 * One operation of the service as the document's modules define it, and its conversion to OpenAPI.
 *
 * @module
 */
import { z } from "zod";
import type {
  ZodOpenApiContentObject,
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

/** A body of a request. */
export interface RequestBody {
  /** `application/json` when absent. */
  readonly mediaType?: string;
  readonly schema: z.ZodType;
  readonly examples?: { readonly [name: string]: Example };
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
  readonly status?: 200 | 201 | 204 | 206 | 304;
  readonly description: string;
  /** `application/json` when absent. */
  readonly mediaType?: string;
  /** The answer has no body when absent. */
  readonly schema?: z.ZodType;
  /** Names of header components, by header name. */
  readonly headers?: { readonly [name: string]: string };
  readonly examples?: { readonly [name: string]: Example };
  /** What `Accept` can ask for instead. */
  readonly streams?: StreamedSuccess;
}

/** One operation. */
export interface Operation {
  readonly method: "get" | "post" | "put" | "delete";
  /** With parameters in braces. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: Parameters;
  readonly queryParameters?: Parameters;
  readonly headerParameters?: Parameters;
  readonly body?: RequestBody;
  readonly success: Success;
  /** Further answers when nothing failed. */
  readonly others?: readonly Success[];
  readonly errors: readonly ErrorCause[];
  /** Answered without a token. */
  readonly open?: boolean;
}

/** Converts an operation to OpenAPI. */
export function operationObject(
  operation: Operation,
  errors: ErrorAnswers,
): ZodOpenApiOperationObject {
  const { id, tag, summary, description, body } = operation;
  const { pathParameters, queryParameters, headerParameters } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    requestParams: {
      ...(pathParameters === undefined ? {} : { path: z.object(pathParameters) }),
      ...(queryParameters === undefined ? {} : { query: z.object(queryParameters) }),
      ...(headerParameters === undefined ? {} : { header: z.object(headerParameters) }),
    },
    ...(operation.open === true ? { security: [] } : {}),
    ...(body === undefined ? {} : {
      requestBody: {
        required: true,
        content: contentOf(body, body.schema),
      },
    }),
    responses: responsesObject(operation, errors),
  };
}

function responsesObject(
  { success, others = [], errors: causes }: Operation,
  errors: ErrorAnswers,
): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const each of [success, ...others]) {
    responses[statusName(each.status ?? 200)] = successObject(each);
  }
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
  const { description, schema, headers } = success;
  return {
    description,
    ...(headers === undefined ? {} : { headers: headerObjects(headers) }),
    ...(schema === undefined ? {} : {
      content: { ...contentOf(success, schema), ...streamsOf(success.streams ?? {}) },
    }),
  };
}

function streamsOf(streams: StreamedSuccess): ZodOpenApiContentObject {
  return Object.fromEntries(
    Object.entries(streams).map((
      [type, { schema, examples }],
    ) => [type, { schema, examples: { ...examples } }]),
  );
}

function contentOf(
  { mediaType = "application/json", examples }: Pick<RequestBody, "mediaType" | "examples">,
  schema: z.ZodType,
): ZodOpenApiContentObject {
  return {
    [mediaType]: { schema, ...(examples === undefined ? {} : { examples: { ...examples } }) },
  };
}
