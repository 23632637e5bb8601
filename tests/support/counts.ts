/**
 * How much a test does: a part of it by default, all of it with `deno task test:full`.
 *
 * @module
 */

/** Whether the tests are run at their full counts. */
export const IS_FULL: boolean = Deno.env.get("TESTS") === "full";

/**
 * How many rounds, cases or programs: `few` in `deno task test`, `all` in `deno task test:full`.
 */
export function count(few: number, all: number): number {
  return IS_FULL ? all : few;
}
