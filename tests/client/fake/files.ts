/** `/workspace` of a fake sandbox: `POST /files` as decisions about the contract tell it. */
import { Buffer } from "node:buffer";
import type { ErrorCode } from "../../../client/protocol/error_codes.ts";
import type { JsonValue } from "../../../client/protocol/types.ts";
import { type Body, optionalText, text } from "./body.ts";
import { FakeError, refused } from "./errors.ts";

const ROOT = "/workspace";
const MAX_FILE_BYTES = 4 * 1024 * 1024;

interface Node {
  /** Undefined for a directory. */
  readonly bytes: Uint8Array | undefined;
  readonly modifiedAt: string;
}

type Answer = { readonly [key: string]: JsonValue };

export class FakeFiles {
  readonly #nodes = new Map<string, Node>([[ROOT, node(undefined)]]);

  get use(): { files: number; bytes: number } {
    const files = [...this.#nodes.values()].flatMap(({ bytes }) =>
      bytes === undefined ? [] : [bytes]
    );
    return { files: files.length, bytes: files.reduce((sum, { length }) => sum + length, 0) };
  }

  isDirectory(path: string): boolean {
    const found = this.#nodes.get(path);
    return found !== undefined && found.bytes === undefined;
  }

  /** Does one operation; gives the body of the answer. */
  operate(body: Body): Answer {
    const op = text(body, "op");
    const path = resolve(text(body, "path"), op);
    const operation = this.#operations[op];
    if (operation === undefined) throw refused(`Unknown op '${op}'`);
    const timestamp = new Date().toISOString();
    return { success: true, path, timestamp, ...operation(path, body) };
  }

  /** `GET`, `PUT` and `DELETE` of the bytes of a file. */
  async transfer(request: Request, pathname: string): Promise<Response> {
    const sent = pathname.slice("/files/".length).split("/").map(decodeURIComponent).join("/");
    switch (request.method) {
      case "GET":
        return new Response(new Uint8Array(this.#file(resolve(sent, "read"), "read")));
      case "PUT":
        return this.#upload(resolve(sent, "write"), request.headers, await request.bytes());
      case "DELETE":
        this.operate({ op: "delete", path: sent });
        return new Response(null, { status: 204 });
    }
    throw refused("Method not allowed", 405);
  }

  #upload(path: string, headers: Headers, bytes: Uint8Array): Response {
    const isNew = !this.#nodes.has(path);
    if (!isNew && headers.get("if-none-match") === "*") {
      throw new FakeError(
        "PRECONDITION_FAILED",
        "The file does not meet the condition of the request",
      );
    }
    const content = Buffer.from(bytes).toString("base64");
    this.operate({ op: "write", path, content, encoding: "base64", recursive: true });
    return new Response(null, { status: isNew ? 201 : 204 });
  }

  readonly #operations: Readonly<Record<string, (path: string, body: Body) => Answer>> = {
    read: (path, body) => {
      const bytes = this.#file(path, "read");
      const encoding = optionalText(body, "encoding") ?? "utf-8";
      const content = Buffer.from(bytes).toString(encoding === "base64" ? "base64" : "utf8");
      return { content, encoding, isBinary: false, mimeType: "text/plain", size: bytes.length };
    },
    write: (path, body) => {
      this.#makeParent(path, "write", body["recursive"] === true);
      if (this.isDirectory(path)) throw failure("IS_DIRECTORY", "write", path, "EISDIR");
      const encoding = body["encoding"] === "base64" ? "base64" : "utf8";
      const bytes = new Uint8Array(Buffer.from(text(body, "content"), encoding));
      if (bytes.length > MAX_FILE_BYTES) throw failure("FILE_TOO_LARGE", "write", path, "EFBIG");
      this.#nodes.set(path, node(bytes));
      return {};
    },
    mkdir: (path, body) => {
      const recursive = body["recursive"] === true;
      if (this.#nodes.has(path) && !(recursive && this.isDirectory(path))) {
        throw failure("FILE_EXISTS", "mkdir", path, "EEXIST");
      }
      this.#makeParent(path, "mkdir", recursive);
      this.#nodes.set(path, node(undefined));
      return { recursive };
    },
    delete: (path, body) => {
      if (path === ROOT) throw failure("PERMISSION_DENIED", "delete", path, "EACCES");
      if (body["force"] === true && !this.#nodes.has(path)) return {};
      this.#node(path, "delete");
      const recursive = body["recursive"] === true;
      if (this.isDirectory(path) && !recursive) {
        throw failure("IS_DIRECTORY", "delete", path, "EISDIR");
      }
      for (const inside of this.#under(path)) this.#nodes.delete(inside);
      return {};
    },
    rename: (path, body) => this.#move(path, body, "rename"),
    move: (path, body) => this.#move(path, body, "move"),
    list: (path, body) => {
      if (!this.isDirectory(path)) {
        this.#node(path, "list");
        throw failure("NOT_DIRECTORY", "list", path, "ENOTDIR");
      }
      const files = this.#under(path).filter((inside) => {
        const relative = inside.slice(path.length + 1);
        return relative !== "" && (body["recursive"] === true || !relative.includes("/")) &&
          (body["includeHidden"] === true || !/(?:^|\/)\./.test(relative));
      }).sort().map((inside) => this.#info(inside, path));
      return { files, count: files.length };
    },
    exists: (path) => ({ exists: this.#nodes.has(path) }),
    stat: (path) => {
      this.#node(path, "stat");
      return { file: this.#info(path, ROOT) };
    },
  };

  #move(path: string, body: Body, op: string): Answer {
    const newPath = resolve(text(body, "newPath"), op);
    this.#node(path, op);
    this.#makeParent(newPath, op, false);
    for (const inside of this.#under(path)) {
      const moved = this.#nodes.get(inside);
      this.#nodes.delete(inside);
      if (moved !== undefined) this.#nodes.set(newPath + inside.slice(path.length), moved);
    }
    return { newPath };
  }

  #under(path: string): string[] {
    return [...this.#nodes.keys()].filter((other) =>
      other === path || other.startsWith(`${path}/`)
    );
  }

  #node(path: string, op: string): Node {
    const found = this.#nodes.get(path);
    if (found === undefined) throw failure("FILE_NOT_FOUND", op, path, "ENOENT");
    return found;
  }

  #file(path: string, op: string): Uint8Array {
    const { bytes } = this.#node(path, op);
    if (bytes === undefined) throw failure("IS_DIRECTORY", op, path, "EISDIR");
    return bytes;
  }

