/**
 * Whether a program reads standard input. The page lets only such a program ask: its clock stands
 * while it computes, which would surprise one that measures times.
 *
 * @module
 */
import type { Language } from "@belljar/client";

const READS: { readonly [L in Language]: RegExp } = {
  javascript: /\b(?:stdin|readline)\b/,
  python: /\b(?:input|stdin|fileinput|getpass)\b/,
  perl: /<[A-Z]*>|\bSTDIN\b|\b(?:getc|read|sysread)\b/,
  ruby: /\b(?:gets|STDIN|ARGF|readlines?|getc)\b|\$stdin|\$</,
  shell: /(?!)/, // it takes its input at the beginning
};

/** Whether its text says that a program may read standard input. */
export function readsInput(language: Language, code: string): boolean {
  return READS[language].test(code);
}
