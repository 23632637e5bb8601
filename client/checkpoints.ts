/**
 * Checkpoints of a sandbox (docs/contract.md#checkpoints).
 *
 * @module
 */
import { type Call, type Endpoint, makeCall } from "./call.ts";
import { validationFailed } from "./errors.ts";
import type { JsonShape } from "./json_shape.ts";
import { CHECKPOINTS_PATH } from "./protocol/paths.ts";
import type { RequestOptions } from "./request_options.ts";
import { checkpointSegment } from "./validation.ts";

/** A saved state of a sandbox: its contexts, files and variables. */
export interface Checkpoint {
  /** Chosen by the sandbox. */
  readonly id: string;
  /** Its name, or null. */
  readonly name: string | null;
  /** The time of its creation. */
  readonly createdAt: Date;
}

/** Options of a new checkpoint. */
export interface CreateCheckpointOptions extends RequestOptions {
  /** 1 to 128 characters. @default {no name} */
  readonly name?: string | undefined;
}

/**
 * The checkpoints of a sandbox.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.files.write("notes.txt", "first");
 * const { id } = await sandbox.checkpoints.create({ name: "before the change" });
 * await sandbox.files.write("notes.txt", "second");
 * await sandbox.checkpoints.restore(id);
 * console.assert(await sandbox.files.read("notes.txt") === "first");
 * ```
 */
export interface Checkpoints {
  /**
   * Saves the sandbox as of its last commits. Memory is shared, not copied.
   *
   * Rejects with a `SandboxError`: `CONFLICT` for a seventeenth checkpoint, `NO_SPACE`.
   */
  create(options?: CreateCheckpointOptions): Promise<Checkpoint>;

  /** All checkpoints, oldest first. */
  list(options?: RequestOptions): Promise<Checkpoint[]>;

  /**
   * Restores the sandbox to a checkpoint, in one step. Newer contexts are deleted, deleted ones
   * return with their ids, and runs in progress end with `CONFLICT`. The checkpoint stays.
   *
   * Rejects with a `SandboxError`: `CHECKPOINT_NOT_FOUND`.
   */
  restore(id: string, options?: RequestOptions): Promise<void>;

  /** Deletes a checkpoint. Rejects with a `SandboxError`: `CHECKPOINT_NOT_FOUND`. */
  delete(id: string, options?: RequestOptions): Promise<void>;
}

/** The checkpoints of the sandbox at an endpoint. */
export function createCheckpoints(endpoint: Endpoint): Checkpoints {
  return {
    create: async (options = {}) => await makeCall(endpoint, creation(options), options),
    list: async (options) => await makeCall(endpoint, listing(), options),
    restore: async (id, options) => await makeCall(endpoint, restoring(id), options),
    delete: async (id, options) => await makeCall(endpoint, deletion(id), options),
  };
}

function creation({ name }: CreateCheckpointOptions): Call<Checkpoint> {
  if (name !== undefined && typeof name !== "string") {
    throw validationFailed("name must be a string");
  }
  const body = name === undefined ? {} : { name };
  return { method: "POST", path: CHECKPOINTS_PATH, body, status: 201, read: readCheckpoint };
}

function listing(): Call<Checkpoint[]> {
  return {
    method: "GET",
    path: CHECKPOINTS_PATH,
    status: 200,
    read: (body) => body.list("checkpoints", readCheckpoint),
  };
}

function restoring(id: string): Call<void> {
  const path = `${CHECKPOINTS_PATH}/${checkpointSegment(id)}/restore`;
  return { method: "POST", path, status: 200, read: () => undefined };
}

function deletion(id: string): Call<void> {
  const path = `${CHECKPOINTS_PATH}/${checkpointSegment(id)}`;
  return { method: "DELETE", path, status: 200, read: () => undefined };
}

function readCheckpoint(body: JsonShape): Checkpoint {
  return {
    id: body.string("id"),
    name: body.nullable("name", (key) => body.string(key)),
    createdAt: body.date("createdAt"),
  };
}
