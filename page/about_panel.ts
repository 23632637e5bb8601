/**
 * About a sandbox: its times and the size of its files, and its deletion.
 *
 * @module
 */
import type { Sandbox, SandboxInfo } from "@belljar/client";
import { announce } from "./announcer.ts";
import { askToConfirm } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { expiryNote } from "./expiry_note.ts";
import { bytes, countText, moment } from "./format.ts";

/** The panel. */
export interface AboutPanel {
  readonly element: HTMLElement;
  /** Shows the facts. */
  show(info: SandboxInfo): void;
}

/** Options of the panel. */
export interface AboutPanelOptions {
  readonly sandbox: Sandbox;
  readonly onFailure: (thrown: unknown) => void;
  /** The sandbox is kept longer; gets its facts, and a text that says so. */
  readonly onExtended: (info: SandboxInfo, text: string) => void;
  readonly onDeleted: () => void;
}

/** Creates the panel. */
export function aboutPanel(
  { sandbox, onFailure, onExtended, onDeleted }: AboutPanelOptions,
): AboutPanel {
  const facts = el("dl", { class: "about" });
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (thrown) {
      onFailure(thrown);
    }
  };
  /** Reading a sandbox is a use, which moves its expiry. The second answer has the new time. */
  const keep = () =>
    attempt(async () => {
      await sandbox.info();
      const info = await sandbox.info();
      const { expiresAt } = info;
      if (expiresAt !== null) onExtended(info, `The sandbox is kept until ${moment(expiresAt)}.`);
    });
  const destroy = () =>
    attempt(async () => {
      const text = "Its contexts, files and variables cannot be brought back.";
      if (!await askToConfirm(`Delete the sandbox ${sandbox.id}?`, text, "Delete")) return;
      await sandbox.destroy();
      announce(`The sandbox ${sandbox.id} is deleted`);
      onDeleted();
    });
  const show = ({ createdAt, lastUsed, expiresAt, workspace }: SandboxInfo) => {
    const shown = [
      ["Created", createdAt === null ? "with its first use" : moment(createdAt)],
      ["Last used", lastUsed === null ? "never" : moment(lastUsed)],
      ["Expires", expiresAt === null ? "never" : expiryNote(expiresAt, () => void keep())],
      ["Files", `${countText(workspace.files, "file")}, ${bytes(workspace.bytes)}`],
    ] as const;
    fill(facts, ...shown.flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]));
  };
  const element = el(
    "section",
    { class: "panel", "aria-label": "About this sandbox" },
    el("div", { class: "panel-head" }, el("h2", {}, "Sandbox")),
    facts,
    button("Delete sandbox", () => void destroy(), { class: "quiet danger-text" }),
  );
  return { element, show };
}
