/**
 * Programs that run once in each process, so that the engine functions which most programs need are
 * compiled before the first program waits for them.
 *
 * @module
 */

/** The programs, to run in order, starting from the baseline. */
export const WARM_UP: readonly string[] = [
  "console.log('x', [1, { a: 'b' }]); ({ a: [1, 2] })",
  "const f = async () => { await null; return new Map([[1, 'x']]) }; await f()",
  "throw new TypeError('x')",
  "enum Color { Red } const list: Color[] = [Color.Red]; list",
];
