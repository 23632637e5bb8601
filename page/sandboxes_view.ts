/**
 * The choice of a sandbox: those that are there, and a field for a new one.
 *
 * @module
 */
import type { SandboxSummary } from "@belljar/client";
import { el, fill, withLabel } from "./dom.ts";
import { bytes, countText, moment } from "./format.ts";
import { fragmentOf } from "./link.ts";
import { randomId } from "./random_id.ts";
import { sandboxNameField } from "./sandbox_name_field.ts";
import { isTokenFailure, messageOf } from "./service.ts";
import { openRuns } from "./open_runs.ts";
import type { View, ViewOptions } from "./view.ts";

/** Sandboxes that are listed. */
const MAX_LISTED = 200;
const NAME_CHARS = 8;

/** Creates the view. */
export function sandboxesView({ service, go, onTokenFailure, tell }: ViewOptions): View {
  const list = el("ul", { class: "sandbox-list" });
  const status = el("p", { class: "hint" }, "Reading …");
  const name = sandboxNameField({ name: "sandbox" });
  name.value = `play-${randomId(NAME_CHARS)}`;
  const form = el(
    "form",
    { class: "open-form" },
    withLabel("Name", name),
    el("button", { type: "submit", class: "primary" }, "Open"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(fragmentOf({ kind: "sandbox", name: name.value }));
  });
  const runs = openRuns(service);
  const element = el(
    "div",
    { class: "choose" },
    el("h2", {}, "Open a sandbox"),
    el(
      "p",
      { class: "lead" },
      "A sandbox keeps files, and contexts that remember their variables. A name that is new makes a new one.",
    ),
    form,
    runs.element,
    el("h2", {}, "Your sandboxes"),
    status,
    list,
  );
  const load = async () => {
    const found: SandboxSummary[] = [];
    for await (const sandbox of service.env.Sandbox.list({ limit: 100 })) {
      found.push(sandbox);
      if (found.length === MAX_LISTED) break;
    }
    found.sort((a, b) => b.lastUsed.getTime() - a.lastUsed.getTime());
    fill(list, ...found.map(item));
    const { sandboxes, maxSandboxes, bytes: used, maxBytes } = await service.env.Sandbox.usage();
    const shown = sandboxes > found.length ? `; ${found.length} are shown` : "";
    status.textContent = `${sandboxes} of ${maxSandboxes}, ${bytes(used)} of ${
      bytes(maxBytes)
    }${shown}`;
  };
  Promise.all([load(), runs.load()]).catch((thrown) => {
    status.textContent = "";
    if (isTokenFailure(thrown)) onTokenFailure();
    else tell(messageOf(thrown), "problem");
  });
  return {
    element,
    title: "Sandboxes",
    isRunning: false,
    focus: () => name.focus(),
    destroy: () => undefined,
  };
}

function item({ id, contexts, files, bytes: size, lastUsed }: SandboxSummary): HTMLElement {
  return el(
    "li",
    {},
    el("a", { href: fragmentOf({ kind: "sandbox", name: id }) }, id),
    el(
      "span",
      { class: "hint" },
      `${countText(contexts, "context")}, ${countText(files, "file")}, ${bytes(size)}; used ${
        moment(lastUsed)
      }`,
    ),
  );
}
