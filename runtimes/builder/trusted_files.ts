/**
 * Decides which files on disk are trusted: those that only this process's user and root can have
 * written. A user who writes a built engine or the isolate program controls every run.
 *
 * It checks the owner of the folder and of the files in it, and that neither group nor others may
 * write. Links on the way to the folder are followed once, each with its owner and its place
 * checked, so that all later readings are of one folder. It does not check the other folders above:
 * a user who replaces the folder owns the new one, which is refused. Where a system has no owners
 * (Windows), it only refuses links in the place of files.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { dirname, join, parse, resolve, sep } from "node:path";
import { RuntimesRefused } from "../../shared/binding.ts";

/** Permission bits: group and others may write. */
const OTHERS_WRITE = 0o022;
/** Everybody may write. */
const ALL_WRITE = 0o002;
/** In a folder with this bit, only the owner of an entry can replace it. */
const STICKY = 0o1000;
const ROOT = 0;
/** As many links as Linux follows. */
const MAX_LINKS = 40;

function refuse(path: string, what: string): never {
  throw new RuntimesRefused(
    `CACHE_DIR: ${path} ${what}; remove it, or name another folder, and build again`,
  );
}

/** The reason why another user has made a file, folder or link, if there is one. */
function foreignOwner({ uid }: Deno.FileInfo): string | undefined {
  const user = Deno.uid();
  if (user === null || uid === null || uid === user || uid === ROOT) return undefined;
  return `belongs to another user (${uid})`;
}

/** The reason why another user may have written a file or folder, if there is one. */
function doubtOf(info: Deno.FileInfo): string | undefined {
  const { uid, mode } = info;
  if (Deno.uid() === null || uid === null || mode === null) return undefined;
  const owner = foreignOwner(info);
  if (owner !== undefined) return owner;
  if ((mode & OTHERS_WRITE) === 0) return undefined;
  return `can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
}

/**
 * The absolute path of a folder that may not exist yet, without links. Throws a RuntimesRefused for
 * a link that another user may have made.
 */
export async function withoutLinks(path: string): Promise<string> {
  const start = resolve(path);
  let at = parse(start).root;
  let rest = partsOf(start);
  for (let links = 0; rest.length > 0;) {
    const [part = "", ...others] = rest;
    const next = join(at, part);
    const found = await existing(next);
    if (found === undefined) return join(next, ...others);
    rest = others;
    if (!found.isSymlink) {
      at = next;
      continue;
    }
    if (++links > MAX_LINKS) refuse(next, "is one of too many links");
    await checkLink(next, found);
    const target = resolve(at, await Deno.readLink(next));
    at = parse(target).root;
    rest = [...partsOf(target), ...others];
  }
  return at;
}

function partsOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep).filter((part) => part !== "");
}

async function existing(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return undefined;
    throw thrown;
  }
}

async function checkLink(path: string, link: Deno.FileInfo): Promise<void> {
  const owner = foreignOwner(link);
  if (owner !== undefined) refuse(path, `is a link that ${owner}`);
  const { mode } = await Deno.lstat(dirname(path));
  const isOpen = mode !== null && (mode & ALL_WRITE) !== 0 && (mode & STICKY) === 0;
  if (isOpen) refuse(path, "is a link in a folder that all users can write");
}

/** Checks an existing folder, which must not be a link. Throws a RuntimesRefused. */
export async function checkFolder(path: string): Promise<void> {
  const found = await Deno.lstat(path);
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
