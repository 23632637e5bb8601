/**
 * Modules in the guest's files: ES modules, CommonJS, JSON and TypeScript. They are found as Node
 * finds them, and also by names without extension.
 *
 * @module
 */
import { PromisePrototypeThen } from "../primordials.ts";
import { nodeError } from "../web/node_error.ts";
import type { CompileFunction } from "./compile_function.ts";
import {
  createLiveNamespace,
  type ModuleScope,
  namespaceOfBundle,
  runModule,
  sealNamespace,
} from "./es_module.ts";
import { ModuleRecords } from "./module_records.ts";
import { type Condition, findPackage, isBundledModule, isOperators } from "./packages.ts";
import type { PreparedFile, PrepareFile } from "./prepared_file.ts";

/** The part of the file system that modules need. Paths are absolute. */
export interface LocalFiles {
  /** The text of a file; undefined when there is no such file. */
  read(path: string): string | undefined;
  isFile(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Names in a directory; none if there is no such directory. */
  names(path: string): readonly string[];
  resolve(...parts: readonly string[]): string;
  dirname(path: string): string;
}

/** The functions that loaded files call. */
export interface FileScopes {
  /** Makes the `require` for a file. */
  require(from: string, main: unknown): unknown;
  /** The function by which a module imports. */
  module(path: string, directory: string): ModuleScope;
  readonly compile: CompileFunction;
}

interface LocalModule {
  readonly id: string;
  readonly filename: string;
  readonly path: string;
  exports: unknown;
  loaded: boolean;
  readonly children: unknown[];
  readonly paths: unknown[];
  /** A promise of the module's end, while it awaits at its top level. */
  pending: unknown;
}

type Body = (
  this: unknown,
  exports: unknown,
  require: unknown,
  module: unknown,
  filename: string,
  dirname: string,
) => unknown;

const EXTENSIONS = [
  ...["", ".js", ".json", ".cjs", ".mjs", ".ts", ".mts"],
  ...["/index.js", "/index.json", "/index.mjs", "/index.ts"],
];
/** Extensions that TypeScript's own compiler would have written. */
const COMPILED = /\.([cm]?)js$/;
const PARAMETERS = ["exports", "require", "module", "__filename", "__dirname"];

function isPath(id: string): boolean {
  return id.startsWith("/") || id.startsWith("./") || id.startsWith("../") || id === "." ||
    id === "..";
}

/** The guest's own modules. */
export class LocalModules {
  readonly #files: LocalFiles;
  readonly #cache: object;
  readonly #scopes: FileScopes;
  readonly #prepare: PrepareFile;
  readonly #records = new ModuleRecords();
  /** Whether files may have changed since they were last checked. */
  #mayBeStale = false;

  constructor(files: LocalFiles, cache: object, prepare: PrepareFile, scopes: FileScopes) {
    this.#files = files;
    this.#cache = cache;
    this.#prepare = prepare;
    this.#scopes = scopes;
  }

  /**
   * Called when a run begins: modules whose files have changed since the previous run are loaded
   * anew.
   */
  beginRun(): void {
    this.#mayBeStale = true;
  }

  /**
   * The path that a specifier in the file `from` refers to; undefined if it is the name of a
   * package.
   */
  pathOf(id: string, from: string): string | undefined {
    const path = id.startsWith("file://") ? id.slice(7) : id;
    return isPath(path) ? this.#files.resolve(this.#files.dirname(from), path) : undefined;
  }

  /** The file that a specifier in the file `from` refers to; undefined if there is none. */
  resolve(id: string, from: string, condition: Condition): string | undefined {
    const base = this.pathOf(id, from);
    if (base !== undefined) return this.#find(base);
    const { read, resolve, dirname, isDirectory } = this.#files;
    const find = (path: string) => this.#find(path);
    return findPackage({ read, resolve, dirname, isDirectory, find }, id, from, condition);
  }

  /** The file that a path refers to. */
  #find(base: string): string | undefined {
    const names = EXTENSIONS.map((extension) => `${base}${extension}`);
    if (COMPILED.test(base)) names.push(base.replace(COMPILED, ".$1ts"));
    return names.find((file) => this.#files.isFile(file));
  }

  /** A promise of a module's end, while it awaits at its top level. */
  pending(path: string): unknown {
    const known: unknown = Reflect.get(this.#cache, path);
    return Reflect.get(Object(known), "pending");
  }

  /** The exports of a file, run once; `from` is the file that asks. */
  load(path: string, from: string): unknown {
    this.#dropStale();
    this.#records.addUse(from, path);
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
      pending: undefined,
    };
    Object.defineProperty(module, "pending", { enumerable: false });
    Reflect.set(this.#cache, path, module);
    if (!isOperators(path)) this.#records.add(path, text); // the operator's never change
    try {
      if (path.endsWith(".json")) module.exports = parseJson(path, text);
      else this.#run(module, this.#prepare(path, text));
      if (isBundledModule(path)) module.exports = namespaceOfBundle(module.exports);
    } catch (error) {
      Reflect.deleteProperty(this.#cache, path);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  #dropStale(): void {
    if (!this.#mayBeStale) return;
    this.#mayBeStale = false;
    const stale = this.#records.takeStale((path) => this.#files.read(path));
    for (const path of stale) Reflect.deleteProperty(this.#cache, path);
  }

  #run(module: LocalModule, file: PreparedFile): void {
    if (file.isModule) {
      module.exports = createLiveNamespace();
      const scope = this.#scopes.module(module.filename, module.path);
      module.pending = runModule(file, Object(module.exports), scope);
      const done = () => {
        sealNamespace(Object(module.exports));
        module.pending = undefined;
      };
      if (module.pending !== undefined) PromisePrototypeThen(module.pending, done, () => {});
      return;
    }
    const body = file.code.startsWith("#!") ? `//${file.code}` : file.code;
    const run = this.#scopes.compile({
      name: module.filename,
      parameters: PARAMETERS,
      body,
      isAsync: false,
    });
    Reflect.apply(run as Body, module.exports, [
      module.exports,
      this.#scopes.require(module.filename, Reflect.get(globalThis, "module")),
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
