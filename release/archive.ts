/**
 * The archive of a release: a gzipped tar whose bytes depend on nothing but the names, the modes and
 * the contents of its entries.
 *
 * @module
 */
import { createTarPacker } from "modern-tar";

/** One entry of an archive. */
export type ArchiveEntry =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "file"; readonly source: URL }
  | { readonly kind: "link"; readonly target: string };

const MODES = { folder: 0o755, program: 0o755, file: 0o644, link: 0o777 } as const;
/** Files that start with these bytes are programs. */
const PROGRAM_START = "#!";

/**
 * Writes an archive.
 *
 * @param entries by path in the archive. Folders are added.
 * @param time of all entries.
 */
export async function writeArchive(
  output: URL,
  entries: ReadonlyMap<string, ArchiveEntry>,
  time: Date,
): Promise<void> {
  const { readable, controller } = createTarPacker();
  const file = await Deno.open(output, { create: true, truncate: true, write: true });
  const written = readable.pipeThrough(new CompressionStream("gzip")).pipeTo(file.writable);
  const pack = async () => {
    const folders = new Set<string>();
    for (const [path, entry] of [...entries].sort(([a], [b]) => a < b ? -1 : 1)) {
      for (const folder of foldersOf(path)) {
        if (folders.has(folder)) continue;
        folders.add(folder);
        await controller.add(header(`${folder}/`, "directory", MODES.folder, time)).close();
      }
      await add(path, entry);
    }
    controller.finalize();
  };
  const add = async (path: string, entry: ArchiveEntry) => {
    if (entry.kind === "link") {
      const fields = { ...header(path, "symlink", MODES.link, time), linkname: entry.target };
      await controller.add(fields).close();
      return;
    }
    const bytes = entry.kind === "bytes" ? entry.bytes : await Deno.readFile(entry.source);
    const start = new TextDecoder().decode(bytes.subarray(0, PROGRAM_START.length));
    const mode = start === PROGRAM_START ? MODES.program : MODES.file;
    const writer = controller.add({ ...header(path, "file", mode, time), size: bytes.length })
      .getWriter();
    await writer.write(bytes);
    await writer.close();
  };
  await Promise.all([written, pack()]);
}

function header(name: string, type: "directory" | "file" | "symlink", mode: number, mtime: Date) {
  // root owns the files wherever root unpacks them, so no service can change its own program
  return { name, type, mode, mtime, size: 0, uid: 0, gid: 0, uname: "root", gname: "root" };
}

/** The folders above a path, the outermost first. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
