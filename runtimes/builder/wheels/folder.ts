/**
 * Reads and changes the folder of wheels. A wheel is downloaded under a temporary name and renamed
 * once its hash is checked. The lock is replaced atomically. Files that the lock does not name are
 * never changed.
 *
 * @module
 */
import { isNative, parseWheelName } from "../wheel_name.ts";
import {
  DAMAGED_LOCK,
  type LockedWheel,
  parseWheelsLock,
  WHEELS_LOCK,
  type WheelsLock,
} from "../wheels_lock.ts";
import { fileDigest } from "../trusted_files.ts";
import { CommandRefused } from "../command/refusal.ts";

/** A wheel in the folder. */
export interface FolderFile {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

/** The expected name, size and hash of a wheel. */
export interface ExpectedWheel {
  readonly file: string;
  readonly sha256: string;
}

/** Writes the bytes of a wheel to a new path. */
export type FetchTo = (path: string) => Promise<void>;

/** Locked by the process that changes the folder. The system unlocks it when the process ends. */
const GUARD = ".wheels.guard";
const PART = /^\.wheels-[0-9a-f-]{36}\.part$/;
const FILE_MODE = 0o644;

/** A folder of wheels that one process changes. */
export class WheelFolder {
  readonly path: string;
  /** The lock; undefined if there is none. */
  readonly lock: WheelsLock | undefined;
  /** All files except those of this program, sorted by name. */
  readonly files: readonly FolderFile[];
  readonly #guard: Deno.FsFile;
  /** Downloaded wheels that are not renamed yet: temporary paths by file name. */
  readonly #staged = new Map<string, string>();

  private constructor(
    path: string,
    lock: WheelsLock | undefined,
    files: readonly FolderFile[],
    guard: Deno.FsFile,
  ) {
    this.path = path;
    this.lock = lock;
    this.files = files;
    this.#guard = guard;
  }

  /** Opens a folder for changes and creates it if it is missing. Throws a CommandRefused. */
  static async open(path: string): Promise<WheelFolder> {
    return await told(path, async () => {
      await Deno.mkdir(path, { recursive: true });
      const guard = await Deno.open(`${path}/${GUARD}`, { create: true, write: true });
      try {
        await guard.lock(true);
        for await (const { name } of Deno.readDir(path)) {
          if (PART.test(name)) await Deno.remove(`${path}/${name}`);
        }
        return new WheelFolder(path, await readLock(path), await filesIn(path), guard);
      } catch (thrown) {
        guard.close();
        throw thrown;
      }
    });
  }

  /** The contents of a folder, which is not changed. A missing folder counts as empty. */
  static async look(path: string): Promise<Pick<WheelFolder, "lock" | "files">> {
    try {
      return { lock: await readLock(path), files: await filesIn(path) };
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) return { lock: undefined, files: [] };
      throw refused(path, thrown);
    }
  }

  /** Whether a wheel is in the folder with the expected size and hash. */
  async has({ file, sha256 }: ExpectedWheel): Promise<boolean> {
    if (!this.files.some((found) => found.file === file)) return false;
    return await told(this.path, () => fileDigest(`${this.path}/${file}`)) === sha256;
  }

  /** The path of a wheel. Downloads the wheel if it is missing. */
  async obtain(wheel: ExpectedWheel, fetchTo: FetchTo): Promise<string> {
    const staged = this.#staged.get(wheel.file);
    if (staged !== undefined) return staged;
    if (await this.has(wheel)) return `${this.path}/${wheel.file}`;
    const path = `${this.path}/.wheels-${crypto.randomUUID()}.part`;
    try {
      await told(this.path, () => fetchTo(path));
    } catch (thrown) {
      await removeIfThere(path);
      throw thrown;
    }
    this.#staged.set(wheel.file, path);
    return path;
  }

  /**
   * Makes the folder match a lock. Writes the lock once all of its wheels are in the folder, then
   * removes the wheels that only the earlier lock names.
   */
  async commit(lock: WheelsLock): Promise<void> {
    await told(this.path, async () => {
      for (const { file } of lock.packages) {
        const staged = this.#staged.get(file);
        if (staged === undefined) continue;
        await Deno.chmod(staged, FILE_MODE).catch(ignoreUnsupported);
        await Deno.rename(staged, `${this.path}/${file}`);
        this.#staged.delete(file);
      }
      await this.#writeLock(lock);
      const kept = new Set(lock.packages.map(({ file }) => file));
      for (const { file } of this.lock?.packages ?? []) {
        if (!kept.has(file)) await removeIfThere(`${this.path}/${file}`);
      }
    });
  }

  async #writeLock(lock: WheelsLock): Promise<void> {
    const draft = `${this.path}/.wheels-${crypto.randomUUID()}.part`;
    try {
      await Deno.writeTextFile(draft, `${JSON.stringify(lock, null, 2)}\n`, { mode: FILE_MODE });
      await Deno.rename(draft, `${this.path}/${WHEELS_LOCK}`);
    } catch (thrown) {
      await removeIfThere(draft);
      throw thrown;
    }
  }

  /** Removes downloads that are not used, and unlocks the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of this.#staged.values()) await removeIfThere(path);
    this.#guard.close();
  }
}

/** The files that a lock does not name. */
export function unknownFiles(
  { lock, files }: Pick<WheelFolder, "lock" | "files">,
): readonly FolderFile[] {
  const known = new Set(lock?.packages.map(({ file }) => file));
  return files.filter(({ file }) => !known.has(file));
}

/** `native` or `pure`. */
export function kindOf({ file }: Pick<LockedWheel, "file">): string {
  const wheel = parseWheelName(file);
  return wheel !== undefined && isNative(wheel) ? "native" : "pure";
}

async function readLock(path: string): Promise<WheelsLock | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(`${path}/${WHEELS_LOCK}`);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return undefined;
    throw thrown;
  }
  const lock = parseWheelsLock(text);
  if (lock === undefined) throw new CommandRefused(`${path}: ${DAMAGED_LOCK}`);
  return lock;
}

async function filesIn(path: string): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory || name === GUARD || name === WHEELS_LOCK || PART.test(name)) continue;
    const { size } = await Deno.lstat(`${path}/${name}`);
    files.push({ file: name, size });
  }
  return files.sort((a, b) => a.file < b.file ? -1 : 1);
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
}

/** Windows has no file modes. */
function ignoreUnsupported(thrown: unknown): void {
  if (!(thrown instanceof Deno.errors.NotSupported)) throw thrown;
}

async function told<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw refused(path, thrown);
  }
}

/** Describes a failure of the file system. */
function refused(path: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof CommandRefused) return thrown;
  const code = "code" in thrown ? String(thrown.code) : "";
  const words = FAILURES[code];
  return words === undefined ? thrown : new CommandRefused(`${path} ${words}`, { cause: thrown });
}

const FAILURES: Readonly<Record<string, string>> = {
  ENOSPC: "has no space left: free some, or set PYTHON_WHEELS to a folder on another disk",
  EDQUOT: "is over its quota: free some space, or set PYTHON_WHEELS to another folder",
  EACCES: "cannot be written: check its owner and mode, or set PYTHON_WHEELS to another folder",
  EPERM: "cannot be written: check its owner and mode, or set PYTHON_WHEELS to another folder",
  EROFS: "cannot be written: set PYTHON_WHEELS to a folder that can",
  ENOENT: "cannot be made: set PYTHON_WHEELS to another folder",
  ENOTDIR: "is not a folder: set PYTHON_WHEELS to one",
  EEXIST: "is not a folder: set PYTHON_WHEELS to one",
};
