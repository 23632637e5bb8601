/**
 * The files of a sandbox: the directory tree `/workspace` that its contexts share.
 *
 * Paths are absolute or relative to `/workspace`. A path that leaves it is refused with a
 * `PermissionDeniedError`.
 *
 * @module
 */
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { type Endpoint, makeCall } from "./call.ts";
import { validationFailed } from "./errors.ts";
import { type ByteFiles, createByteFiles } from "./file_bytes.ts";
import { type FileInfo, readFileInfo } from "./file_info.ts";
import type { JsonShape } from "./json_shape.ts";
import { FILES_PATH, WORKSPACE } from "./protocol/paths.ts";
import type { FileOperation } from "./protocol/sandbox_types.ts";
import type { RequestOptions } from "./request_options.ts";
import { checkPath } from "./validation.ts";

/** Options of `files.write` and `files.mkdir`. */
export interface CreatePathOptions extends RequestOptions {
  /**
   * Create missing parent directories; for `mkdir` also accept an existing directory. @default
   * {false}
   */
  readonly recursive?: boolean | undefined;
}

/** Options of `files.delete`. */
export interface DeletePathOptions extends RequestOptions {
  /** Delete a directory with all its contents. @default {false} */
  readonly recursive?: boolean | undefined;
  /** Ignore a path that does not exist. @default {false} */
  readonly force?: boolean | undefined;
}

/** Options of `files.list`. */
export interface ListFilesOptions extends RequestOptions {
  /** Include the contents of subdirectories. @default {false} */
  readonly recursive?: boolean | undefined;
  /** Include entries whose path has a segment that begins with a dot. @default {false} */
  readonly includeHidden?: boolean | undefined;
}

/**
 * The files of a sandbox. A failing call rejects with a `FileSystemError`.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const { files } = sandbox;
 * await files.write("data/numbers.txt", "1 2 3", { recursive: true });
 * await files.rename("data/numbers.txt", "data/list.txt");
 * console.assert(await files.read("data/list.txt") === "1 2 3");
 * console.assert((await files.list("data")).map(({ name }) => name).join() === "list.txt");
 * await files.delete("data", { recursive: true });
 * ```
 */
export interface SandboxFiles extends ByteFiles {
  /** Reads a file as text; invalid UTF-8 becomes U+FFFD. */
  read(path: string, options?: RequestOptions): Promise<string>;
  /** Reads a file as bytes. */
  readBytes(path: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Creates a file or replaces its contents. */
  write(path: string, content: string | Uint8Array, options?: CreatePathOptions): Promise<void>;
  /** Creates a directory. */
  mkdir(path: string, options?: CreatePathOptions): Promise<void>;
  /** Deletes a file, or with `recursive` a directory. */
  delete(path: string, options?: DeletePathOptions): Promise<void>;
  /** Moves a file or directory to another path; replaces a file there. */
  rename(path: string, newPath: string, options?: RequestOptions): Promise<void>;
  /** The same as `rename`. */
  move(path: string, newPath: string, options?: RequestOptions): Promise<void>;
  /** Lists a directory, sorted by path. @default {"/workspace"} for the path. */
  list(path?: string, options?: ListFilesOptions): Promise<FileInfo[]>;
  /** Whether a file or directory exists. */
  exists(path: string, options?: RequestOptions): Promise<boolean>;
  /** Returns information about a file or directory. */
  stat(path: string, options?: RequestOptions): Promise<FileInfo>;
}

/** The files of the sandbox at an endpoint. */
export function createFiles(endpoint: Endpoint): SandboxFiles {
  const call = fileCaller(endpoint);
  return {
    ...createByteFiles(endpoint),
    ...readers(call),
    write: async (path, content, options = {}) => {
      const { recursive } = options;
      await call("write", { path, ...contentOf(content), recursive }, options, nothing);
    },
    mkdir: async (path, options = {}) => {
      await call("mkdir", { path, recursive: options.recursive }, options, nothing);
    },
    delete: async (path, options = {}) => {
      const { recursive, force } = options;
      await call("delete", { path, recursive, force }, options, nothing);
    },
    rename: async (path, newPath, options = {}) => {
      await call("rename", { path, newPath }, options, nothing);
    },
    move: async (path, newPath, options = {}) => {
      await call("move", { path, newPath }, options, nothing);
    },
  };
}

function readers(
  call: FileCall,
): Pick<SandboxFiles, "read" | "readBytes" | "list" | "exists" | "stat"> {
  return {
    read: async (path, options = {}) => {
      const field = (body: JsonShape) => body.string("content");
      return await call("read", { path, encoding: "utf-8" }, options, field);
    },
    readBytes: async (path, options = {}) => {
      const field = (body: JsonShape) => decodeBase64(body.string("content"));
      return await call("read", { path, encoding: "base64" }, options, field);
    },
    list: async (path = WORKSPACE, options = {}) => {
      const { recursive, includeHidden } = options;
      const field = (body: JsonShape) => body.list("files", readFileInfo);
      return await call("list", { path, recursive, includeHidden }, options, field);
    },
    exists: async (path, options = {}) => {
      return await call("exists", { path }, options, (body) => body.boolean("exists"));
    },
    stat: async (path, options = {}) => {
      return await call("stat", { path }, options, (body) => readFileInfo(body.object("file")));
    },
  };
}

interface FileArguments {
  readonly path: string;
  readonly newPath?: string;
  /** Further fields of the body; undefined ones are omitted. */
  readonly [field: string]: string | boolean | undefined;
}

type FileCall = <T>(
  op: FileOperation,
  fields: FileArguments,
  options: RequestOptions,
  read: (body: JsonShape) => T,
) => Promise<T>;

function fileCaller(endpoint: Endpoint): FileCall {
  return async (op, fields, options, read) => {
    checkPath(fields.path);
    if ("newPath" in fields) checkPath(fields.newPath, "newPath");
    const body = { op, ...fields };
    return await makeCall(
      endpoint,
      { method: "POST", path: FILES_PATH, body, status: 200, read },
      options,
    );
  };
}

function contentOf(content: unknown): { readonly content: string; readonly encoding: string } {
  if (typeof content === "string") return { content, encoding: "utf-8" };
  if (content instanceof Uint8Array) return { content: encodeBase64(content), encoding: "base64" };
  throw validationFailed("content must be a string or a Uint8Array");
}

function nothing(): void {}
