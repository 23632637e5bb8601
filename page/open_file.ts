/**
 * A file of a sandbox that is open: its editor, its preview, and what can be done with it.
 *
 * @module
 */
import type { JsonValue, Language } from "@belljar/client";
import { announce } from "./announcer.ts";
import { csvRows } from "./csv.ts";
import { askToConfirm } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { Editor } from "./editor.ts";
import { fileKind } from "./file_kinds.ts";
import { bytes as bytesText, plain } from "./format.ts";
import { recordRows, tableView } from "./record_table.ts";
import { FileChanged, type FilePlace, readFile, writeFile } from "./sandbox_files.ts";
import { saveFile } from "./save_file.ts";
import { valueTree } from "./value_tree.ts";

/** Longest text that is edited, in bytes, and longest image that is shown. */
const MAX_TEXT = 1024 * 1024;
const MAX_IMAGE = 4 * 1024 * 1024;
/** Rows of a preview that are parsed. */
const MAX_ROWS = 200;

/** Options of an open file. */
export interface OpenFileOptions {
  readonly place: FilePlace;
  /** Relative to the workspace. */
  readonly path: string;
  /** The file was not there: it begins empty. */
  readonly isNew: boolean;
  /** The languages that can run it. */
  readonly languages: readonly Language[];
  readonly onRun: (language: Language, code: string) => Promise<void>;
  /** The file was stored or has unsaved changes, or has none any more. */
  readonly onState: () => void;
  readonly onStored: () => void;
  readonly onFailure: (thrown: unknown) => void;
}

/** A file that is open. */
export class OpenFile {
  readonly element: HTMLElement;
  readonly #options: OpenFileOptions;
  readonly #body = el("div", { class: "file-body" });
  readonly #preview = el("div", { class: "file-preview" });
  readonly #save = button("Save", () => void this.save(), {
    title: "Ctrl or ⌘ + S",
    "aria-keyshortcuts": "Control+S Meta+S",
  });
  readonly #run: HTMLButtonElement;
  #editor: Editor | undefined;
  #etag: string | null | undefined;
  #stored = "";

  constructor(options: OpenFileOptions) {
    this.#options = options;
    const { language } = fileKind(options.path);
    this.#run = button("Run file", () => void this.#runFile(), {
      class: "primary",
      hidden: language === undefined || !options.languages.includes(language),
    });
    this.element = el(
      "div",
      { class: "open-file" },
      el(
        "div",
        { class: "file-actions" },
        this.#run,
        this.#save,
        button("Download", () => void this.#download(), { class: "quiet" }),
      ),
      this.#body,
      this.#preview,
    );
    this.#save.disabled = true;
    this.#save.hidden = true;
    void this.#load();
  }

  /** Whether there are changes that are not stored. */
  get isDirty(): boolean {
    return this.#editor !== undefined && this.#editor.code !== this.#stored;
  }

  /** Puts the cursor into the editor. */
  focus(): void {
    this.#editor?.focus();
  }

  /** Frees what it uses. */
  destroy(): void {
    this.#editor?.destroy();
    this.element.remove();
  }

  /** Reads the file again, unless it has changes. */
  async refresh(): Promise<void> {
    if (!this.isDirty && this.#etag !== undefined) await this.#load();
  }

  /** Stores the text. Gives whether it is stored. */
  async save(): Promise<boolean> {
    const { place, path, onStored, onFailure } = this.#options;
    const editor = this.#editor;
    if (editor === undefined) return true;
    const text = editor.code;
    if (text === this.#stored && this.#etag !== null) return true;
    try {
      try {
        this.#etag = await writeFile(place, path, text, this.#etag);
      } catch (thrown) {
        if (!(thrown instanceof FileChanged)) throw thrown;
        const question = "A program or another tab has changed the file since it was opened here.";
        if (!await askToConfirm(`Replace ${plain(path)}?`, question, "Replace")) return false;
        this.#etag = await writeFile(place, path, text, undefined);
      }
    } catch (thrown) {
      onFailure(thrown);
      return false;
    }
    this.#stored = text;
    announce(`${plain(path)} is saved`);
    this.#show();
    onStored();
    return true;
  }

  async #load(): Promise<void> {
    const { place, path, isNew, onFailure } = this.#options;
    if (isNew && this.#etag === undefined) {
      this.#etag = null;
      return this.#edit("");
    }
    try {
      const { bytes, etag } = await readFile(place, path);
      if (etag === this.#etag) return;
      this.#etag = etag;
      this.#showContents(bytes);
    } catch (thrown) {
      onFailure(thrown);
    }
  }

  #showContents(contents: Uint8Array<ArrayBuffer>): void {
    const { path } = this.#options;
    const { preview, mediaType = "" } = fileKind(path);
    if (preview === "image" && contents.length <= MAX_IMAGE) {
      const source = `data:${mediaType};base64,${contents.toBase64()}`;
      fill(this.#preview, el("img", { src: source, alt: `Picture ${plain(path)}` }));
      if (mediaType !== "image/svg+xml") return;
    }
    const text = contents.length <= MAX_TEXT ? textOf(contents) : undefined;
    if (text === undefined) {
      fill(
        this.#body,
        el(
          "p",
          { class: "hint" },
          `${bytesText(contents.length)}, which is no text that can be edited here.`,
        ),
      );
      return;
    }
    this.#edit(text);
  }

  #edit(text: string): void {
    this.#stored = text;
    if (this.#editor === undefined) {
      this.#editor = new Editor({
        label: `File ${plain(this.#options.path)}`,
        language: fileKind(this.#options.path).language,
        code: text,
        onChange: () => this.#show(),
        onRun: () => void this.#runFile(),
        onStop: () => undefined,
        onSave: () => void this.save(),
      });
      fill(this.#body, this.#editor.element);
    } else if (this.#editor.code !== text) this.#editor.code = text;
    this.#save.hidden = false;
    this.#show();
    this.#showPreview(text);
  }

  #show(): void {
    this.#save.disabled = !this.isDirty && this.#etag !== null;
    this.#options.onState();
    if (!this.isDirty) this.#showPreview(this.#stored);
  }

  #showPreview(text: string): void {
    const { path } = this.#options;
    const { preview, separator = "," } = fileKind(path);
    if (preview === "csv") {
      const rows = csvRows(text, separator, MAX_ROWS + 1);
      const total = rows.length > MAX_ROWS ? text.split("\n").length - 1 : rows.length - 1;
      fill(this.#preview, rows.length > 0 && tableView(rows, `Table of ${plain(path)}`, total));
    } else if (preview === "json") {
      const value = jsonIn(text);
      const rows = value === undefined ? undefined : recordRows(value);
      fill(
        this.#preview,
        rows !== undefined && tableView(rows, `Table of ${plain(path)}`),
        rows === undefined && value !== undefined && typeof value === "object" && value !== null &&
          valueTree(value, `Contents of ${plain(path)}`),
      );
    }
  }

  async #runFile(): Promise<void> {
    const { path, languages, onRun } = this.#options;
    const { language } = fileKind(path);
    const editor = this.#editor;
    if (language === undefined || editor === undefined || !languages.includes(language)) return;
    if (await this.save()) await onRun(language, editor.code);
  }

  async #download(): Promise<void> {
    const { place, path, onFailure } = this.#options;
    try {
      const { bytes } = await readFile(place, path);
      saveFile(path.slice(path.lastIndexOf("/") + 1), bytes);
    } catch (thrown) {
      onFailure(thrown);
    }
  }
}

function textOf(contents: Uint8Array<ArrayBuffer>): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(contents);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
