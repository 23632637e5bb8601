/**
 * The files of a sandbox: upload by drop or by choice, download, deletion.
 *
 * @module
 */
import type { FileInfo, Sandbox } from "@belljar/client";
import { announce } from "./announcer.ts";
import { askToConfirm } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { bytes, countText, moment, plain } from "./format.ts";
import { messageOf } from "./service.ts";

/** The panel. */
export interface FilesPanel {
  readonly element: HTMLElement;
  /** Reads the files again. */
  refresh(): Promise<void>;
}

/** Options of the panel. */
export interface FilesPanelOptions {
  readonly sandbox: Sandbox;
  readonly onFailure: (thrown: unknown) => void;
}

/** Files that are shown. */
const MAX_SHOWN = 500;

/** Creates the panel. */
export function filesPanel({ sandbox, onFailure }: FilesPanelOptions): FilesPanel {
  const list = el("ul", { class: "files" });
  const status = el("p", { class: "hint" });
  const input = el("input", {
    type: "file",
    multiple: true,
    class: "visually-hidden",
    tabindex: -1,
  });
  input.setAttribute("aria-hidden", "true");
  const element = el(
    "section",
    { class: "panel drop", "aria-label": "Files" },
    el(
      "div",
      { class: "panel-head" },
      el("h2", {}, "Files"),
      button("Upload", () => input.click(), { class: "quiet" }),
      button("↻", () => void refresh(), { class: "quiet", "aria-label": "Read the files again" }),
    ),
    input,
    list,
    status,
  );

  const refresh = async () => {
    try {
      const files = await sandbox.files.list(undefined, { recursive: true, includeHidden: true });
      show(files);
    } catch (thrown) {
      onFailure(thrown);
    }
  };
  const show = (files: readonly FileInfo[]) => {
    fill(list, ...files.slice(0, MAX_SHOWN).map(item));
    const size = files.reduce((sum, file) => sum + (file.type === "file" ? file.size : 0), 0);
    const count = files.filter(({ type }) => type === "file").length;
    status.textContent = count === 0
      ? "Drop files here. Programs find them in /workspace."
      : `${countText(count, "file")}, ${bytes(size)}` +
        (files.length > MAX_SHOWN ? `; the first ${MAX_SHOWN} entries are shown` : "");
  };
  const item = (file: FileInfo): HTMLElement => {
    const { type } = file;
    const relativePath = plain(file.relativePath);
    const isFile = type === "file";
    const name = isFile
      ? button(relativePath, () => void download(file), {
        class: "file-name",
        "aria-label": `Download ${relativePath}`,
      })
      : el("span", { class: "file-name" }, `${relativePath}/`);
    return el(
      "li",
      { title: `${plain(file.absolutePath)}\n${moment(file.modifiedAt)}` },
      name,
      isFile && el("span", { class: "file-size" }, bytes(file.size)),
      button("×", () => void remove(file), {
        class: "quiet small",
        "aria-label": `Delete ${relativePath}`,
      }),
    );
  };
  const download = async ({ absolutePath, name }: FileInfo) => {
    try {
      save(name, await sandbox.files.download(absolutePath));
    } catch (thrown) {
      onFailure(thrown);
    }
  };
  const remove = async ({ absolutePath, relativePath: path, type }: FileInfo) => {
    const relativePath = plain(path);
    const what = type === "file" ? "The file" : "The folder and all that is in it";
    if (
      !await askToConfirm(`Delete ${relativePath}?`, `${what} cannot be brought back.`, "Delete")
    ) {
      return;
    }
    try {
      await sandbox.files.delete(absolutePath, { recursive: true, force: true });
      announce(`${relativePath} is deleted`);
    } catch (thrown) {
      onFailure(thrown);
    }
    await refresh();
  };
  const upload = async (files: readonly File[]) => {
    for (const [index, file] of files.entries()) {
      status.textContent = `Uploading ${file.name} (${index + 1} of ${files.length}) …`;
      try {
        await sandbox.files.upload(file.name, file);
        announce(`${file.name} is uploaded`);
      } catch (thrown) {
        onFailure(new Error(`${file.name}: ${messageOf(thrown)}`));
      }
    }
    await refresh();
  };

  input.addEventListener("change", () => {
    const files = [...input.files ?? []];
    input.value = "";
    void upload(files);
  });
  acceptDrops(element, (files) => void upload(files));
  return { element, refresh };
}

function acceptDrops(element: HTMLElement, onFiles: (files: readonly File[]) => void): void {
  let depth = 0;
  const mark = (change: number) => {
    depth = Math.max(0, depth + change);
    element.classList.toggle("dropping", depth > 0);
  };
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
  element.addEventListener("dragenter", (event) => hasFiles(event) && mark(1));
  element.addEventListener("dragleave", (event) => hasFiles(event) && mark(-1));
  element.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  element.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(-depth);
    onFiles([...event.dataTransfer?.files ?? []]);
  });
}

/** Saves bytes as a file. They are no type that a browser would open. */
function save(name: string, contents: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([contents], { type: "application/octet-stream" }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
