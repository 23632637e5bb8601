/**
 * Helpers for the schemas of answers.
 *
 * Every such schema is annotated with the interface that it describes (`client/protocol/types.ts`,
 * `shared/sandbox_types.ts`), which checks the types of its fields. `satisfies Fields<T>` checks that no field is missing or superfluous. So the
 * document and the interfaces cannot diverge.
 *
 * @module
 */
import { z } from "zod";

/** A schema for each field of a shape, the optional ones included. */
export type Fields<T> = { readonly [K in keyof T]-?: z.ZodType };

/** A number of things, bytes or units. */
export function countSchema(description: string): z.ZodType<number> {
  return z.int().nonnegative().describe(description);
}

/** A length of time in milliseconds. */
export function durationSchema(description: string): z.ZodType<number> {
  return z.number().nonnegative().describe(description);
}

/** A point in time as ISO-8601 in UTC, with milliseconds. */
export function timestampSchema(description: string): z.ZodType<string> {
  return z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ format: "date-time", description });
}

/** A point in time as milliseconds since 1970. */
export function epochSchema(description: string): z.ZodType<number> {
  return z.int().nonnegative().describe(description);
}

/** Any text. */
export function textSchema(description: string): z.ZodType<string> {
  return z.string().describe(description);
}

/** Several texts. */
export function textsSchema(description: string): z.ZodType<readonly string[]> {
  return z.array(z.string()).describe(description);
}

/** True or false. */
export function flagSchema(description: string): z.ZodType<boolean> {
  return z.boolean().describe(description);
}
