/**
 * Files that the reader drops, with those in dropped folders.
 *
 * @module
 */

/** A dropped file, and its path below the place where it was dropped. */
export interface DroppedFile {
  readonly path: string;
  readonly file: File;
}

/** Files that one drop gives. */
const MAX_DROPPED = 1_000;

/** The files of a drop. Call it before the first wait of the event's listener. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files].map((file) => ({ path: file.name, file }));
  if (!entries.some((entry) => entry?.isDirectory === true)) return plain;
  const found: DroppedFile[] = [];
  for (const entry of entries) if (entry !== null) await collect(entry, "", found);
  return found;
}

async function collect(
  entry: FileSystemEntry,
  folder: string,
  found: DroppedFile[],
): Promise<void> {
  if (found.length >= MAX_DROPPED) throw new Error(`A drop has at most ${MAX_DROPPED} files.`);
  const path = folder + entry.name;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ path, file });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    // a reader gives a part of a folder each time, and nothing at its end
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject)
      );
      if (part.length === 0) return;
      for (const inner of part) await collect(inner, `${path}/`, found);
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
