/**
 * The files of a sandbox: open, create, rename and delete, upload by drop or by choice, download of all
 * as an archive.
 *
 * @module
 */
import type { FileInfo, Sandbox } from "@belljar/client";
import { announce } from "./announcer.ts";
import { askPath, askToConfirm } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { type DroppedFile, droppedFiles } from "./dropped_files.ts";
import { archiveOf } from "./file_archive.ts";
import { bytes, countText, moment, plain } from "./format.ts";
import { saveFile } from "./save_file.ts";
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
  /** A file is chosen. `isNew`: it is not there yet. */
  readonly onOpen: (path: string, isNew: boolean) => void;
  /** A file has another path, or is deleted. */
  readonly onMoved: (from: string, to: string | undefined) => void;
  /** The files were read; `paths` are relative to the workspace. */
  readonly onRead: (paths: ReadonlySet<string>) => void;
  readonly onFailure: (thrown: unknown) => void;
}

/** Files that are shown. */
const MAX_SHOWN = 500;

/** Creates the panel. */
export function filesPanel(
  { sandbox, onOpen, onMoved, onRead, onFailure }: FilesPanelOptions,
): FilesPanel {
  const list = el("ul", { class: "files" });
  const status = el("p", { class: "hint" });
  let known: readonly FileInfo[] = [];
  const archive = button("Download all", () => void downloadAll(), {
    class: "quiet",
    title: "All files as a zip archive",
    hidden: true,
  });
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
      button("New", () => void create(), { class: "quiet", "aria-label": "New file" }),
      button("Upload", () => input.click(), { class: "quiet" }),
      button("↻", () => void refresh(), { class: "quiet", "aria-label": "Read the files again" }),
    ),
    input,
    list,
    status,
    archive,
  );

  const refresh = async () => {
    try {
      const files = await sandbox.files.list(undefined, { recursive: true, includeHidden: true });
      show(files);
      onRead(new Set(files.filter(isFile).map(({ relativePath }) => relativePath)));
    } catch (thrown) {
      onFailure(thrown);
    }
  };
  const show = (files: readonly FileInfo[]) => {
    known = files;
    fill(list, ...files.slice(0, MAX_SHOWN).map(item));
    const size = files.reduce((sum, file) => sum + (file.type === "file" ? file.size : 0), 0);
    const count = files.filter(isFile).length;
    archive.hidden = count === 0;
    status.textContent = count === 0
      ? "Drop files here. Programs find them in /workspace."
      : `${countText(count, "file")}, ${bytes(size)}` +
        (files.length > MAX_SHOWN ? `; the first ${MAX_SHOWN} entries are shown` : "");
  };
  const item = (file: FileInfo): HTMLElement => {
    const relativePath = plain(file.relativePath);
    const name = isFile(file)
      ? button(relativePath, () => onOpen(file.relativePath, false), {
        class: "file-name",
        "aria-label": `Open ${relativePath}`,
      })
      : el("span", { class: "file-name" }, `${relativePath}/`);
    return el(
      "li",
      { title: `${plain(file.absolutePath)}\n${moment(file.modifiedAt)}` },
      name,
      isFile(file) && el("span", { class: "file-size" }, bytes(file.size)),
      button("✎", () => void rename(file), {
        class: "quiet small",
        "aria-label": `Rename ${relativePath}`,
        title: "Rename",
      }),
      button("×", () => void remove(file), {
        class: "quiet small",
        "aria-label": `Delete ${relativePath}`,
      }),
    );
  };
  const create = async () => {
    const path = await askPath("New file", "", "Create");
    if (path === undefined) return;
    onOpen(path, !known.some(({ relativePath }) => relativePath === path));
  };
  const rename = async ({ relativePath: from }: FileInfo) => {
    const to = await askPath(`Rename ${plain(from)}`, from, "Rename");
    if (to === undefined || to === from) return;
    try {
      await sandbox.files.rename(from, to);
      announce(`${plain(from)} is ${plain(to)} now`);
      onMoved(from, to);
    } catch (thrown) {
      onFailure(thrown);
    }
    await refresh();
  };
  const downloadAll = async () => {
    archive.disabled = true;
    try {
      const files = known.filter(isFile);
      const contents = await archiveOf(files, async ({ absolutePath }, index) => {
        status.textContent = `Reading file ${index + 1} of ${files.length} …`;
        return await sandbox.files.download(absolutePath);
      });
      saveFile(`${sandbox.id}.zip`, contents);
      announce("The archive is saved");
    } catch (thrown) {
      onFailure(thrown);
    } finally {
      archive.disabled = false;
    }
    show(known);
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
      onMoved(path, undefined);
    } catch (thrown) {
      onFailure(thrown);
    }
    await refresh();
  };
  const upload = async (files: readonly DroppedFile[]) => {
    for (const [index, { path, file }] of files.entries()) {
      status.textContent = `Uploading ${plain(path)} (${index + 1} of ${files.length}) …`;
      try {
        await sandbox.files.upload(path, file);
      } catch (thrown) {
        onFailure(new Error(`${plain(path)}: ${messageOf(thrown)}`));
        if (files.length > 1) break;
      }
    }
    if (files.length > 0) announce(`Uploaded: ${countText(files.length, "file")}`);
    await refresh();
  };

  input.addEventListener("change", () => {
    const files = [...input.files ?? []].map((file) => ({ path: file.name, file }));
    input.value = "";
    void upload(files);
  });
  acceptDrops(element, (transfer) => {
    void droppedFiles(transfer).then(upload, onFailure);
  });
  return { element, refresh };
}

function isFile({ type }: FileInfo): boolean {
  return type === "file";
}

function acceptDrops(element: HTMLElement, onDrop: (transfer: DataTransfer) => void): void {
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
    if (event.dataTransfer !== null) onDrop(event.dataTransfer);
  });
}
