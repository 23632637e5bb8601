/**
 * Says to screen readers what happens.
 *
 * @module
 */
import { el } from "./dom.ts";

/** Time until a text is removed, so that nobody finds it later, in milliseconds. */
const KEPT_MS = 10_000;

const region = el("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });

/** The element that screen readers listen to. */
export function announcements(): HTMLElement {
  return region;
}

/** Says something. */
export function announce(text: string): void {
  const line = el("p", {}, text);
  region.append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}
