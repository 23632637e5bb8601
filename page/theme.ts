/**
 * Light and dark: as the system says, unless somebody chooses.
 *
 * @module
 */
import { announce } from "./announcer.ts";
import { button } from "./dom.ts";

const KEY = "belljar:theme";
const THEMES = ["auto", "light", "dark"] as const;
type Theme = typeof THEMES[number];

const NAMES: { readonly [T in Theme]: string } = {
  auto: "Theme: system",
  light: "Theme: light",
  dark: "Theme: dark",
};
const SIGNS: { readonly [T in Theme]: string } = { auto: "◐", light: "○", dark: "●" };

/** Shows the chosen theme; returns the button that changes it. */
export function themeButton(): HTMLButtonElement {
  let theme = chosen();
  const made = button("", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    remember(theme);
    show();
    announce(NAMES[theme]);
  }, { class: "icon-button" });
  const show = () => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    made.textContent = SIGNS[theme];
    made.title = NAMES[theme];
    made.setAttribute("aria-label", NAMES[theme]);
  };
  show();
  return made;
}

function chosen(): Theme {
  try {
    const name = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === name) ?? "auto";
  } catch {
    return "auto";
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return; // not allowed: it holds for this view
  }
}
