/**
 * Facts of a sandbox: its times and the size of its files.
 *
 * @module
 */
import type { SandboxInfo } from "@belljar/client";
import { el } from "./dom.ts";
import { expiryNote } from "./expiry_note.ts";
import { bytes, countText, moment } from "./format.ts";

/** The facts as terms and descriptions. `onKeep` prolongs the sandbox. */
export function sandboxFacts(
  { createdAt, lastUsed, expiresAt, workspace }: SandboxInfo,
  onKeep: () => void,
): readonly HTMLElement[] {
  const facts = [
    ["Created", createdAt === null ? "with its first use" : moment(createdAt)],
    ["Last used", lastUsed === null ? "never" : moment(lastUsed)],
    ["Expires", expiresAt === null ? "never" : expiryNote(expiresAt, onKeep)],
    ["Files", `${countText(workspace.files, "file")}, ${bytes(workspace.bytes)}`],
  ] as const;
  return facts.flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]);
}
