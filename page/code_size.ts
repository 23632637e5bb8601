/**
 * The size of code and output, in three steps.
 *
 * @module
 */
import { announce } from "./announcer.ts";
import { button } from "./dom.ts";

const KEY = "belljar:code-size";
const SIZES = ["normal", "large", "largest"] as const;
type Size = typeof SIZES[number];

/** Shows the chosen size; returns the button that changes it. */
export function codeSizeButton(): HTMLButtonElement {
  let size = chosen();
  const made = button("A", () => {
    size = SIZES[(SIZES.indexOf(size) + 1) % SIZES.length] ?? "normal";
    remember(size);
    show();
    announce(name());
  }, { class: "icon-button" });
  const name = () => `Size of code: ${size}`;
  const show = () => {
    document.documentElement.dataset["codeSize"] = size;
    made.title = name();
    made.setAttribute("aria-label", name());
  };
  show();
  return made;
}

function chosen(): Size {
  try {
    const stored = localStorage.getItem(KEY);
    return SIZES.find((size) => size === stored) ?? "normal";
  } catch {
    return "normal";
  }
}

function remember(size: Size): void {
  try {
    localStorage.setItem(KEY, size);
  } catch {
    return; // not allowed: it holds for this view
  }
}
