/**
 * `fs.promises`.
 *
 * @module
 */
import { ArrayBufferIsView, ReflectApply } from "../../primordials.ts";
import { setName } from "../../web/expose.ts";
import { type Options, toFlags, toNewMode, toOptions, toPath } from "./arguments.ts";
import { FS_CONSTANTS } from "./constants.ts";
import { FileHandle, type HandleParts } from "./file_handle.ts";

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** The functions that only wrap the synchronous ones in a promise. */
const PLAIN =
  "access copyFile cp opendir rename truncate rm rmdir mkdir readdir readlink symlink " +
  "lstat stat statfs link unlink chmod lchown chown utimes lutimes realpath mkdtemp";

/** Makes the functions. */
export function createPromises(parts: HandleParts): Readonly<Record<string, unknown>> {
  const { files, tree, deliver } = parts;
  const sync: Readonly<Record<string, unknown>> = { ...files, ...tree };
  const forms: Record<string, unknown> = {};
  for (const name of PLAIN.split(" ")) {
    const run = sync[`${name}Sync`];
    const form = (...args: unknown[]) => deliver(() => ReflectApply(run, undefined, args));
    setName(form, name);
    forms[name] = form;
  }
  return { ...forms, ...createWholeFiles(parts), constants: FS_CONSTANTS };
}

/** A descriptor or path; a handle becomes its descriptor. */
function targetOf(file: unknown): unknown {
  return file instanceof FileHandle ? file.fd : file;
}

function createWholeFiles(parts: HandleParts): Readonly<Record<string, AnyFunction>> {
  const { files, deliver } = parts;

  async function writeParts(file: unknown, data: AnyIterable, options: Options, flag: string) {
    const own = !(file instanceof FileHandle);
    const flags = options.flag ?? flag;
    const fd = own ? files.openSync(file, flags, options.mode) : file.fd;
    try {
      for await (const part of data) files.appendFileSync(fd, part, options.encoding);
    } finally {
      if (own) files.closeSync(fd);
    }
  }

  return {
    open: (path: unknown, flags?: unknown, mode?: unknown) =>
      deliver(() => {
        const request = [toPath(path), toFlags(flags, "r"), mode] as const;
        toNewMode(mode);
        return new FileHandle(parts, files.openSync(...request));
      }),
    readFile: (file: unknown, options?: unknown) =>
      deliver(() => files.readFileSync(targetOf(file), options)),
    writeFile: (file: unknown, data: unknown, options?: unknown) =>
      isIterable(data)
        ? writeParts(file, data, toOptions(options), "w")
        : deliver(() => files.writeFileSync(targetOf(file), data, options)),
    appendFile: (file: unknown, data: unknown, options?: unknown) =>
      deliver(() => files.appendFileSync(targetOf(file), data, options)),
    watch: (path: unknown) => parts.watch(path),
  };
}

type AnyIterable = AsyncIterable<unknown> | Iterable<unknown>;

/** True for data that is written part by part: neither text nor a view of bytes. */
function isIterable(data: unknown): data is AnyIterable {
  return typeof data === "object" && data !== null && !ArrayBufferIsView(data) &&
    (Symbol.asyncIterator in data || Symbol.iterator in data);
}
