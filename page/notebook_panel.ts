/**
 * The notebook of a context: its cells, and the file with their outputs.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import type { ContextPath } from "./context_names.ts";
import { button, el, fill } from "./dom.ts";
import { markdownView } from "./markdown.ts";
import { languageOf, notebookCells } from "./notebook_file.ts";
import { longText } from "./output_view.ts";
import { saveFile } from "./save_file.ts";
import { messageOf, type Service } from "./service.ts";

/** Cells that are shown; the file has all. */
const MAX_CELLS = 200;
const MAX_CODE = 4_000;
const MAX_TASK = 20_000;

/** A panel with the cells; read when it is opened. `onUse` gets the program of a cell. */
export function notebookPanel(
  { service, path }: ContextPath,
  onUse: (code: string) => void,
): HTMLElement {
  const place = el("div", { class: "cells" });
  const problem = el("p", { class: "problem", role: "alert" });
  const bytes = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const answer = await service.send(`${path}/notebook`);
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    const { message } = await answer.json();
    throw new Error(String(message));
  };
  const attempt = async (work: () => Promise<void>) => {
    try {
      problem.textContent = "";
      await work();
    } catch (thrown) {
      problem.textContent = messageOf(thrown);
    }
  };
  const read = () =>
    attempt(async () => {
      const cells = notebookCells(JSON.parse(new TextDecoder().decode(await bytes())));
      let codeCells = 0;
      fill(
        place,
        cells.length === 0 && el("p", { class: "hint" }, "Each run becomes a cell."),
        ...cells.slice(0, MAX_CELLS).map(({ kind, source }) =>
          kind === "markdown"
            ? markdownView(source.slice(0, MAX_TASK))
            : codeCell(source, ++codeCells, onUse)
        ),
        cells.length > MAX_CELLS && el("p", { class: "hint" }, "The file has more cells."),
      );
    });
  const save = () => attempt(async () => saveFile("notebook.ipynb", await bytes()));
  const element = el(
    "details",
    { class: "fields notebook" },
    el("summary", {}, "Notebook"),
    el(
      "div",
      { class: "tools" },
      button("Read the cells again", () => void read(), { class: "quiet" }),
      button("Save as .ipynb", () => void save(), { class: "quiet" }),
    ),
    problem,
    place,
  );
  element.addEventListener("toggle", () => {
    if (element.open) void read();
  });
  return element;
}

function codeCell(source: string, number: number, onUse: (code: string) => void): HTMLElement {
  return el(
    "div",
    { class: "cell" },
    el(
      "pre",
      { class: "output", tabindex: 0, role: "region", "aria-label": `Cell ${number}` },
      longText(source, MAX_CODE),
    ),
    button("Use cell", () => onUse(source), {
      class: "quiet",
      "aria-label": `Use cell ${number}`,
    }),
  );
}

/**
 * Makes a context of a notebook; gives its id. Nothing runs. Rejects with an Error that names
 * the fault.
 */
export async function importNotebook(
  service: Service,
  sandbox: string,
  languages: readonly Language[],
  file: File,
): Promise<string> {
  const text = await file.text();
  const language = languageOf(parsed(text), languages);
  if (language === undefined) {
    throw new Error(`${file.name} is no notebook of a language that this service runs.`);
  }
  const place = `languages/${language}/sandboxes/${encodeURIComponent(sandbox)}`;
  const answer = await service.send(`${place}/notebook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
  });
  const { id, message } = await answer.json();
  if (!answer.ok) throw new Error(String(message));
  return String(id);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
