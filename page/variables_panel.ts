/**
 * The variables of a sandbox. Their values are written, never read.
 *
 * @module
 */
import type { Sandbox } from "@belljar/client";
import { button, el, fill } from "./dom.ts";

/** The panel. */
export interface VariablesPanel {
  readonly element: HTMLElement;
  /** Shows these names. */
  show(names: readonly string[]): void;
}

/** Options of the panel. */
export interface VariablesPanelOptions {
  readonly sandbox: Sandbox;
  readonly onFailure: (thrown: unknown) => void;
  readonly onChanged: () => void;
}

/** Creates the panel. */
export function variablesPanel(
  { sandbox, onFailure, onChanged }: VariablesPanelOptions,
): VariablesPanel {
  const list = el("ul", { class: "files" });
  const name = el("input", {
    placeholder: "NAME",
    "aria-label": "Name of the variable",
    pattern: "[A-Za-z_][A-Za-z0-9_]*",
    title: "Letters, digits and underscores",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
  });
  const value = el("input", {
    placeholder: "value",
    "aria-label": "Value of the variable",
    autocomplete: "off",
    spellcheck: "false",
  });
  const set = async (changes: Record<string, string | undefined>) => {
    try {
      await sandbox.setEnvVars(changes);
      onChanged();
    } catch (thrown) {
      onFailure(thrown);
    }
  };
  const form = el(
    "form",
    { class: "inline-form" },
    name,
    value,
    el("button", { type: "submit", class: "quiet" }, "Set"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void set({ [name.value]: value.value });
    form.reset();
    name.focus();
  });
  const show = (names: readonly string[]) => {
    fill(
      list,
      ...names.map((known) =>
        el(
          "li",
          {},
          el("code", { class: "file-name" }, known),
          button("×", () => void set({ [known]: undefined }), {
            class: "quiet small",
            "aria-label": `Remove ${known}`,
          }),
        )
      ),
    );
  };
  const element = el(
    "section",
    { class: "panel", "aria-label": "Variables" },
    el("div", { class: "panel-head" }, el("h2", {}, "Variables")),
    list,
    form,
    el("p", { class: "hint" }, "For all contexts. Values are never shown."),
  );
  return { element, show };
}
