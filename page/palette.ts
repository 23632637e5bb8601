/**
 * The palette of commands: all that the page offers at the moment, found by its name.
 *
 * @module
 */
import { ask } from "./dialogs.ts";
import { el, fill } from "./dom.ts";
import { plain } from "./format.ts";
import { keysOf } from "./key_names.ts";

/** A button or link of the page. */
interface Command {
  readonly name: string;
  readonly keys: string;
  readonly element: HTMLElement;
}

/** Commands that are shown at once. */
const MAX_SHOWN = 100;
const MAX_NAME = 80;

/** Lets the reader choose a command, and performs it. */
export async function openPalette(): Promise<void> {
  if (document.querySelector("dialog[open]") !== null) return;
  const commands = commandsOf(document);
  let [shown, at]: [readonly Command[], number] = [[], 0];
  let chosen: Command | undefined;
  const list = el("ul", {
    id: "palette",
    class: "palette",
    role: "listbox",
    "aria-label": "Commands",
  });
  const field = el("input", {
    role: "combobox",
    "aria-label": "Command",
    "aria-controls": "palette",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
    autofocus: true,
    placeholder: "Name of a command",
  });
  const select = (next: number) => {
    at = shown.length === 0 ? 0 : (next + shown.length) % shown.length;
    [...list.children].forEach((item, index) =>
      item.setAttribute("aria-selected", String(index === at))
    );
    const item = list.children[at];
    if (item === undefined) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  };
  const choose = (command: Command | undefined) => {
    if (command === undefined) return;
    chosen = command;
    list.closest("dialog")?.close();
  };
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    shown = commands.filter(({ name }) => {
      const text = name.toLowerCase();
      return words.every((word) => text.includes(word));
    }).slice(0, MAX_SHOWN);
    fill(list, ...shown.map(item));
    none.hidden = shown.length > 0;
    select(0);
  };
  const item = (command: Command, index: number): HTMLElement => {
    const made = el(
      "li",
      { id: `palette-${index}`, role: "option" },
      el("span", {}, command.name),
      command.keys !== "" && el("kbd", {}, command.keys),
    );
    made.addEventListener("click", () => choose(command));
    return made;
  };
  const none = el("p", { class: "hint", role: "status" }, "No command has this name.");
  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") choose(shown[at]);
    else if (event.key === "ArrowDown") select(at + 1);
    else if (event.key === "ArrowUp") select(at - 1);
    else return;
    event.preventDefault();
  });
  show();
  await ask("Commands", field, list, none);
  const element = chosen?.element;
  if (element?.isConnected !== true) return;
  element.focus();
  element.click();
}

/** The buttons and links that can be used now, by their names. */
function commandsOf(place: Document): readonly Command[] {
  const elements = place.querySelectorAll<HTMLElement>(
    "#app :is(button, a[href], summary, select)",
  );
  const commands = [...elements].filter(isUsable).map((element) => ({
    name: plain(nameOf(element)).slice(0, MAX_NAME),
    keys: keysOf(element.getAttribute("aria-keyshortcuts") ?? ""),
    element,
  }));
  return commands.filter(({ name }) => name !== "");
}

function isUsable(element: HTMLElement): boolean {
  return element.checkVisibility() && element.getAttribute("aria-disabled") !== "true" &&
    !element.matches(":disabled, .skip");
}

function nameOf(element: HTMLElement): string {
  const label = element.getAttribute("aria-label");
  // the text of a choice is that of all its options
  return (label ?? (element.matches("select") ? "" : element.textContent ?? "")).trim();
}
