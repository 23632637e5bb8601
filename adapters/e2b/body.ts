/**
 * Reads the body of a request.
 *
 * @module
 */
import type { z } from "zod";
import { parseJsonObject } from "../../shared/read_body.ts";
import { parseBody } from "../../shared/schemas.ts";
import type { E2bRequest } from "./request.ts";

/** Maximum number of commas, colons and opening brackets of a body, strings excepted. */
const MAX_STRUCTURE = 10_000;

/** Reads a JSON object; an empty body is one without fields. Throws `VALIDATION_FAILED`. */
export function bodyOf<T>(
  { body }: Pick<E2bRequest, "body">,
  schema: z.ZodType<T, unknown>,
): T {
  const value = body.length === 0 ? {} : parseJsonObject(body, MAX_STRUCTURE);
  return parseBody(schema, value);
}
