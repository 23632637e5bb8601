/**
 * Which files on disk are trusted: those that nobody but this process's user, and root, can have
 * written. Whoever writes a built engine or the isolate program decides what every run does.
 *
 * Checked are the folder and the files in it: owner, and that neither group nor others may write.
 * The folders above are not: who moves the folder away and puts another in its place owns that
 * one, and it is refused. Where a system knows no owners (Windows) only links are refused.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { RuntimesRefused } from "../../wire/binding.ts";

/** May write: group and others. */
const OTHERS_WRITE = 0o022;
const ROOT = 0;

function refuse(path: string, what: string): never {
  throw new RuntimesRefused(
    `CACHE_DIR: ${path} ${what}; remove it, or name another folder, and build again`,
  );
}

/** Why what is at a path could be somebody else's. */
function doubtOf({ uid, mode }: Deno.FileInfo): string | undefined {
  const user = Deno.uid();
  if (user === null || uid === null || mode === null) return undefined;
  if (uid !== user && uid !== ROOT) return `belongs to another user (${uid})`;
  if ((mode & OTHERS_WRITE) === 0) return undefined;
  return `can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
}

/** Checks a folder that exists; a link to one counts as what it leads to. Throws a RuntimesRefused. */
export async function checkFolder(path: string): Promise<void> {
  const found = await Deno.stat(path);
  if (!found.isDirectory) refuse(path, "is no folder");
  const doubt = doubtOf(found);
  if (doubt !== undefined) refuse(path, doubt);
}

/** Checks a file that exists, which must be none by way of a link. Throws a RuntimesRefused. */
export async function checkFile(path: string): Promise<void> {
  const found = await Deno.lstat(path);
  if (!found.isFile) refuse(path, found.isSymlink ? "is a link" : "is no file");
  const doubt = doubtOf(found);
  if (doubt !== undefined) refuse(path, doubt);
}

/** SHA-256 of a file in hexadecimal digits; never all of it is in memory. */
export async function fileDigest(path: string): Promise<string> {
  using file = await Deno.open(path);
  const hash = createHash("sha256");
  const buffer = new Uint8Array(1 << 20);
  for (let count = await file.read(buffer); count !== null; count = await file.read(buffer)) {
    hash.update(buffer.subarray(0, count));
  }
  return hash.digest("hex");
}
