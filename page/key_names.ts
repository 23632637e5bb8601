/**
 * Names of keys, as the reader's keyboard has them.
 *
 * @module
 */

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The key that commands begin with. */
export const COMMAND_KEY = IS_MAC ? "⌘" : "Ctrl";

/** Whether a key is pressed together with that key, and no other one. */
export function isCommand({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const [wanted, other] = IS_MAC ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return wanted && !other && !altKey && !shiftKey;
}

/** The first of the keys in an `aria-keyshortcuts`, for people; empty when there are none. */
export function keysOf(shortcuts: string): string {
  const [control = "", meta = control] = shortcuts.split(" ");
  return (IS_MAC ? meta.replace("Meta", "⌘") : control.replace("Control", "Ctrl"))
    .replaceAll("+", " + ");
}
