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
  ReflectDefineProperty,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} from "../primordials.ts";
import { invalidArgument, nodeError } from "../web/node_error.ts";
import { ABSENT_MODULES } from "./absent.ts";
import { type LocalFiles, LocalModules } from "./local_files.ts";
import { createNamespace } from "./namespace.ts";

/** Names under which prepared sources call the loader. */
export const IMPORT_NAME = "__belljar_import__";
export const DYNAMIC_IMPORT_NAME = "__belljar_import_async__";
const SCHEME = "node:";
const NewPromise = Promise;

/** Built-in modules by name, without `node:`. */
export type BuiltInModules = ReadonlyMap<string, unknown>;

/** A guest's `require`. */
export interface Require {
  (id: unknown): unknown;
  resolve(id: unknown): string;
  main: unknown;
  cache: object;
}

function notFound(id: string, from: string): Error {
  const bareName = StringPrototypeStartsWith(id, SCHEME) ? StringPrototypeSlice(id, 5) : id;
  const reason = MapPrototypeGet(ABSENT_MODULES, bareName);
  const why = typeof reason === "string" ? `: ${reason}` : `\nRequire stack:\n- ${from}`;
  const error = nodeError(Error, "MODULE_NOT_FOUND", `Cannot find module '${id}'${why}`);
  return Object.assign(error, { requireStack: [from] });
}

/** The loader of one guest. */
export class Loader {
  readonly #builtIns: BuiltInModules;
  readonly #local: LocalModules;
  readonly #namespaces = new Map<unknown, object>();
  readonly #cache: object = {};

  constructor(builtIns: BuiltInModules, files: LocalFiles) {
    this.#builtIns = builtIns;
    this.#local = new LocalModules(
      files,
      this.#cache,
      (from, module) => this.require(from, module),
    );
  }

  #builtInName(id: string): string | undefined {
    const name = StringPrototypeStartsWith(id, SCHEME) ? StringPrototypeSlice(id, 5) : id;
    return MapPrototypeHas(this.#builtIns, name) ? name : undefined;
  }

  /** What a module exports; `from` is the file that asks. */
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
    const path = this.#local.resolve(id, from);
    if (path === undefined) throw notFound(id, from);
    return this.#local.load(path);
  }

  #resolve(id: unknown, from: string): string {
    if (typeof id !== "string") throw invalidArgument("request", "of type string", id);
    if (this.#builtInName(id) !== undefined) return id;
    const path = this.#local.resolve(id, from);
    if (path === undefined) throw notFound(id, from);
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

  /** The namespace of a module, the same one each time. */
  import(id: unknown, from: string): object {
    const exported = this.load(typeof id === "string" ? id : `${id}`, from);
    const known = MapPrototypeGet(this.#namespaces, exported);
    if (typeof known === "object" && known !== null) return known;
    const namespace = createNamespace(exported);
    MapPrototypeSet(this.#namespaces, exported, namespace);
    return namespace;
  }

  /** Puts the functions that prepared sources call on `globalThis`, for good. */
  installImports(from: string): void {
    const sync = (id: unknown) => this.import(id, from);
    const dynamic = (id: unknown) =>
      new NewPromise((resolve, reject) => {
        try {
          resolve(this.import(id, from));
        } catch (error) {
          reject(error);
        }
      });
    for (const [name, value] of [[IMPORT_NAME, sync], [DYNAMIC_IMPORT_NAME, dynamic]] as const) {
      ReflectDefineProperty(
        globalThis,
        name,
        bare({ value, writable: false, enumerable: false, configurable: false }),
      );
    }
  }

  /** Defines what Node's module scope has: `require`, `module`, `exports`, the file's names. */
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
  }
}
