/**
 * Whether a Perl program reads its own file, whose text the driver then has at hand.
 *
 * @module
 */

const OPENS = /\bopen\b/;
const NAMES_ITSELF = /\$0\b|\b__FILE__\b|main\.pl/;

/** Whether a program may open its own file: after an `open`, it names the file. */
export function readsItself(code: string): boolean {
  const open = code.search(OPENS);
  return open >= 0 && NAMES_ITSELF.test(code.slice(open));
}
