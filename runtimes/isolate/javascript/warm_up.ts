/**
 * Programs that are run once in each process, so that the functions of the interpreter which
 * most programs need are compiled before the first of them waits for it.
 *
 * @module
 */

/** The programs, to be run in order from the image. */
export const WARM_UP: readonly string[] = [
  "console.log('x', [1, { a: 'b' }]); ({ a: [1, 2] })",
  "const f = async () => { await null; return new Map([[1, 'x']]) }; await f()",
  "throw new TypeError('x')",
  "enum Color { Red } const list: Color[] = [Color.Red]; list",
];
