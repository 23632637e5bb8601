/**
 * Error answers as components of the document. Operations that fail for the same reasons share one
 * component.
 *
 * @module
 */
import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import type { ErrorCause } from "./error_cause.ts";
import { errorSchemaName, type ErrorSchemas } from "./error_schemas.ts";
import { headerObjects } from "./headers.ts";

/** Headers that come with an error of a status: names of the document's components. */
const HEADERS: { readonly [status: number]: { readonly [name: string]: string } } = {
  401: { "WWW-Authenticate": "WwwAuthenticate" },
  405: { "Allow": "Allow" },
  416: { "Content-Range": "ContentRange" },
  429: { "Retry-After": "RetryAfter" },
  503: { "Retry-After": "RetryAfter" },
};

/** The answers of one document. */
export class ErrorAnswers {
  readonly #schemas: ErrorSchemas;
  /** Names of components, by their reasons. */
  readonly #known = new Map<string, ZodOpenApiResponseObject>();
  /** Number of components for each status. */
  readonly #counts = new Map<number, number>();

  constructor(schemas: ErrorSchemas) {
    this.#schemas = schemas;
  }

  /** The answer of a status, for any of the reasons given. */
  answer(status: number, causes: readonly ErrorCause[]): ZodOpenApiResponseObject {
    const description = causes.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n");
    const key = `${status} ${description}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(status) ?? 0) + 1;
    this.#counts.set(status, count);
    const headers = HEADERS[status];
    const component: ZodOpenApiResponseObject = {
      id: `Error${status}${count === 1 ? "" : `v${count}`}`,
      description,
      ...(headers === undefined ? {} : { headers: headerObjects(headers) }),
      content: {
        "application/json": { schema: this.#schemaOf(causes), examples: examplesOf(causes) },
      },
    };
    this.#known.set(key, component);
    return component;
  }

  #schemaOf(causes: readonly ErrorCause[]): z.ZodType {
    const codes = new Set(causes.map(({ code }) => code));
    const [first, ...others] = [...codes].map((code) => this.#schemas[code]);
    if (first === undefined) throw new RangeError("an error without a reason");
    return others.length === 0 ? first : z.union([first, ...others]);
  }
}

function examplesOf(causes: readonly ErrorCause[]) {
  return Object.fromEntries(causes.map(({ code, when, example }, index) => [
    `${errorSchemaName(code)}${index + 1}`,
    { summary: when, value: example },
  ]));
}
