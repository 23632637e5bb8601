/**
 * Packages in the guest's `node_modules` folders, found as Node finds them: in the folder of the
 * requesting file and in all folders above it, by the `exports` or the `main` of their
 * `package.json`.
 *
 * @module
 */

/** Whether a package is loaded by `require` or by `import`. */
export type Condition = "import" | "require";

/** The part of the file system that the search for a package needs. Paths are absolute. */
export interface PackageFiles {
  /** The text of a file; undefined when there is no such file. */
  read(path: string): string | undefined;
  resolve(...parts: readonly string[]): string;
  dirname(path: string): string;
  isDirectory(path: string): boolean;
  /** The file that a path without extension refers to. */
  find(path: string): string | undefined;
}

const FOLDER = "node_modules";
/** Where the operator's packages are. */
const OPERATORS = `/${FOLDER}`;
/** How the bundle of an ES module is named there. */
const BUNDLED_MODULE = ".esm.cjs";
/** A package name, with its scope if it has one, and the subpath. */
const SPECIFIER = /^((?:@[^/]+\/)?[^/@.][^/]*)(\/.*)?$/;

interface Manifest {
  readonly main: unknown;
  readonly exports: unknown;
}

function readManifest(text: string | undefined): Manifest | undefined {
  if (text === undefined) return undefined;
  try {
    const { main, exports } = Object(JSON.parse(text));
    return { main, exports };
  } catch {
    return undefined; // treated as absent
  }
}

/** The target in `exports` under a condition; the first match counts. */
function targetOf(target: unknown, condition: Condition): string | undefined {
  if (typeof target === "string") return target.startsWith("./") ? target : undefined;
  if (Array.isArray(target)) {
    return target.map((one) => targetOf(one, condition)).find((one) => one !== undefined);
  }
  if (typeof target !== "object" || target === null) return undefined;
  for (const [name, inner] of Object.entries(target)) {
    if (name !== condition && name !== "node" && name !== "default") continue;
    const found = targetOf(inner, condition);
    if (found !== undefined || inner === null) return found;
  }
  return undefined;
}

/** The file that `exports` names for a subpath, which begins with a dot. */
function exportedFile(exports: unknown, part: string, condition: Condition): string | undefined {
  const isMap = typeof exports === "object" && exports !== null && !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith("."));
  if (!isMap) return part === "." ? targetOf(exports, condition) : undefined;
  const targets = new Map<string, unknown>(Object.entries(exports));
  if (targets.has(part)) return targetOf(targets.get(part), condition);
  const patterns = [...targets.keys()].filter((key) => key.includes("*"))
    .sort((a, b) => b.indexOf("*") - a.indexOf("*"));
  for (const pattern of patterns) {
    const [before = "", after = ""] = pattern.split("*");
    const isLonger = part.length >= pattern.length;
    if (!isLonger || !part.startsWith(before) || !part.endsWith(after)) continue;
    const star = part.slice(before.length, part.length - after.length);
    return targetOf(targets.get(pattern), condition)?.replaceAll("*", () => star);
  }
  return undefined;
}

/** Whether a file belongs to the operator's packages, which no guest can change. */
export function isOperators(path: string): boolean {
  return path.startsWith(`${OPERATORS}/`);
}

/** Whether a file is the bundle of an ES module: CommonJS whose exports are a namespace. */
export function isBundledModule(path: string): boolean {
  return isOperators(path) && path.endsWith(BUNDLED_MODULE);
}

/** Names of the operator's packages. */
export function installedPackages(
  { names }: { readonly names: (path: string) => readonly string[] },
): readonly string[] {
  return names(OPERATORS).flatMap((name) =>
    name.startsWith("@") ? names(`${OPERATORS}/${name}`).map((one) => `${name}/${one}`) : [name]
  );
}

/** The folders to search, nearest first. */
function foldersAbove(files: PackageFiles, from: string): string[] {
  const folders: string[] = [];
  for (let at = files.dirname(from); !folders.includes(at); at = files.dirname(at)) {
    folders.push(at);
  }
  return folders;
}

/** The file that a bare name in the file `from` refers to; undefined if there is none. */
export function findPackage(
  files: PackageFiles,
  id: string,
  from: string,
  condition: Condition,
): string | undefined {
  const match = SPECIFIER.exec(id);
  const name = match?.[1];
  if (name === undefined) return undefined;
  const part = `.${match?.[2] ?? ""}`;
  for (const above of foldersAbove(files, from)) {
    if (!files.isDirectory(files.resolve(above, FOLDER))) continue;
    const folder = files.resolve(above, FOLDER, name);
    const manifest = readManifest(files.read(files.resolve(folder, "package.json")));
    if (manifest?.exports !== undefined && manifest.exports !== null) {
      const file = exportedFile(manifest.exports, part, condition);
      return file === undefined ? undefined : files.find(files.resolve(folder, file));
    }
    const main = part === "." && typeof manifest?.main === "string" ? manifest.main : part;
    const found = files.find(files.resolve(folder, main)) ??
      (part === "." ? files.find(folder) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
