/**
 * Paths as text, as `fs` joins and takes them apart.
 *
 * @module
 */
import { StringPrototypeStartsWith } from "../../primordials.ts";

/** Joins a directory and a name, as given: nothing is normalised. */
export function joinPath(directory: string, name: string): string {
  return directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`;
}

/** Joins as `path.join` does where both parts are already normal: `.` is left out. */
export function joinNormal(directory: string, name: string): string {
  return directory === "." || directory === "./" ? name : joinPath(directory, name);
}

/** The path above; the same path where there is none above it. */
export function parentPath(path: string): string {
  const end = path.replace(/\/+$/, "");
  const at = end.lastIndexOf("/");
  if (at < 0) return end === "" ? path : ".";
  return end.slice(0, at).replace(/\/+$/, "") || "/";
}

/** The last part of a path. */
export function baseName(path: string): string {
  const end = path.replace(/\/+$/, "");
  return end.slice(end.lastIndexOf("/") + 1);
}

/** An absolute path without `.`, `..` and doubled slashes, from the text alone. */
export function resolvePath(path: string, cwd: string): string {
  const absolute = StringPrototypeStartsWith(path, "/") ? path : `${cwd}/${path}`;
  const parts: string[] = [];
  for (const part of absolute.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
