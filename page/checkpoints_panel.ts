/**
 * Going back, and branching: the checkpoints of a sandbox, and a fork of it under another name.
 *
 * @module
 */
import type { Checkpoint, Sandbox } from "@belljar/client";
import { announce } from "./announcer.ts";
import { forkAt } from "./checkpoint_fork.ts";
import { forkForClass } from "./class_dialog.ts";
import { askToConfirm } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { moment, plain } from "./format.ts";
import { sandboxNameField } from "./sandbox_name_field.ts";

/** The panel. */
export interface CheckpointsPanel {
  readonly element: HTMLElement;
  /** Reads the checkpoints again. */
  refresh(): Promise<void>;
}

/** Options of the panel. */
export interface CheckpointsPanelOptions {
  readonly sandbox: Sandbox;
  readonly onFailure: (thrown: unknown) => void;
  /** Called before a restore, which ends runs: their answers may come before its own. */
  readonly onRestoring: () => void;
  /** Called after a restore: contexts, files and variables are others. */
  readonly onRestored: () => Promise<void>;
  /** Called with the name of a fork. */
  readonly onForked: (name: string) => void;
  /** Compares runs from a checkpoint. */
  readonly onWays: (checkpoint: Checkpoint, label: string) => Promise<void>;
  /** The sandboxes of a class are made. */
  readonly onClass: () => void;
}

const MAX_NAME_CHARS = 128;

/** Creates the panel. */
export function checkpointsPanel(
  { sandbox, onFailure, onRestoring, onRestored, onForked, onWays, onClass }:
    CheckpointsPanelOptions,
): CheckpointsPanel {
  const list = el("ol", { class: "files timeline" });
  const name = el("input", {
    placeholder: "name",
    "aria-label": "Name of the checkpoint",
    maxlength: MAX_NAME_CHARS,
    autocomplete: "off",
  });
  const target = sandboxNameField({
    placeholder: "name of a fork",
    "aria-label": "Name of the forked sandbox",
  });

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (thrown) {
      onFailure(thrown);
    }
  };
  const refresh = () => attempt(async () => show(await sandbox.checkpoints.list()));
  const labelOf = (checkpoint: Checkpoint) =>
    checkpoint.name === null ? moment(checkpoint.createdAt) : plain(checkpoint.name);
  const show = (checkpoints: readonly Checkpoint[]) => {
    restorers.clear();
    const now = el("li", { class: "now" }, el("span", { class: "file-name" }, "Now"));
    fill(list, ...checkpoints.map(item), checkpoints.length > 0 && now);
  };
  const restorers = new Map<string, HTMLButtonElement>();
  const item = (checkpoint: Checkpoint): HTMLElement => {
    const label = labelOf(checkpoint);
    const restorer = button(label, () => void restore(checkpoint), {
      class: "file-name",
      "aria-label": `Restore ${label}`,
    });
    restorers.set(checkpoint.id, restorer);
    return el(
      "li",
      { title: moment(checkpoint.createdAt) },
      restorer,
      checkpoint.name !== null &&
        el("time", { class: "file-size" }, moment(checkpoint.createdAt)),
      button("×", () => void remove(checkpoint), {
        class: "quiet small",
        "aria-label": `Delete the checkpoint ${label}`,
      }),
      el(
        "div",
        { class: "checkpoint-actions", role: "group", "aria-label": `From ${label}` },
        button("Fork", () => void forkFrom(checkpoint), {
          class: "quiet small",
          "aria-label": `Fork ${label}`,
          title: "Another sandbox with the state of this checkpoint",
        }),
        button("Three ways", () => void attempt(() => onWays(checkpoint, label)), {
          class: "quiet small",
          "aria-label": `Three ways from ${label}`,
          title: "Runs three programs from this checkpoint, side by side",
        }),
        button("Class", () => void forClass(checkpoint), {
          class: "quiet small",
          "aria-label": `A class from ${label}`,
          title: "A sandbox with the state of this checkpoint for each pupil",
        }),
      ),
    );
  };
  const forkFrom = (checkpoint: Checkpoint) =>
    attempt(async () => {
      const name = await forkAt(sandbox, checkpoint, labelOf(checkpoint));
      if (name !== undefined) onForked(name);
    });
  const forClass = (checkpoint: Checkpoint) =>
    attempt(async () => {
      if (await forkForClass(sandbox, checkpoint, labelOf(checkpoint))) onClass();
    });
  const restore = async (checkpoint: Checkpoint) => {
    const label = labelOf(checkpoint);
    const text =
      "Contexts, files and variables become what they were. Runs in progress end. What was made since is gone.";
    if (!await askToConfirm(`Go back to ${label}?`, text, "Restore")) return;
    onRestoring();
    await attempt(async () => {
      await sandbox.checkpoints.restore(checkpoint.id);
      announce(`The sandbox is as it was at ${label}`);
    });
    await onRestored();
    restorers.get(checkpoint.id)?.focus(); // the list is new, and its buttons too
  };
  const remove = async (checkpoint: Checkpoint) => {
    const label = labelOf(checkpoint);
    const text = "The sandbox stays as it is; it cannot go back to this state any more.";
    if (!await askToConfirm(`Delete the checkpoint ${label}?`, text, "Delete")) return;
    await attempt(async () => {
      await sandbox.checkpoints.delete(checkpoint.id);
      announce(`The checkpoint ${label} is deleted`);
    });
    await refresh();
    name.focus();
  };

  const keep = inlineForm(name, "Keep", () =>
    attempt(async () => {
      const checkpoint = await sandbox.checkpoints.create(
        name.value === "" ? {} : { name: name.value },
      );
      announce(`Kept as ${labelOf(checkpoint)}`);
      name.value = "";
      await refresh();
    }));
  const fork = inlineForm(target, "Fork", () =>
    attempt(async () => {
      const { id } = await sandbox.fork(target.value);
      announce(`The sandbox ${id} has the same state`);
      onForked(id);
    }));
  const element = el(
    "section",
    { class: "panel", "aria-label": "Checkpoints" },
    el("div", { class: "panel-head" }, el("h2", {}, "Checkpoints")),
    list,
    keep,
    el("p", { class: "hint" }, "The whole sandbox as it is now. Memory is shared, not copied."),
    fork,
  );
  return { element, refresh };
}

/** A form of one line that does one thing at a time. */
function inlineForm(
  input: HTMLInputElement,
  verb: string,
  work: () => Promise<void>,
): HTMLElement {
  const submit = el("button", { type: "submit", class: "quiet" }, verb);
  const form = el("form", { class: "inline-form single" }, input, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    void work().finally(() => submit.disabled = false);
  });
  return form;
}
