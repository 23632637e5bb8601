/**
 * Routes as operations of OpenAPI: names of schemas, errors and examples become values.
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
import type { Parameters, RequestBody, RouteDescription, Success } from "../../shared/route.ts";
import { ErrorAnswers } from "./error_answers.ts";
import { CAUSES } from "./error_causes.ts";
import { streamContents } from "./event_schemas.ts";
import { EXAMPLES, type Examples } from "./examples.ts";
import { headerObjects } from "./headers.ts";
import type { RequestLimits } from "./request_schemas.ts";
import { type DocumentSchemas, namedSchemas } from "./schemas.ts";

/** Converts the routes of one document. */
export class Operations {
  readonly #named: { readonly [name: string]: z.ZodType };
  readonly #errors: ErrorAnswers;
  readonly #limits: RequestLimits;

  constructor(schemas: DocumentSchemas, limits: RequestLimits) {
    this.#named = namedSchemas(schemas);
    this.#errors = new ErrorAnswers(schemas.errors);
    this.#limits = limits;
  }

  /**
   * The operation of a route.
   *
   * @throws {RangeError} A name of a schema is not one of the document's.
   */
  of(route: RouteDescription): ZodOpenApiOperationObject {
    const { id, tag, summary, description, body } = route;
    const { pathParameters, queryParameters, headerParameters } = route;
    return {
      operationId: id,
      tags: [tag],
      summary,
      description,
      requestParams: {
        ...parameters("path", pathParameters),
        ...parameters("query", queryParameters),
        ...parameters("header", headerParameters),
      },
      ...(route.open === true ? { security: [] } : {}),
      ...(body === undefined ? {} : {
        requestBody: { required: true, content: this.#content(body, EXAMPLES[id]?.request) },
      }),
      responses: this.#responses(route),
    };
  }

  #responses(route: RouteDescription): ZodOpenApiResponsesObject {
    const responses: ZodOpenApiResponsesObject = {};
    const { success, others = [] } = route;
    responses[statusName(success)] = this.#success(success, EXAMPLES[route.id]?.answer);
    for (const other of others) responses[statusName(other)] = this.#success(other);
    const causes = route.errors.flatMap((group) => CAUSES[group](this.#limits));
    const statuses = new Set(causes.map(({ status }) => status));
    for (const status of [...statuses].sort((a, b) => a - b)) {
      const here = causes.filter((cause) => cause.status === status);
      responses[statusName({ status })] = this.#errors.answer(status, here);
    }
    return responses;
  }

  #success(success: Success, examples?: Examples): ZodOpenApiResponseObject {
    const { description, mediaType, schema, headers, streamed = false, orText = false } = success;
    const body = mediaType === undefined ? {} : { mediaType };
    return {
      description,
      ...(headers === undefined ? {} : { headers: headerObjects(headers) }),
      ...(schema === undefined ? {} : {
        content: {
          ...this.#content({ ...body, schema }, examples),
          ...(streamed ? streamContents() : {}),
          ...(orText ? { "text/plain": { schema: z.string() } } : {}),
        },
      }),
    };
  }

  #content(
    { mediaType = "application/json", schema }: RequestBody,
    examples: Examples | undefined,
  ): ZodOpenApiContentObject {
    return {
      [mediaType]: {
        schema: typeof schema === "string" ? this.#schema(schema) : schema,
        ...(examples === undefined ? {} : { examples: { ...examples } }),
      },
    };
  }

  #schema(name: string): z.ZodType {
    const schema = this.#named[name];
    if (schema === undefined) throw new RangeError(`there is no schema ${name}`);
    return schema;
  }
}

function parameters(place: "path" | "query" | "header", schemas: Parameters | undefined) {
  return schemas === undefined ? {} : { [place]: z.object(schemas) };
}

function statusName({ status = 200 }: { readonly status?: number }) {
  const name = String(status);
  if (isStatusName(name)) return name;
  throw new RangeError("not an HTTP status");
}

function isStatusName(name: string): name is `${1 | 2 | 3 | 4 | 5}${string}` {
  return /^[1-5]\d\d$/.test(name);
}
