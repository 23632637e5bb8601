/**
 * When a sandbox expires, and how to keep it.
 *
 * @module
 */
import { button, el } from "./dom.ts";
import { moment, timeLeft } from "./format.ts";

/** Shows the time that is left, with a button that prolongs it. */
export function expiryNote(expiresAt: Date | number, onKeep: () => void): HTMLElement {
  const left = Math.max(0, Number(expiresAt) - Date.now());
  return el(
    "span",
    { title: moment(expiresAt) },
    `in ${timeLeft(left)} `,
    button("Keep", onKeep, { class: "quiet small", "aria-label": "Keep this sandbox" }),
  );
}
