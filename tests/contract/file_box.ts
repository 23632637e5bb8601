/**
 * One sandbox, by the bytes of its files.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import type { ErrorResponse } from "../../client/protocol/types.ts";
import type { SandboxTarget } from "./sandbox_target.ts";
import { jsonPost } from "../support/json_post.ts";

/** The hash of bytes, as a tag. */
export function tagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("hex")}"`;
}

/** The sandbox. Paths in requests are encoded already. */
export class FileBox {
  readonly #target: SandboxTarget;
  readonly id: string;

  constructor(target: SandboxTarget) {
    this.#target = target;
    this.id = target.sandbox().id;
  }

  /** Sends a request. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const all = `/languages/python/sandboxes/${this.id}/files/${path}`;
    return await this.#target.call(all, { method, ...init });
  }

  /** Stores a file, which must succeed. */
  async store(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<void> {
    const status = await this.status("PUT", path, headers, body);
    assert(status === 201 || status === 204, `PUT ${path}: ${status}`);
  }

  /** Sends the bytes of a file. */
  async put(
    path: string,
    body: BodyInit | null,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return await this.send("PUT", path, { body, headers });
  }

  /** Sends a request whose answer has no body; gives the status. */
  async status(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body: BodyInit | null = null,
  ): Promise<number> {
    const answer = await this.send(method, path, { headers, body });
    await answer.body?.cancel();
    return answer.status;
  }

  /** Reads a file. */
  async bytes(path: string): Promise<Uint8Array> {
    const answer = await this.send("GET", path);
    assertEquals(answer.status, 200, path);
    return await answer.bytes();
  }

  /** A request that must fail; gives the error. */
  async fails(
    [status, code]: readonly [number, string],
    method: string,
    path: string,
    init: RequestInit = {},
  ): Promise<ErrorResponse> {
    const answer = await this.send(method, path, init);
    const text = await answer.text();
    assertEquals(answer.status, status, `${method} ${path}: ${text}`);
    const error: ErrorResponse = JSON.parse(text);
    assertEquals([error.code, error.httpStatus], [code, status], text);
    return error;
  }

  /** An operation of `POST /files`. */
  async operate(op: string, path: string, fields: Record<string, unknown> = {}) {
    const answer = await this.#target.call(
      `/languages/python/sandboxes/${this.id}/files`,
      jsonPost({ op, path, ...fields }),
    );
    return { status: answer.status, body: await answer.json() };
  }

  /** All files and directories with their sizes. */
  async listed(): Promise<readonly string[]> {
    const { body } = await this.operate("list", ".", { recursive: true, includeHidden: true });
    return body.files.map((file: { type: string; relativePath: string; size: number }) =>
      `${file.type} ${file.relativePath} ${file.size}`
    );
  }
}
