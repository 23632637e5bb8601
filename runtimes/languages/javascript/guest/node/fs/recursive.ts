/**
 * Operations that Node composes of several calls: making, listing and removing whole directories.
 *
 * @module
 */
import { codeOf, type HostFiles, unless } from "./host_files.ts";
import { joinNormal, joinPath, parentPath } from "./paths.ts";
import { type StatReply, typeOfKind } from "./stats.ts";
import { FS_CONSTANTS } from "./constants.ts";

/** The entries of a directory, in order of their names. */
export interface Listing {
  readonly names: string[];
  /** One letter per entry: its kind. */
  readonly kinds: string;
}

/** Lists a directory; `call` is its name in errors. */
export function listDirectory(host: HostFiles, path: string, call = "scandir"): Listing {
  return host.value({ op: "readdir", path, call }) as Listing;
}

/** The result of `lstat`. */
export function statOf(host: HostFiles, path: string, call = "lstat"): StatReply {
  return host.value({ op: "stat", path, call }) as StatReply;
}

/** True if `stat` describes a directory. */
export function isDirectory(stat: StatReply | undefined): boolean {
  return stat !== undefined && (stat.mode & FS_CONSTANTS.S_IFMT) === FS_CONSTANTS.S_IFDIR;
}

/** Makes a directory and its missing parents. Returns the first one made; undefined if none was. */
export function makeDirectories(
  host: HostFiles,
  path: string,
  mode: number | undefined,
  as = path,
): string | undefined {
  try {
    host.value({ op: "mkdir", path, mode, as });
    return path;
  } catch (error) {
    if (codeOf(error) === "EEXIST") {
      if (isDirectory(unless("ENOTDIR", () => statOf(host, path)))) return undefined;
      throw error;
    }
    const above = parentPath(path);
    if (codeOf(error) !== "ENOENT" || above === path) throw error;
    const first = makeDirectories(host, above, mode, as);
    return makeDirectories(host, path, mode, as) === undefined ? first : first ?? path;
  }
}

/** Removes a directory with everything in it. */
export function removeDirectory(host: HostFiles, path: string): void {
  const { names, kinds } = listDirectory(host, path);
  for (let i = 0; i < names.length; i++) {
    const child = joinPath(path, names[i] ?? "");
    if (kinds[i] === "d") removeDirectory(host, child);
    else host.value({ op: "unlink", path: child });
  }
  host.value({ op: "rmdir", path });
}

/** One entry below a directory. */
export interface Found {
  readonly name: string;
  /** The directory that holds it; begins with the requested path. */
  readonly parent: string;
  /** Its path relative to the requested directory. */
  readonly relative: string;
  /** A UV_DIRENT number. */
  readonly type: number;
}

/** The entries of a directory and of all below it, ordered by depth. */
export function listEntries(host: HostFiles, path: string, recursive: boolean): Found[] {
  const found: Found[] = [];
  const waiting = [{ parent: path, relative: "" }];
  for (let i = 0; i < waiting.length; i++) {
    const { parent, relative } = waiting[i] ?? { parent: path, relative: "" };
    const { names, kinds } = listDirectory(host, parent);
    for (let k = 0; k < names.length; k++) {
      const name = names[k] ?? "";
      const below = relative === "" ? name : `${relative}/${name}`;
      found.push({ name, parent, relative: below, type: typeOfKind(kinds[k] ?? "") });
      if (recursive && kinds[k] === "d") {
        waiting.push({ parent: joinNormal(parent, name), relative: below });
      }
    }
  }
  return found;
}
