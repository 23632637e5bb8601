/**
 * Information about a sandbox.
 *
 * @module
 */
import type { SnapshotInfo } from "./protocol/sandbox_types.ts";
import { type CodeContext, readCodeContext } from "./code_context.ts";
import type { JsonShape } from "./json_shape.ts";

/**
 * Information about a sandbox. Reading it does not create the sandbox: one that was never used is
 * shown as empty.
 */
export interface SandboxInfo {
  /** The name that it is found by. */
  readonly id: string;
  /** When it was created; null when it does not exist. */
  readonly createdAt: Date | null;
  /** When it was last used; null when it does not exist. */
  readonly lastUsed: Date | null;
  /** Names of its variables; values are never shown. */
  readonly envVars: readonly string[];
  /** Its contexts. */
  readonly contexts: readonly ContextInfo[];
  /** The size of `/workspace`. */
  readonly workspace: WorkspaceUse;
  /** When it is deleted unless it is used before, in epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** A context and its state. */
export interface ContextInfo extends CodeContext {
  /** Name and version of the engine. */
  readonly engine: string;
  /** Its runs so far. */
  readonly executions: number;
  /** Its stored memory snapshot; null when there is none yet. */
  readonly snapshot: SnapshotInfo | null;
}

/** The size of `/workspace`. */
export interface WorkspaceUse {
  /** Number of files. */
  readonly files: number;
  /** Their total length, in bytes. */
  readonly bytes: number;
}

/** Reads information about a sandbox. */
export function readSandboxInfo(body: JsonShape): SandboxInfo {
  const workspace = body.object("workspace");
  return {
    id: body.string("id"),
    createdAt: body.nullable("createdAt", (key) => body.date(key)),
    lastUsed: body.nullable("lastUsed", (key) => body.date(key)),
    envVars: body.strings("envVars"),
    contexts: body.list("contexts", readContextInfo),
    workspace: { files: workspace.number("files"), bytes: workspace.number("bytes") },
    expiresAt: body.nullable("expiresAt", (key) => body.number(key)),
  };
}

function readContextInfo(context: JsonShape): ContextInfo {
  return {
    ...readCodeContext(context),
    engine: context.string("engine"),
    executions: context.number("executions"),
    snapshot: context.nullable("snapshot", (key) => readSnapshot(context.object(key))),
  };
}

function readSnapshot(snapshot: JsonShape): SnapshotInfo {
  return {
    build: snapshot.string("build"),
    pages: snapshot.number("pages"),
    bytes: snapshot.number("bytes"),
    storedBytes: snapshot.number("storedBytes"),
    takenAt: snapshot.number("takenAt"),
  };
}
