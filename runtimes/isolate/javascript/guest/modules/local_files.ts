/**
 * Modules in files of the guest: CommonJS and JSON, found as Node finds them.
 *
 * @module
 */
import { nodeError } from "../web/node_error.ts";

/** What modules need of the file system. Paths are absolute. */
export interface LocalFiles {
  /** The text of a file; undefined when there is no such file. */
  read(path: string): string | undefined;
  resolve(...parts: readonly string[]): string;
  dirname(path: string): string;
}

/** Makes the `require` for a file. */
export type MakeRequire = (from: string, main: unknown) => unknown;

interface LocalModule {
  readonly id: string;
  readonly filename: string;
  readonly path: string;
  exports: unknown;
  loaded: boolean;
  readonly children: unknown[];
  readonly paths: unknown[];
}

type Body = (
  this: unknown,
  exports: unknown,
  require: unknown,
  module: unknown,
  filename: string,
  dirname: string,
) => unknown;

const EXTENSIONS = ["", ".js", ".json", ".cjs", "/index.js", "/index.json"];
const PARAMETERS = ["exports", "require", "module", "__filename", "__dirname"];
const NewFunction = Function;

function isPath(id: string): boolean {
  return id.startsWith("/") || id.startsWith("./") || id.startsWith("../") || id === "." ||
    id === "..";
}

/** The guest's own modules. */
export class LocalModules {
  readonly #files: LocalFiles;
  readonly #cache: object;
  readonly #makeRequire: MakeRequire;

  constructor(files: LocalFiles, cache: object, makeRequire: MakeRequire) {
    this.#files = files;
    this.#cache = cache;
    this.#makeRequire = makeRequire;
  }

  /** The file a specifier means to the file `from`; undefined if there is none. */
  resolve(id: string, from: string): string | undefined {
    const path = id.startsWith("file://") ? id.slice(7) : id;
    if (!isPath(path)) return undefined;
    const base = this.#files.resolve(this.#files.dirname(from), path);
    return EXTENSIONS.map((extension) => `${base}${extension}`)
      .find((file) => this.#files.read(file) !== undefined);
  }

  /** The exports of a file, run once. */
  load(path: string): unknown {
    const known: unknown = Reflect.get(this.#cache, path);
    if (typeof known === "object" && known !== null && "exports" in known) return known.exports;
    const text = this.#files.read(path) ?? "";
    const module: LocalModule = {
      id: path,
      filename: path,
      path: this.#files.dirname(path),
      exports: {},
      loaded: false,
      children: [],
      paths: [],
    };
    Reflect.set(this.#cache, path, module);
    try {
      if (path.endsWith(".json")) module.exports = parseJson(path, text);
      else this.#run(module, text);
    } catch (error) {
      Reflect.deleteProperty(this.#cache, path);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  #run(module: LocalModule, text: string): void {
    const body = text.startsWith("#!") ? `//${text}` : text;
    const run: unknown = Reflect.construct(NewFunction, [...PARAMETERS, `${body}\n`]);
    Reflect.apply(run as Body, module.exports, [
      module.exports,
      this.#makeRequire(module.filename, Reflect.get(globalThis, "module")),
      module,
      module.filename,
      module.path,
    ]);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw nodeError(SyntaxError, "ERR_INVALID_JSON", `${path}: ${reason}`);
  }
}
