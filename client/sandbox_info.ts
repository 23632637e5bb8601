/**
 * What a sandbox tells of itself.
 *
 * @module
 */
import { type CodeContext, readCodeContext } from "./code_context.ts";
import type { JsonShape } from "./json_shape.ts";

/** What a sandbox tells of itself. Asking makes none: one that was never used is shown empty. */
export interface SandboxInfo {
  /** The name it is found by. */
  readonly id: string;
  /** When it was made; null when it does not exist. */
  readonly createdAt: Date | null;
  /** When it was last used; null when it does not exist. */
  readonly lastUsed: Date | null;
  /** Names of its variables; values are never shown. */
  readonly envVars: readonly string[];
  /** Its contexts. */
  readonly contexts: readonly ContextInfo[];
  /** How much is in `/workspace`. */
  readonly workspace: WorkspaceUse;
  /** When it will be deleted if nobody uses it, in epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** A context, and what it has done. */
export interface ContextInfo extends CodeContext {
  /** Name and version of the engine. */
  readonly engine: string;
  /** Its runs so far. */
  readonly executions: number;
  /** What is kept of its memory; null when nothing is yet. */
  readonly snapshot: SnapshotInfo | null;
}

/** What is kept of a context's memory. */
export interface SnapshotInfo {
  /** Names the build of the engine and its image. */
  readonly build: string;
  /** Pages of 4 KiB that differ from the image. */
  readonly pages: number;
  /** Their length in bytes. */
  readonly bytes: number;
  /** Length of what is stored of them, in bytes. */
  readonly storedBytes: number;
  /** When it was taken, in epoch milliseconds. */
  readonly takenAt: number;
}

/** How much is in `/workspace`. */
export interface WorkspaceUse {
  /** Number of files. */
  readonly files: number;
  /** Their length together, in bytes. */
  readonly bytes: number;
}

/** Reads what a sandbox tells of itself. */
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
