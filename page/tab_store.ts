/**
 * The data that a tab keeps over a reload: the token, programs, the sandbox. It ends with the tab,
 * except for programs: a new tab begins with the newest of the browser.
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

/** The newest text under a name, of this tab or else of any. */
export function newestText(name: string): string | undefined {
  const own = storedText(name);
  if (own !== undefined) return own;
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text for this tab, and for tabs to come. */
export function keepForAll(name: string, text: string | undefined): void {
  keep(name, text);
  try {
    if (text === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    return; // full, or not allowed: this tab has it
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
