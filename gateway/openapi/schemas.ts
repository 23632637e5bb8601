/**
 * All schemas of the document.
 *
 * @module
 */
import type { z } from "zod";
import { type UsageSchemas, usageSchemas } from "./usage_schemas.ts";
import { ERROR_STATUSES, type ErrorCode } from "../../client/protocol/error_codes.ts";
import { errorSchemaName, type ErrorSchemas, errorSchemas } from "./error_schemas.ts";
import { type EventSchemas, eventSchemas } from "./event_schemas.ts";
import { type FileSchemas, fileSchemas } from "./file_schemas.ts";
import { type ListingSchemas, listingSchemas } from "./listing_schemas.ts";
import { type RequestOptions, type RequestSchemas, requestSchemas } from "./request_schemas.ts";
import { type ResultSchemas, resultSchemas } from "./result_schemas.ts";
import { type RunSchemas, runSchemas } from "./run_schemas.ts";
import { type SandboxSchemas, sandboxSchemas } from "./sandbox_schemas.ts";

/** Schemas of bodies, by their names in the document. */
export type BodySchemas =
  & RequestSchemas
  & ResultSchemas
  & EventSchemas
  & RunSchemas
  & ListingSchemas
  & SandboxSchemas
  & FileSchemas
  & UsageSchemas;

/** All schemas: those of bodies by name, those of errors by code. */
export interface DocumentSchemas {
  readonly bodies: BodySchemas;
  readonly errors: ErrorSchemas;
}

/** Creates the schemas. */
export function documentSchemas(options: RequestOptions): DocumentSchemas {
  const errors = errorSchemas();
  const results = resultSchemas();
  return {
    bodies: {
      ...requestSchemas(options),
      ...results,
      ...eventSchemas(results, Object.values(errors)),
      ...runSchemas(results.ExecutionResult, results.Waiting, results.JsonValue),
      ...listingSchemas(),
      ...sandboxSchemas(),
      ...fileSchemas(),
      ...usageSchemas(),
    },
    errors,
  };
}

/** All schemas by their names in the document. */
export function namedSchemas(
  { bodies, errors }: DocumentSchemas,
): { readonly [name: string]: z.ZodType } {
  const named: { [name: string]: z.ZodType } = { ...bodies };
  for (const code of Object.keys(ERROR_STATUSES)) {
    if (isErrorCode(code)) named[errorSchemaName(code)] = errors[code];
  }
  return named;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code);
}
