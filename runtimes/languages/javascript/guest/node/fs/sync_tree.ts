/**
 * The synchronous functions on names: existence, directories, moving and copying files.
 *
 * @module
 */
import {
  toInteger,
  toMode,
  toNewMode,
  toObjectOptions,
  toOptions,
  toPath,
  toTime,
  utf8Bytes,
} from "./arguments.ts";
import { FS_CONSTANTS } from "./constants.ts";
import { copyTree, nodeSystemError, toCopyOptions } from "./copy_tree.ts";
import type { FsDependencies } from "./dependencies.ts";
import type { Deliver } from "./deliver.ts";
import { Dir } from "./directory.ts";
import { codeOf, type HostFiles, unless } from "./host_files.ts";
import { parentPath, resolvePath } from "./paths.ts";
import {
  isDirectory,
  listDirectory,
  listEntries,
  makeDirectories,
  removeDirectory,
  statOf,
} from "./recursive.ts";
import { BigIntStats, Dirent, type StatReply, Stats } from "./stats.ts";

const { COPYFILE_EXCL } = FS_CONSTANTS;
const SUFFIX_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SUFFIX_LENGTH = 6;

/** Makes the functions. */
export function createSyncTree(host: HostFiles, deps: FsDependencies, deliver: Deliver) {
  /** A name in the requested encoding. */
  function encodeName(name: string, encoding: unknown): unknown {
    return encoding === "buffer" ? deps.buffer(utf8Bytes(name)) : name;
  }

  function statPath(path: unknown, value: unknown, call: string): Stats | BigIntStats | undefined {
    const options = toObjectOptions(value);
    const request = { op: "stat", path: toPath(path), call };
    const run = () => host.value(request) as StatReply;
    const reply = options.throwIfNoEntry === false ? unless("ENOENT", run) : run();
    if (reply === undefined) return undefined;
    return options.bigint === true ? new BigIntStats(reply) : new Stats(reply);
  }

  function setTimes(path: unknown, atime: unknown, mtime: unknown, call: string): void {
    const name = toPath(path);
    toTime(atime);
    host.value({ op: "utimes", path: name, mtimeMs: toTime(mtime), call });
  }

  function owned(path: unknown, call: string): void {
    host.value({ op: "stat", path: toPath(path), call });
  }

  function realpath(path: unknown, options: unknown): unknown {
    const full = resolvePath(toPath(path), host.cwd);
    checkExists(host, full);
    return encodeName(full, toOptions(options).encoding);
  }

  function realpathNative(path: unknown, options?: unknown): unknown {
    const name = toPath(path);
    host.value({ op: "stat", path: name, call: "realpath" });
    return encodeName(resolvePath(name, host.cwd), toOptions(options).encoding);
  }

  function rmSync(path: unknown, value?: unknown): void {
    const name = toPath(path);
    const { force, recursive } = toObjectOptions(value);
    const stat = force === true ? unless("ENOENT", () => statOf(host, name)) : statOf(host, name);
    if (stat === undefined) return;
    if (!isDirectory(stat)) return void host.value({ op: "unlink", path: name });
    if (recursive === true) return removeDirectory(host, name);
    throw nodeSystemError("ERR_FS_EISDIR", "Path is a directory", {
      code: "EISDIR",
      message: "is a directory",
      path: name,
      syscall: "rm",
      errno: 21,
    });
  }

  return {
    rmSync,

    accessSync(path: unknown, mode: unknown = FS_CONSTANTS.F_OK): void {
      host.value({ op: "access", path: toPath(path), mode: toInteger(mode, "mode", 0, 7) });
    },

    existsSync(path: unknown): boolean {
      try {
        return host.value({ op: "exists", path: toPath(path) }) === true;
      } catch (error) {
        if (codeOf(error) !== undefined) return false;
        throw error;
      }
    },

    statSync: (path: unknown, options?: unknown) => statPath(path, options, "stat"),
    lstatSync: (path: unknown, options?: unknown) => statPath(path, options, "lstat"),

    statfsSync(path: unknown, value?: unknown): unknown {
      const reply = host.value({ op: "statfs", path: toPath(path) }) as Record<string, number>;
      const { bsize = 0, blocks = 0, bfree = 0, files = 0, ffree = 0 } = reply;
      const all = { type: 0, bsize, blocks, bfree, bavail: bfree, files, ffree };
      if (toObjectOptions(value).bigint !== true) return all;
      return Object.fromEntries(Object.entries(all).map(([name, n]) => [name, BigInt(n)]));
    },

    readdirSync(path: unknown, value?: unknown): unknown[] {
      const name = toPath(path);
      const { encoding, withFileTypes, recursive } = toOptions(value);
      return listEntries(host, name, recursive === true).map((entry) =>
        withFileTypes === true
          ? new Dirent(encodeName(entry.name, encoding), entry.parent, entry.type)
          : encodeName(entry.relative, encoding)
      );
    },

    opendirSync(path: unknown, options?: unknown): Dir {
      const name = toPath(path);
      toOptions(options);
      return new Dir(name, listDirectory(host, name, "opendir"), deliver);
    },

    mkdirSync(path: unknown, value?: unknown): string | undefined {
      const options = typeof value === "object" && value !== null
        ? toObjectOptions(value)
        : { mode: value, recursive: false };
      const name = toPath(path);
      const mode = toNewMode(options.mode);
      if (options.recursive === true) return makeDirectories(host, name, mode);
      host.value({ op: "mkdir", path: name, mode });
      return undefined;
    },

    mkdtempSync(prefix: unknown, options?: unknown): unknown {
      const start = toPath(prefix, "prefix");
      const { encoding } = toOptions(options);
      for (;;) {
        const path = start + randomSuffix(host);
        const made = unless("EEXIST", () => {
          host.value({ op: "mkdir", path, mode: 0o700, call: "mkdtemp", as: `${start}XXXXXX` });
          return path;
        });
        if (made !== undefined) return encodeName(made, encoding);
      }
    },

    rmdirSync(path: unknown, value?: unknown): void {
      const name = toPath(path);
      if (toObjectOptions(value).recursive !== true) {
        return void host.value({ op: "rmdir", path: name });
      }
      if (isDirectory(statOf(host, name))) removeDirectory(host, name);
      else host.value({ op: "rmdir", path: name });
    },

    unlinkSync(path: unknown): void {
      host.value({ op: "unlink", path: toPath(path) });
    },

    renameSync(from: unknown, to: unknown): void {
      const path = toPath(from, "oldPath");
      host.value({ op: "rename", path, dest: toPath(to, "newPath") });
    },

    copyFileSync(source: unknown, dest: unknown, mode: unknown = 0): void {
      const path = toPath(source, "src");
      const target = toPath(dest, "dest");
      const exclusive = (toInteger(mode ?? 0, "mode", 0, 7) & COPYFILE_EXCL) !== 0;
      host.value({ op: "copyFile", path, dest: target, exclusive });
    },

    cpSync(source: unknown, dest: unknown, options?: unknown): void {
      const path = toPath(source, "src");
      copyTree(host, path, toPath(dest, "dest"), toCopyOptions(toObjectOptions(options)));
    },

    utimesSync: (path: unknown, atime: unknown, mtime: unknown) =>
      setTimes(path, atime, mtime, "utime"),
    lutimesSync: (path: unknown, atime: unknown, mtime: unknown) =>
      setTimes(path, atime, mtime, "lutime"),

    chmodSync(path: unknown, mode: unknown): void {
      host.value({ op: "chmod", path: toPath(path), mode: toMode(mode) });
    },

    chownSync: (path: unknown) => owned(path, "chown"),
    lchownSync: (path: unknown) => owned(path, "lchown"),

    linkSync(existing: unknown, path: unknown): void {
      const from = toPath(existing, "existingPath");
      host.value({ op: "link", path: from, dest: toPath(path, "newPath") });
    },

    symlinkSync(target: unknown, path: unknown): void {
      host.value({ op: "symlink", path: toPath(target, "target"), dest: toPath(path) });
    },

    readlinkSync(path: unknown): unknown {
      return host.value({ op: "readlink", path: toPath(path) });
    },

    realpathSync: Object.assign(
      (path: unknown, options?: unknown) => realpath(path, options),
      { native: realpathNative },
    ),
  };
}

/** Throws as `realpath` does: for the first part of an absolute path that does not exist. */
function checkExists(host: HostFiles, path: string): void {
  if (unless("ENOENT", () => statOf(host, path)) !== undefined) return;
  const above = parentPath(path);
  if (above !== path) checkExists(host, above);
  statOf(host, path);
}

function randomSuffix(host: HostFiles): string {
  const bytes = new Uint8Array(host.random(SUFFIX_LENGTH));
  let suffix = "";
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    suffix += SUFFIX_LETTERS[(bytes[i] ?? 0) % SUFFIX_LETTERS.length];
  }
  return suffix;
}
