/**
 * `require` and `import`: built-in modules, and the guest's own files under the workspace.
 *
 * @module
 */
import {
  bare,
  defineHidden,
  MapPrototypeGet,
  MapPrototypeHas,
  MapPrototypeSet,
  PromisePrototypeThen,
  ReflectDefineProperty,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} from "../primordials.ts";
import {
  DISPOSE_FUNCTION,
  DYNAMIC_IMPORT_FUNCTION,
  IMPORT_FUNCTION,
  MODULE_THIS_NAME,
  RETURN_NAME,
  SCRIPT_THIS_NAME,
  USE_FUNCTION,
} from "../../host/loader_names.ts";
import { invalidArgument, nodeError } from "../web/node_error.ts";
import type { Resources } from "../resources.ts";
import { absence, missingPackage } from "./absent.ts";
import type { CompileFunction } from "./compile_function.ts";
import { isLiveNamespace } from "./es_module.ts";
import { type LocalFiles, LocalModules } from "./local_files.ts";
import { createNamespace } from "./namespace.ts";
import { installedPackages } from "./packages.ts";
import type { PrepareFile } from "./prepared_file.ts";

const SCHEME = "node:";
const NewPromise = Promise;

/** Built-in modules by name, without `node:`. */
export type BuiltInModules = ReadonlyMap<string, unknown>;

/** Compiles files. */
export interface FileTools {
  readonly prepare: PrepareFile;
  readonly compile: CompileFunction;
}

/** A guest's `require`. */
export interface Require {
  (id: unknown): unknown;
  resolve(id: unknown): string;
  main: unknown;
  cache: object;
}

/** Lists the operator's packages. */
type Installed = () => readonly string[];

/** The message about a module that is not found: why, if it is the name of a package. */
function missing(
  beginning: string,
  id: string,
  path: string | undefined,
  installed: Installed,
): string {
  const isPackage = path === undefined && !StringPrototypeStartsWith(id, SCHEME);
  return absence(id) ?? (isPackage ? missingPackage(beginning, id, installed()) : beginning);
}

/** `path` is where the guest's file would be. */
function notFound(
  id: string,
  from: string,
  path: string | undefined,
  installed: Installed,
): Error {
  const beginning = `Cannot find module '${id}'\nRequire stack:\n- ${from}`;
  const message = missing(beginning, id, path, installed);
  return Object.assign(nodeError(Error, "MODULE_NOT_FOUND", message), { requireStack: [from] });
}

/** The same for `import`. */
function notImported(
  id: string,
  from: string,
  path: string | undefined,
  installed: Installed,
): Error {
  const what = `${path === undefined ? "package" : "module"} '${path ?? id}' imported from ${from}`;
  const message = missing(`Cannot find ${what}`, id, path, installed);
  return nodeError(Error, "ERR_MODULE_NOT_FOUND", message);
}

/** The value that a `return` at the script's top level throws. */
export const RETURNED: object = Object.freeze(bare({}));

/** Defines permanently on `globalThis` what prepared sources use. */
function defineFixed(name: string, value: unknown): void {
  ReflectDefineProperty(
    globalThis,
    name,
    bare({ value, writable: false, enumerable: false, configurable: false }),
  );
}

/** Defines the functions that prepared sources call for resources of their top level. */
export function installResources(resources: Resources): void {
  defineFixed(
    USE_FUNCTION,
    (value: unknown, isAsync: unknown) => resources.use(value, isAsync === true),
  );
  defineFixed(DISPOSE_FUNCTION, () => resources.dispose());
}

/** The loader of one guest. */
export class Loader {
  readonly #builtIns: BuiltInModules;
  readonly #local: LocalModules;
  readonly #installed: Installed;
  readonly #namespaces = new Map<unknown, object>();
  readonly #cache: object = {};

