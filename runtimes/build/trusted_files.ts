/**
 * Decides which files on disk are trusted: those that only this process's user and root can have
 * written. A user who writes a built engine or the isolate program controls every run.
 *
 * It checks the owner of the folder and of the files in it, and that neither group nor others may
 * write. It does not check the folders above: a user who replaces the folder owns the new one,
 * which is refused. Where a system has no owners (Windows), it only refuses links.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { RuntimesRefused } from "../../wire/binding.ts";

/** Permission bits: group and others may write. */
const OTHERS_WRITE = 0o022;
const ROOT = 0;

function refuse(path: string, what: string): never {
  throw new RuntimesRefused(
    `CACHE_DIR: ${path} ${what}; remove it, or name another folder, and build again`,
  );
}

/** The reason why another user may have written a file or folder, if there is one. */
function doubtOf({ uid, mode }: Deno.FileInfo): string | undefined {
  const user = Deno.uid();
  if (user === null || uid === null || mode === null) return undefined;
  if (uid !== user && uid !== ROOT) return `belongs to another user (${uid})`;
  if ((mode & OTHERS_WRITE) === 0) return undefined;
  return `can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
}

/** Checks an existing folder; a link counts as its target. Throws a RuntimesRefused. */
export async function checkFolder(path: string): Promise<void> {
  const found = await Deno.stat(path);
  if (!found.isDirectory) refuse(path, "is not a folder");
  const doubt = doubtOf(found);
  if (doubt !== undefined) refuse(path, doubt);
}

/** Checks an existing file, which must not be a link. Throws a RuntimesRefused. */
export async function checkFile(path: string): Promise<void> {
  const found = await Deno.lstat(path);
  if (!found.isFile) refuse(path, found.isSymlink ? "is a link" : "is not a file");
  const doubt = doubtOf(found);
  if (doubt !== undefined) refuse(path, doubt);
}

/** SHA-256 of a file in hexadecimal digits. It never holds the whole file in memory. */
export async function fileDigest(path: string): Promise<string> {
  using file = await Deno.open(path);
  const hash = createHash("sha256");
  const buffer = new Uint8Array(1 << 20);
  for (let count = await file.read(buffer); count !== null; count = await file.read(buffer)) {
    hash.update(buffer.subarray(0, count));
  }
  return hash.digest("hex");
}