  #makeParent(path: string, op: string, recursive: boolean): void {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (this.isDirectory(parent) || parent === "") return;
    if (this.#nodes.has(parent)) throw failure("NOT_DIRECTORY", op, path, "ENOTDIR");
    if (!recursive) throw failure("FILE_NOT_FOUND", op, path, "ENOENT");
    this.#makeParent(parent, op, true);
    this.#nodes.set(parent, node(undefined));
  }

  #info(path: string, base: string): JsonValue {
    const { bytes, modifiedAt } = this.#node(path, "stat");
    const file = bytes !== undefined;
    return {
      name: path.slice(path.lastIndexOf("/") + 1),
      absolutePath: path,
      relativePath: path.slice(base.length + 1),
      type: file ? "file" : "directory",
      size: bytes?.length ?? 0,
      modifiedAt,
      mode: file ? "-rw-r--r--" : "drwxr-xr-x",
      permissions: { readable: true, writable: true, executable: !file },
    };
  }
}

function node(bytes: Uint8Array | undefined): Node {
  return { bytes, modifiedAt: new Date().toISOString() };
}

/** The absolute path; what leaves the workspace is refused. */
function resolve(path: string, op: string): string {
  if (path === "") throw refused("path must not be empty");
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${ROOT}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const resolved = `/${parts.join("/")}`;
  if (resolved === ROOT || resolved.startsWith(`${ROOT}/`)) return resolved;
  throw failure("PERMISSION_DENIED", op, path, "EACCES");
}

function failure(code: ErrorCode, op: string, path: string, errno: string): FakeError {
  const operation = `file.${op}`;
  return new FakeError(code, `${errno}: ${path}`, {
    operation,
    context: { path, operation, errno },
  });
}
