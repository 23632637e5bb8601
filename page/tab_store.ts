/**
 * The data that this tab keeps over a reload: the token, programs, the sandbox. It ends with the
 * tab.
 *
 * @module
 */

const PREFIX = "belljar:";
/** Used where the browser keeps nothing. */
const memory = new Map<string, string>();

/** The text that is stored under a name. */
export function storedText(name: string): string | undefined {
  try {
    return sessionStorage.getItem(PREFIX + name) ?? memory.get(name);
  } catch {
    return memory.get(name);
  }
}

/** Keeps a text under a name; `undefined` removes it. */
export function keep(name: string, text: string | undefined): void {
  if (text === undefined) memory.delete(name);
  else memory.set(name, text);
  try {
    if (text === undefined) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    return; // full, or not allowed: the memory has it
  }
}
