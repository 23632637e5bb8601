/**
 * The open files of a sandbox, as tabs.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { askToConfirm } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { plain } from "./format.ts";
import { OpenFile } from "./open_file.ts";
import type { FilePlace } from "./sandbox_files.ts";

/** Open files of a sandbox. */
const MAX_OPEN = 12;

/** Options of the tabs. */
export interface FileTabsOptions {
  readonly place: FilePlace;
  /** The languages in which files can run. */
  readonly languages: readonly Language[];
  readonly onRun: (language: Language, code: string) => Promise<void>;
  /** A file was stored. */
  readonly onStored: () => void;
  readonly onFailure: (thrown: unknown) => void;
}

interface Tab {
  readonly file: OpenFile;
  readonly tab: HTMLButtonElement;
  readonly panel: HTMLElement;
  readonly close: HTMLButtonElement;
}

/** Tabs so far: names their parts. */
let count = 0;

/** The tabs. */
export class FileTabs {
  readonly element: HTMLElement;
  readonly #options: FileTabsOptions;
  readonly #list = el("div", { class: "file-tabs", role: "tablist", "aria-label": "Open files" });
  readonly #panels = el("div", {});
  readonly #tabs = new Map<string, Tab>();
  #current = "";

  constructor(options: FileTabsOptions) {
    this.#options = options;
    this.element = el(
      "section",
      { class: "open-files", "aria-label": "Open files", hidden: true },
      this.#list,
      this.#panels,
    );
    this.#list.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Whether a file has changes that are not stored. */
  get isDirty(): boolean {
    return [...this.#tabs.values()].some(({ file }) => file.isDirty);
  }

  /** Opens a file. `isNew`: it is not there yet. */
  open(path: string, isNew = false): void {
    if (!this.#tabs.has(path)) {
      if (this.#tabs.size >= MAX_OPEN) {
        return this.#options.onFailure(new Error(`Close a file first: ${MAX_OPEN} are open.`));
      }
      this.#add(path, isNew);
    }
    this.#select(path);
    this.#tabs.get(path)?.tab.focus();
  }

  /** Reads the open files again, and closes those that are gone. */
  async refresh(paths: ReadonlySet<string>): Promise<void> {
    for (const [path, { file }] of [...this.#tabs]) {
      if (paths.has(path)) await file.refresh();
    }
  }

  /** A file has another path, or is gone. */
  moved(from: string, to: string | undefined): void {
    const isOpen = this.#tabs.has(from);
    this.#remove(from);
    if (isOpen && to !== undefined) this.open(to);
  }

  /** Frees what they use. */
  destroy(): void {
    for (const { file } of this.#tabs.values()) file.destroy();
    this.#tabs.clear();
  }

  #add(path: string, isNew: boolean): void {
    const { place, languages, onRun, onStored, onFailure } = this.#options;
    const id = `file-${++count}`;
    const name = plain(path);
    const tab = button(name, () => this.#select(path), {
      class: "file-tab",
      role: "tab",
      id: `${id}-tab`,
      "aria-controls": id,
    });
    const close = button("×", () => void this.#close(path), {
      class: "quiet small",
      "aria-label": `Close ${name}`,
    });
    const file = new OpenFile({
      place,
      path,
      isNew,
      languages,
      onRun,
      onStored,
      onFailure,
      onState: () => {
        const isDirty = this.#tabs.get(path)?.file.isDirty === true;
        tab.textContent = isDirty ? `${name} •` : name;
        tab.setAttribute("aria-label", isDirty ? `${name}, not saved` : name);
      },
    });
    const panel = el(
      "div",
      { role: "tabpanel", id, "aria-labelledby": `${id}-tab` },
      file.element,
    );
    this.#tabs.set(path, { file, tab, panel, close });
    this.#show();
  }

  #show(): void {
    const tabs = [...this.#tabs.values()];
    fill(this.#list, ...tabs.map(({ tab }) => tab));
    fill(this.#panels, ...tabs.map(({ panel }) => panel));
    this.element.hidden = tabs.length === 0;
  }

  #select(path: string): void {
    this.#current = path;
    for (const [each, { tab, panel, close }] of this.#tabs) {
      const isCurrent = each === path;
      tab.setAttribute("aria-selected", String(isCurrent));
      tab.tabIndex = isCurrent ? 0 : -1;
      panel.hidden = !isCurrent;
      if (isCurrent) panel.querySelector(".file-actions")?.append(close);
    }
  }

  #onKey(event: KeyboardEvent): void {
    const paths = [...this.#tabs.keys()];
    const at = paths.indexOf(this.#current);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: paths.length - 1,
    };
    const next = paths.at((steps[event.key] ?? NaN) % paths.length);
    if (next === undefined || !Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    this.#select(next);
    this.#tabs.get(next)?.tab.focus();
  }

  async #close(path: string): Promise<void> {
    const isDirty = this.#tabs.get(path)?.file.isDirty === true;
    const question = "Its changes are not saved.";
    if (isDirty && !await askToConfirm(`Close ${plain(path)}?`, question, "Close")) return;
    this.#remove(path);
  }

  #remove(path: string): void {
    const tab = this.#tabs.get(path);
    if (tab === undefined) return;
    tab.file.destroy();
    this.#tabs.delete(path);
    this.#show();
    if (this.#current !== path) return;
    const last = [...this.#tabs.keys()].at(-1);
    if (last === undefined) return;
    this.#select(last);
    this.#tabs.get(last)?.tab.focus();
  }
}
