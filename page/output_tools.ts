/**
 * Tools for the output of a run: find, wrap, copy, save.
 *
 * @module
 */
import { announce } from "./announcer.ts";
import { offerText } from "./dialogs.ts";
import { button, el } from "./dom.ts";
import { exact } from "./format.ts";
import type { OutputView } from "./output_view.ts";

/** Lines from which on output can be searched. */
const SEARCHED_LINES = 20;

/** Creates the tools of an output that is complete. `name` is that of its run. */
export function outputTools(output: OutputView, name: string): HTMLElement {
  const wrap = button("Wrap", () => {
    const isWrapped = output.element.classList.toggle("unwrapped");
    wrap.setAttribute("aria-pressed", String(!isWrapped));
  }, { class: "quiet", "aria-pressed": "true", "aria-label": `Wrap lines of ${name}` });
  const copy = button("Copy", async () => {
    const isCopied = await offerText("Output", output.text, "The browser has no clipboard here.");
    if (isCopied) announce("The output is copied");
  }, { class: "quiet", "aria-label": `Copy output of ${name}` });
  const save = button("Save", () => {
    download(output.text, `${name.toLowerCase().replaceAll(" ", "-")}.txt`);
  }, { class: "quiet", "aria-label": `Save output of ${name}` });
  const find = output.lines >= SEARCHED_LINES && findField(output, name);
  return el("div", { class: "output-tools" }, find, wrap, copy, save);
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  el("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** A field that goes to the lines with a text: Enter to the next one, Shift and Enter back. */
function findField(output: OutputView, name: string): HTMLElement {
  const found = el("span", { class: "hint", role: "status" });
  const field = el("input", {
    type: "search",
    placeholder: "Find",
    "aria-label": `Find in output of ${name}`,
  });
  let [lines, at]: [readonly HTMLElement[], number] = [[], -1];
  const show = (next: number) => {
    lines[at]?.classList.remove("found");
    at = lines.length === 0 ? -1 : (next + lines.length) % lines.length;
    const line = lines[at];
    line?.classList.add("found");
    line?.scrollIntoView({ block: "nearest" });
    found.textContent = field.value === ""
      ? ""
      : `${exact(at + 1)} of ${exact(lines.length)} lines`;
  };
  field.addEventListener("input", () => {
    lines[at]?.classList.remove("found");
    lines = field.value === "" ? [] : output.linesWith(field.value);
    show(0);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    show(at + (event.shiftKey ? -1 : 1));
  });
  return el("span", { class: "find" }, field, found);
}
