/**
 * Unpacks the tarball of a package in memory, within limits, and writes it below a folder.
 *
 * @module
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { unpackTar } from "modern-tar";
import { CommandRefused } from "../command/refusal.ts";

const MIB = 1024 * 1024;
/** Limits of one tarball: bytes when it is decompressed, and entries. */
const TARBALL_LIMITS = { bytes: 256 * MIB, entries: 50_000 } as const;
const MAX_PATH = 1_024;
/** Entries of a tarball that are no files and carry nothing. */
const IGNORED = new Set(["directory", "pax-header", "pax-global-header"]);

const expand = promisify(gunzip);

/** A file of a package. */
export interface TarballFile {
  /** Path in the package. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files of a tarball. Throws a CommandRefused that begins with `label`. */
export async function readTarball(
  bytes: Uint8Array<ArrayBuffer>,
  label: string,
  limits: { readonly bytes: number; readonly entries: number } = TARBALL_LIMITS,
): Promise<readonly TarballFile[]> {
  const refuse = (reason: string) => new CommandRefused(`${label}: the tarball ${reason}`);
  let archive: Uint8Array<ArrayBuffer>;
  try {
    archive = new Uint8Array(await expand(bytes, { maxOutputLength: limits.bytes }));
  } catch (thrown) {
    const isLarge = Object(thrown).code === "ERR_BUFFER_TOO_LARGE";
    throw refuse(isLarge ? `has more than ${limits.bytes / MIB} MiB unpacked` : "is damaged");
  }
  const entries = await unpackTar(archive, { strict: true }).catch(() => {
    throw refuse("is damaged");
  });
  if (entries.length > limits.entries) throw refuse(`has more than ${limits.entries} entries`);
  const files = new Map<string, Uint8Array>();
  for (const { header: { name, type }, data } of entries) {
    if (type !== undefined && IGNORED.has(type)) continue;
    const shown = JSON.stringify(name.slice(0, MAX_PATH));
    if (type !== "file") throw refuse(`has an entry ${shown} that is no file but a ${type}`);
    const path = pathIn(name);
    if (path === undefined) throw refuse(`has an entry ${shown} that leads out of its folder`);
    files.set(path, data ?? new Uint8Array());
  }
  const folders = new Set([...files.keys()].flatMap(foldersOf));
  const both = [...files.keys()].find((path) => folders.has(path));
  if (both !== undefined) throw refuse(`has ${JSON.stringify(both)} as a file and as a folder`);
  return [...files].map(([path, data]) => ({ path, bytes: data }));
}

/** All folders above a file: `a` and `a/b` of `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

/** The path without its first folder, as npm unpacks it; undefined if it leads elsewhere. */
function pathIn(name: string): string | undefined {
  const parts = name.split("/").filter((part) => part !== "." && part !== "");
  const isPlain = !name.startsWith("/") && name.length <= MAX_PATH && !/[\\\0]/.test(name) &&
    !parts.includes("..") && !/^[A-Za-z]:/.test(name);
  const path = parts.slice(1).join("/");
  return isPlain && path !== "" ? path : undefined;
}

/** Writes files below a folder, which must be new. */
export async function writeFiles(folder: string, files: readonly TarballFile[]): Promise<void> {
  const folders = new Set<string>();
  for (const { path, bytes } of files) {
    const place = `${folder}/${path}`;
    const parent = place.slice(0, place.lastIndexOf("/"));
    if (!folders.has(parent)) await Deno.mkdir(parent, { recursive: true });
    folders.add(parent);
    await Deno.writeFile(place, bytes);
  }
}
