/**
 * Paths as text, as `fs` joins and splits them.
 *
 * @module
 */
import { StringPrototypeStartsWith } from "../../primordials.ts";

/** Joins a directory and a name without normalizing them. */
export function joinPath(directory: string, name: string): string {
  return directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`;
}

/** Joins as `path.join` does for parts that are already normal; `.` is dropped. */
export function joinNormal(directory: string, name: string): string {
  return directory === "." || directory === "./" ? name : joinPath(directory, name);
}

/** The parent path; the path itself when it has no parent. */
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

/** Normalizes an absolute path (`.`, `..` and repeated slashes) by its text alone. */
export function resolvePath(path: string, cwd: string): string {
  const absolute = StringPrototypeStartsWith(path, "/") ? path : `${cwd}/${path}`;
  const parts: string[] = [];
  for (const part of absolute.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
