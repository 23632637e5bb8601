/**
 * Reads and changes the folder of npm packages. Files are written under temporary names and renamed
 * when they are whole, and the lock last, which is replaced atomically.
 *
 * @module
 */
import { CommandRefused } from "../command/refusal.ts";
import {
  DAMAGED_PACKAGES_LOCK,
  type LockedPackage,
  NO_PACKAGES,
  PACKAGES_LIMITS,
  PACKAGES_LOCK,
  type PackagesLock,
  parsePackagesLock,
  sha256Of,
} from "../packages_lock.ts";
import type { BundledFile } from "./bundler.ts";

/** Locked by the process that changes the folder. The system unlocks it when the process ends. */
const GUARD = ".packages.guard";
const FILE_MODE = 0o644;
const MIB = 1024 * 1024;

/** The lock of a folder, which need not exist. Throws a CommandRefused. */
export async function readPackagesLock(path: string): Promise<PackagesLock> {
  try {
    const lock = parsePackagesLock(await Deno.readTextFile(`${path}/${PACKAGES_LOCK}`));
    if (lock === undefined) throw new CommandRefused(`${path}: ${DAMAGED_PACKAGES_LOCK}`);
    return lock;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return NO_PACKAGES;
    throw refused(path, thrown);
  }
}

/** Whether all files of a package are in a folder as the lock names them. */
export async function isWhole(path: string, { files }: LockedPackage): Promise<boolean> {
  for (const { file, sha256 } of files) {
    const bytes = await Deno.readFile(`${path}/${file}`).catch(() => undefined);
    if (bytes === undefined || sha256Of(bytes) !== sha256) return false;
  }
  return true;
}

/** Why a lock is too large to be used. Throws a CommandRefused. */
function checkSize({ packages }: PackagesLock): void {
  const files = packages.flatMap((one) => one.files);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const refuse = (limit: string) => {
    throw new CommandRefused(`A folder of packages may have ${limit}: nothing was changed`);
  };
  if (packages.length > PACKAGES_LIMITS.packages) refuse(`${PACKAGES_LIMITS.packages} packages`);
  if (files.length > PACKAGES_LIMITS.files) refuse(`${PACKAGES_LIMITS.files} files`);
  if (bytes > PACKAGES_LIMITS.bytes) refuse(`${PACKAGES_LIMITS.bytes / MIB} MiB`);
}

/** A folder that one process changes. */
export class PackageFolder implements Disposable {
  readonly path: string;
  readonly lock: PackagesLock;
  readonly #guard: Deno.FsFile;

  private constructor(path: string, lock: PackagesLock, guard: Deno.FsFile) {
    this.path = path;
    this.lock = lock;
    this.#guard = guard;
  }

  /** Opens a folder for changes and creates it if it is missing. Throws a CommandRefused. */
  static async open(path: string): Promise<PackageFolder> {
    try {
      await Deno.mkdir(path, { recursive: true });
      const guard = await Deno.open(`${path}/${GUARD}`, { create: true, write: true });
      try {
        await guard.lock(true);
        return new PackageFolder(path, await readPackagesLock(path), guard);
      } catch (thrown) {
        guard.close();
        throw thrown;
      }
    } catch (thrown) {
      throw refused(path, thrown);
    }
  }

  /** Makes the folder match a lock; `made` are the files that are new or changed. */
  async commit(lock: PackagesLock, made: readonly BundledFile[]): Promise<void> {
    checkSize(lock);
    try {
      for (const { file, bytes } of made) await this.#write(file, bytes);
      await this.#write(
        PACKAGES_LOCK,
        new TextEncoder().encode(`${JSON.stringify(lock, null, 2)}\n`),
      );
      const kept = new Set(lock.packages.flatMap(({ files }) => files.map(({ file }) => file)));
      for (const { file } of this.lock.packages.flatMap(({ files }) => files)) {
        if (!kept.has(file)) await this.#remove(file);
      }
    } catch (thrown) {
      throw refused(this.path, thrown);
    }
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const path = `${this.path}/${file}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    const draft = `${this.path}/.packages-${crypto.randomUUID()}.part`;
    await Deno.writeFile(draft, bytes, { mode: FILE_MODE });
    await Deno.rename(draft, path);
  }

  /** Removes a file, and the folders that are empty without it. */
  async #remove(file: string): Promise<void> {
    for (let at = file; at !== "."; at = at.includes("/") ? at.replace(/\/[^/]*$/, "") : ".") {
      try {
        await Deno.remove(`${this.path}/${at}`);
      } catch (thrown) {
        const isLeft = at !== file || thrown instanceof Deno.errors.NotFound;
        if (!isLeft) throw thrown;
        if (at !== file) return; // not empty
      }
    }
  }

  /** Unlocks the folder. */
  [Symbol.dispose](): void {
    this.#guard.close();
  }
}

/** Describes a failure of the file system. */
function refused(path: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof CommandRefused) return thrown;
  const code = "code" in thrown ? String(thrown.code) : "";
  const words = FAILURES[code];
  return words === undefined ? thrown : new CommandRefused(`${path} ${words}`, { cause: thrown });
}

const OTHER = "set JAVASCRIPT_PACKAGES to another folder";
const FAILURES: Readonly<Record<string, string>> = {
  ENOSPC: `has no space left: free some, or ${OTHER}`,
  EDQUOT: `is over its quota: free some space, or ${OTHER}`,
  EACCES: `cannot be written: check its owner and mode, or ${OTHER}`,
  EPERM: `cannot be written: check its owner and mode, or ${OTHER}`,
  EROFS: `cannot be written: ${OTHER}`,
  ENOENT: `cannot be made: ${OTHER}`,
  ENOTDIR: `is not a folder: ${OTHER}`,
  EEXIST: `is not a folder: ${OTHER}`,
};
