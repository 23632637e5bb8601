/**
 * Reads the operator's folders of packages for JavaScript, Perl and Ruby, within limits that are
 * checked before anything is read.
 *
 * @module
 */
import { RuntimesRefused } from "../../shared/binding.ts";
import {
  DAMAGED_PACKAGES_LOCK,
  fileRefusal,
  type PackageFile,
  PACKAGES_LIMITS,
  PACKAGES_LOCK,
  type PackagesLock,
  parsePackagesLock,
} from "./packages_lock.ts";

/** A file of a folder, not read yet. */
export interface FoundFile {
  /** Path in the folder. */
  readonly file: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Limits of a folder. */
export interface FolderLimits {
  readonly files: number;
  readonly bytes: number;
}

const MIB = 1024 * 1024;
/** Deeper folders are refused. */
const MAX_DEPTH = 32;

/**
 * The files below a folder, sorted by path. Names that begin with a dot are left out. A link counts
 * as the file or folder that it leads to. Throws {@link RuntimesRefused}, with `variable` first.
 */
export async function findFiles(
  folder: string,
  variable: string,
  limits: FolderLimits,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  let bytes = 0;
  const visit = async (path: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH) {
      throw new RuntimesRefused(`${variable}: ${path} is more than ${MAX_DEPTH} folders deep`);
    }
    for await (const { name } of Deno.readDir(`${folder}/${path}`)) {
      if (name.startsWith(".")) continue;
      const file = path === "" ? name : `${path}/${name}`;
      const { isDirectory, isFile, size } = await Deno.stat(`${folder}/${file}`);
      if (isDirectory) await visit(file, depth + 1);
      if (!isFile) continue;
      bytes += size;
      found.push({ file, size });
      if (found.length > limits.files) {
        throw new RuntimesRefused(`${variable}: the folder has more than ${limits.files} files`);
      }
      if (bytes > limits.bytes) {
        throw new RuntimesRefused(
          `${variable}: the files of the folder have more than ${limits.bytes / MIB} MiB`,
        );
      }
    }
  };
  await readable(variable, () => visit("", 0));
  return found.sort((a, b) => a.file < b.file ? -1 : 1);
}

/** Reads files of a folder. Throws {@link RuntimesRefused}. */
export async function readFound(
  folder: string,
  variable: string,
  found: readonly FoundFile[],
): Promise<readonly PackageFile[]> {
  return await readable(variable, async () => {
    const files: PackageFile[] = [];
    for (const { file } of found) {
      files.push({ file, bytes: await Deno.readFile(`${folder}/${file}`) });
    }
    return files;
  });
}

/** Runs `read`. Throws {@link RuntimesRefused} when the folder cannot be read. */
async function readable<T>(variable: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const known = [Deno.errors.NotFound, Deno.errors.NotADirectory, Deno.errors.PermissionDenied];
    if (!known.some((type) => cause instanceof type)) throw cause;
    throw new RuntimesRefused(`${variable} must name a folder that exists and can be read`);
  }
}

/** The npm packages of a folder. */
export interface FoundPackages {
  readonly lock: PackagesLock;
  /** The files that the lock names, which are all files of the folder. */
  readonly files: readonly PackageFile[];
}

/** Reads a folder of npm packages and checks each file. Throws {@link RuntimesRefused}. */
export async function readNpmPackages(folder: string, variable: string): Promise<FoundPackages> {
  const found = await findFiles(folder, variable, PACKAGES_LIMITS);
  const refuse = (reason: string) => new RuntimesRefused(`${variable}: ${reason}`);
  const bundles = found.filter(({ file }) => file !== PACKAGES_LOCK);
  if (bundles.length === found.length) {
    const [first] = found;
    if (first === undefined) return { lock: { version: 1, packages: [] }, files: [] };
    throw refuse(
      `${first.file} is there without ${PACKAGES_LOCK}: deno task packages add makes both`,
    );
  }
  const lock = parsePackagesLock(await Deno.readTextFile(`${folder}/${PACKAGES_LOCK}`));
  if (lock === undefined) throw refuse(DAMAGED_PACKAGES_LOCK);
  const files = await readFound(folder, variable, bundles);
  const byPath = new Map(files.map(({ file, bytes }) => [file, bytes]));
  for (const locked of lock.packages.flatMap((one) => one.files)) {
    const refusal = fileRefusal(locked, byPath.get(locked.file));
    if (refusal !== undefined) throw refuse(refusal);
    byPath.delete(locked.file);
  }
  for (const file of byPath.keys()) {
    throw refuse(
      `${file} is not in ${PACKAGES_LOCK}: remove it, or add its package with deno task packages add`,
    );
  }
  return { lock, files };
}
