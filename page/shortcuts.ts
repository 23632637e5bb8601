/**
 * The shortcuts of the page, as a list for readers.
 *
 * @module
 */
import { ask } from "./dialogs.ts";
import { el } from "./dom.ts";
import { COMMAND_KEY, isCommand } from "./key_names.ts";
import { openPalette } from "./palette.ts";

const SHORTCUTS: readonly (readonly [keys: string, meaning: string])[] = [
  [`${COMMAND_KEY} + Enter`, "Run the program"],
  [`${COMMAND_KEY} + .`, "Stop the run"],
  [`${COMMAND_KEY} + K`, "Commands"],
  ["?", "This list, outside of fields"],
  [`${COMMAND_KEY} + F`, "Find and replace"],
  ["Ctrl + Space", "Complete a name"],
  [`${COMMAND_KEY} + /`, "Comment lines"],
  [`${COMMAND_KEY} + D`, "Select the next occurrence"],
  ["Alt + ↑ or ↓", "Move lines"],
  [`${COMMAND_KEY} + Z`, "Undo"],
  [`${COMMAND_KEY} + S`, "Save the open file"],
  ["Escape, then Tab", "Leave the editor"],
];

/** Performs the shortcuts of the whole page. */
export function onShortcut(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  if (isCommand(event) && event.key.toLowerCase() === "k") void openPalette();
  else if (event.key === "?" && !isField(target)) void showShortcuts();
  else return;
  event.preventDefault();
}

function isField(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"));
}

/** Shows the list. */
export async function showShortcuts(): Promise<void> {
  if (document.querySelector("dialog[open]") !== null) return;
  await ask(
    "Keyboard shortcuts",
    el(
      "dl",
      { class: "shortcuts" },
      ...SHORTCUTS.flatMap(([keys, meaning]) => [
        el("dt", {}, el("kbd", {}, keys)),
        el("dd", {}, meaning),
      ]),
    ),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "submit", value: "", class: "primary", autofocus: true }, "Close"),
    ),
  );
}