  constructor(builtIns: BuiltInModules, files: LocalFiles, tools: FileTools) {
    const { prepare, compile } = tools;
    this.#builtIns = builtIns;
    this.#installed = () => installedPackages(files);
    this.#local = new LocalModules(files, this.#cache, prepare, {
      require: (from, module) => this.require(from, module),
      module: (path, directory) => ({
        path,
        directory,
        load: (id) => this.import(id, path),
        loadLater: (id) => this.importLater(id, path),
        compile,
      }),
      compile,
    });
  }

  #builtInName(id: string): string | undefined {
    const name = StringPrototypeStartsWith(id, SCHEME) ? StringPrototypeSlice(id, 5) : id;
    return MapPrototypeHas(this.#builtIns, name) ? name : undefined;
  }

  /** The exports of a module; `from` is the importing file. */
  load(id: unknown, from: string): unknown {
    if (typeof id !== "string") throw invalidArgument("id", "of type string", id);
    if (id === "") {
      throw nodeError(
        TypeError,
        "ERR_INVALID_ARG_VALUE",
        "The argument 'id' must be a non-empty string. Received ''",
      );
    }
    const name = this.#builtInName(id);
    if (name !== undefined) return MapPrototypeGet(this.#builtIns, name);
    const path = this.#local.resolve(id, from, "require");
    if (path === undefined) throw notFound(id, from, this.#local.pathOf(id, from), this.#installed);
    return this.#local.load(path, from);
  }

  /** Called when a run begins. */
  beginRun(): void {
    this.#local.beginRun();
  }

  #resolve(id: unknown, from: string): string {
    if (typeof id !== "string") throw invalidArgument("request", "of type string", id);
    if (this.#builtInName(id) !== undefined) return id;
    const path = this.#local.resolve(id, from, "require");
    if (path === undefined) throw notFound(id, from, this.#local.pathOf(id, from), this.#installed);
    return path;
  }

  /** A `require` for the file `from`; `main` is the module of the script. */
  require(from: string, main: unknown): Require {
    const require = (id: unknown) => this.load(id, from);
    return Object.assign(require, {
      resolve: (id: unknown) => this.#resolve(id, from),
      main,
      cache: this.#cache,
    });
  }

  /** The same, or an empty object if there is no such module. */
  importIfAny(id: string, from: string): object {
    const isThere = this.#builtInName(id) !== undefined ||
      this.#local.resolve(id, from, "import") !== undefined;
    return isThere ? this.import(id, from) : {};
  }

  /** The namespace of a module, the same one each time. */
  import(id: unknown, from: string): object {
    const { path, exported } = this.#imported(id, from);
    if (path !== undefined && this.#local.pending(path) !== undefined) {
      throw nodeError(
        Error,
        "ERR_REQUIRE_ASYNC_MODULE",
        `${path} awaits at its top level: load it with \`await import()\``,
      );
    }
    return this.#namespaceOf(exported);
  }

  /** A promise of a module's namespace. */
  importLater(id: unknown, from: string): unknown {
    return new NewPromise((resolve, reject) => {
      try {
        const { path, exported } = this.#imported(id, from);
        const done = () => resolve(this.#namespaceOf(exported));
        const pending = path === undefined ? undefined : this.#local.pending(path);
        if (pending === undefined) done();
        else PromisePrototypeThen(pending, done, reject);
      } catch (error) {
        reject(error);
      }
    });
  }

  /** The exports of a module, and its path if it is one of the guest's files. */
  #imported(value: unknown, from: string): { path: string | undefined; exported: unknown } {
    const id = typeof value === "string" ? value : `${value}`;
    const name = this.#builtInName(id);
    if (name !== undefined) return { path: undefined, exported: this.load(id, from) };
    const path = this.#local.resolve(id, from, "import");
    if (path === undefined) {
      throw notImported(id, from, this.#local.pathOf(id, from), this.#installed);
    }
    return { path, exported: this.#local.load(path, from) };
  }

  #namespaceOf(exported: unknown): object {
    if (typeof exported === "object" && exported !== null && isLiveNamespace(exported)) {
      return exported;
    }
    const known = MapPrototypeGet(this.#namespaces, exported);
    if (typeof known === "object" && known !== null) return known;
    const namespace = createNamespace(exported);
    MapPrototypeSet(this.#namespaces, exported, namespace);
    return namespace;
  }

  /** Defines permanently on `globalThis` the functions that prepared sources call. */
  installImports(from: string): void {
    const sync = (id: unknown, isOptional: unknown) =>
      isOptional === true ? this.importIfAny(`${id}`, from) : this.import(id, from);
    const dynamic = (id: unknown) => this.importLater(id, from);
    defineFixed(IMPORT_FUNCTION, sync);
    defineFixed(DYNAMIC_IMPORT_FUNCTION, dynamic);
  }

  /** Defines the names of Node's module scope: `require`, `module`, `exports`, the file's names. */
  installScope(filename: string, directory: string): void {
    const module = {
      id: ".",
      path: directory,
      exports: {},
      filename,
      loaded: false,
      children: [],
      paths: [],
    };
    const scope = {
      require: this.require(filename, module),
      module,
      exports: module.exports,
      __filename: filename,
      __dirname: directory,
    };
    for (const [name, value] of Object.entries(scope)) defineHidden(globalThis, name, value);
    defineFixed(SCRIPT_THIS_NAME, module.exports);
    defineFixed(MODULE_THIS_NAME, undefined);
    defineFixed(RETURN_NAME, RETURNED);
  }
}
