/**
 * `cp`: copies of files and of whole directories, with Node's rules and errors.
 *
 * @module
 */
import type { Options } from "./arguments.ts";
import { type HostFiles, unless } from "./host_files.ts";
import { baseName, joinPath, parentPath, resolvePath } from "./paths.ts";
import { isDirectory, listDirectory, makeDirectories, statOf } from "./recursive.ts";
import type { StatReply } from "./stats.ts";

/** A `SystemError` that Node itself creates, in the shape of a system call's error. */
export function nodeSystemError(code: string, prefix: string, info: SystemErrorInfo): Error {
  const { syscall, errno, path } = info;
  const text = `${prefix}: ${syscall} returned ${info.code} (${info.message}) ${path}`;
  const error = Object.assign(new Error(text), { code, info, errno, syscall, path });
  Object.defineProperty(error, "name", {
    value: "SystemError",
    configurable: true,
    writable: true,
  });
  return error;
}

/** The `info` of a `SystemError`. */
export interface SystemErrorInfo {
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly syscall: string;
  readonly errno: number;
}

function refuse(
  code: string,
  prefix: string,
  [name, errno]: readonly [name: string, number: number],
  message: string,
  path: string,
): Error {
  return nodeSystemError(code, prefix, { message, path, syscall: "cp", errno, code: name });
}

const EINVAL = ["EINVAL", 22] as const;
const EISDIR = ["EISDIR", 21] as const;
const ENOTDIR = ["ENOTDIR", 20] as const;
const EEXIST = ["EEXIST", 17] as const;

/** The parsed options of `cp`. */
export interface CopyOptions {
  readonly recursive: boolean;
  readonly force: boolean;
  readonly errorOnExist: boolean;
  readonly preserveTimestamps: boolean;
  readonly mode: number;
  readonly filter: ((source: string, dest: string) => unknown) | undefined;
}

/** Reads the options of `cp`. */
export function toCopyOptions(options: Options): CopyOptions {
  const { filter } = options;
  return {
    recursive: options.recursive === true,
    force: options.force !== false,
    errorOnExist: options.errorOnExist === true,
    preserveTimestamps: options.preserveTimestamps === true,
    mode: typeof options.mode === "number" ? options.mode : 0,
    filter: typeof filter === "function" ? (source, dest) => filter(source, dest) : undefined,
  };
}

/** Copies a file or a directory. */
export function copyTree(
  host: HostFiles,
  source: string,
  dest: string,
  options: CopyOptions,
): void {
  if (options.filter !== undefined && !options.filter(source, dest)) return;
  const from = statOf(host, source);
  const to = unless("ENOENT", () => statOf(host, dest));
  checkPair(host, source, from, dest, to);
  makeDirectories(host, parentPath(dest), undefined);
  copyEntry(host, source, from, dest, to, options);
}

function checkPair(
  host: HostFiles,
  source: string,
  from: StatReply,
  dest: string,
  to: StatReply | undefined,
): void {
  const invalid = (message: string) =>
    refuse("ERR_FS_CP_EINVAL", "Invalid src or dest", EINVAL, message, dest);
  if (to !== undefined) {
    if (to.ino === from.ino) throw invalid("src and dest cannot be the same");
    if (isDirectory(from) && !isDirectory(to)) {
      const message = `cannot overwrite non-directory ${dest} with directory ${source}`;
      const prefix = "Cannot overwrite non-directory with directory";
      throw refuse("ERR_FS_CP_DIR_TO_NON_DIR", prefix, EISDIR, message, dest);
    }
    if (!isDirectory(from) && isDirectory(to)) {
      const message = `cannot overwrite directory ${dest} with non-directory ${source}`;
      const prefix = "Cannot overwrite directory with non-directory";
      throw refuse("ERR_FS_CP_NON_DIR_TO_DIR", prefix, ENOTDIR, message, dest);
    }
  }
  const below = `${resolvePath(source, host.cwd)}/`;
  if (isDirectory(from) && `${resolvePath(dest, host.cwd)}/`.startsWith(below)) {
    throw invalid(`cannot copy ${source} to a subdirectory of self ${dest}`);
  }
}

function copyEntry(
  host: HostFiles,
  source: string,
  from: StatReply,
  dest: string,
  to: StatReply | undefined,
  options: CopyOptions,
): void {
  if (!isDirectory(from)) return copyOneFile(host, source, from, dest, to, options);
  if (!options.recursive) {
    const message = `${source} is a directory (not copied)`;
    throw refuse("ERR_FS_EISDIR", "Path is a directory", EINVAL_AS_EISDIR, message, source);
  }
  if (to === undefined) host.value({ op: "mkdir", path: dest });
  for (const name of listDirectory(host, source).names) {
    const child = joinPath(source, baseName(name));
    const target = joinPath(dest, name);
    if (options.filter !== undefined && !options.filter(child, target)) continue;
    const childStat = statOf(host, child);
    const targetStat = unless("ENOENT", () => statOf(host, target));
    checkPair(host, child, childStat, target, targetStat);
    copyEntry(host, child, childStat, target, targetStat, options);
  }
}

/** Node reports EISDIR here with the number of EINVAL. */
const EINVAL_AS_EISDIR = ["EISDIR", 22] as const;

function copyOneFile(
  host: HostFiles,
  source: string,
  from: StatReply,
  dest: string,
  to: StatReply | undefined,
  options: CopyOptions,
): void {
  if (to !== undefined && !options.force) {
    if (!options.errorOnExist) return;
    const message = `${dest} already exists`;
    throw refuse("ERR_FS_CP_EEXIST", "Target already exists", EEXIST, message, dest);
  }
  host.value({ op: "copyFile", path: source, dest, exclusive: (options.mode & 1) !== 0 });
  if (options.preserveTimestamps) host.value({ op: "utimes", path: dest, mtimeMs: from.mtimeMs });
}
