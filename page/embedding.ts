/**
 * The page in a frame of another page: programs and exercises, and nothing of a sandbox, where
 * a press that the reader does not mean could delete or approve something.
 *
 * @module
 */
import { el } from "./dom.ts";
import type { Place } from "./link.ts";

/** Whether the page is in a frame. */
export const isEmbedded = globalThis.self !== globalThis.top;

/** Whether a place is shown in a frame. */
export function isEmbeddable({ kind }: Place): boolean {
  return kind === "stateless" || kind === "program" || kind === "exercise";
}

/** A link to the same program or exercise on a page of its own. */
export function openLink(): HTMLElement {
  const link = el("a", {
    href: "./",
    target: "_blank",
    rel: "noopener",
    class: "quiet-link",
  }, "Open in a tab");
  link.addEventListener("click", () => link.href = `./${location.hash}`);
  return link;
}
