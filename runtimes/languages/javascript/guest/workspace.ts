/**
 * The guest's files for this environment's own use: `require` and `process.chdir`.
 *
 * @module
 */
import type { LocalFiles } from "./modules/local_files.ts";
import type { ChangeDirectory } from "./node/process.ts";
import { SYSTEM_ERRORS } from "./node/system_errors.ts";

/** Codes of files that are not there to be loaded. */
const ABSENT = ["ENOENT", "ENOTDIR", "EISDIR"];
/** The engine's message when memory runs out. */
const OUT_OF_MEMORY = "out of memory";

type Call = (...args: readonly unknown[]) => unknown;

/** The current function of a module; a later replacement by a guest has no effect here. */
function take(module: unknown, name: string): Call {
  const method: unknown = Reflect.get(Object(module), name);
  if (typeof method !== "function") throw new TypeError(`The module has no ${name}`);
  return (...args) => Reflect.apply(method, module, args);
}

/** The error of a file that was not read, if it is more than a missing file. */
function readError(error: unknown, path: string): unknown {
  const { code, message } = Object(error);
  if (ABSENT.includes(code)) return undefined;
  if (error !== null && message !== OUT_OF_MEMORY) return error;
  const text = `ENOMEM: not enough memory, read '${path}'`;
  return Object.assign(new Error(text), { errno: -12, code: "ENOMEM", syscall: "read", path });
}

/** Files for `require`. */
export function createLocalFiles(modules: ReadonlyMap<string, unknown>): LocalFiles {
  const readFile = take(modules.get("fs"), "readFileSync");
  const resolve = take(modules.get("path"), "resolve");
  const dirname = take(modules.get("path"), "dirname");
  const stat = take(modules.get("fs"), "statSync");
  const list = take(modules.get("fs"), "readdirSync");
  const is = (path: string, kind: string): boolean => {
    try {
      const stats = stat(path, { throwIfNoEntry: false });
      return stats !== undefined && take(stats, kind)() === true;
    } catch (error) {
      if (ABSENT.includes(Reflect.get(Object(error), "code"))) return false;
      throw error;
    }
  };
  return {
    read(path) {
      try {
        return String(readFile(path, "utf8"));
      } catch (error) {
        const thrown = readError(error, path);
        if (thrown !== undefined) throw thrown;
        return undefined;
      }
    },
    isFile: (path) => is(path, "isFile"),
    isDirectory: (path) => is(path, "isDirectory"),
    names(path) {
      if (!is(path, "isDirectory")) return [];
      const names = list(path);
      return Array.isArray(names) ? names : [];
    },
    resolve: (...parts) => String(resolve(...parts)),
    dirname: (path) => String(dirname(path)),
  };
}

function changeError(errno: number, cwd: string, path: string): Error {
  const [code, meaning] = SYSTEM_ERRORS.get(errno) ?? ["EIO", "i/o error"];
  const error = new Error(`${code}: ${meaning}, chdir '${cwd}' -> '${path}'`);
  return Object.assign(error, { errno, code, syscall: "chdir", path: cwd, dest: path });
}

/** `process.chdir`: returns the path of a directory, or throws Node's error. */
export function createChangeDirectory(
  modules: ReadonlyMap<string, unknown>,
  cwd: () => string,
): ChangeDirectory {
  const stat = take(modules.get("fs"), "statSync");
  const resolve = take(modules.get("path"), "resolve");
  return (path) => {
    const target = String(resolve(path));
    let stats: unknown;
    try {
      stats = stat(target);
    } catch (error) {
      throw changeError(Number(Reflect.get(Object(error), "errno")), cwd(), path);
    }
    if (take(stats, "isDirectory")() !== true) throw changeError(-20, cwd(), path);
    return target;
  };
}
