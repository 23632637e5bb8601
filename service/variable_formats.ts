/**
 * The formats of environment variables. Their messages are worded to follow the variable's name.
 *
 * @module
 */
import { z } from "zod";

const MODULE_PATTERN = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const SPECIFIER_PATTERN =
  /^(?:@[A-Za-z0-9._~-]+\/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9._~-]+)*$/;

/** A number that a variable may hold. */
export interface NumberRule {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** A whole number. */
export function wholeNumber({ fallback, min, max }: NumberRule): z.ZodType<number, unknown> {
  const problem = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, problem).transform(Number)
    .refine((value) => value >= min && value <= max, problem).default(fallback);
}

/** `0` or `1`. */
export function flag(fallback: "0" | "1"): z.ZodType<boolean, unknown> {
  return z.enum(["0", "1"], "must be 0 or 1").default(fallback)
    .transform((value) => value === "1");
}

/**
 * Comma-separated items; blanks around an item are ignored. A message names a bad item by its
 * position.
 */
export function list<T>(
  parse: (item: string) => T | undefined,
  problem: string,
): z.ZodType<readonly T[], string> {
  return z.string().transform((text, check) => {
    const items: T[] = [];
    for (const [index, part] of text.split(",").entries()) {
      const item = parse(part.trim());
      if (item === undefined) {
        const message = `(item ${index + 1}) ${problem}`;
        check.issues.push({ code: "custom", message, input: text });
        return z.NEVER;
      }
      items.push(item);
    }
    return items;
  });
}

/** The name of a Python module; undefined for anything else. */
export function moduleName(item: string): string | undefined {
  return MODULE_PATTERN.test(item) ? item : undefined;
}

/** The name of an npm package, or of a module in one; undefined for anything else. */
export function specifier(item: string): string | undefined {
  return SPECIFIER_PATTERN.test(item) ? item : undefined;
}

/** Letters of a host, and of an address in brackets: none that a policy or pattern would read. */
const HOST_PATTERN = /^[a-z\d.:[\]-]+$/;

/** A web origin; undefined for anything else. */
export function origin(item: string): string | undefined {
  const url = URL.parse(item);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  return isWeb && url.origin === item && HOST_PATTERN.test(url.host) ? item : undefined;
}
