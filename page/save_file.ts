/**
 * Saving on the reader's device.
 *
 * @module
 */
import { el } from "./dom.ts";

/** Saves bytes as a file. They are no type that a browser would open. */
export function saveFile(name: string, contents: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([contents], { type: "application/octet-stream" }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
