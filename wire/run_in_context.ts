/**
 * What a sandbox and a runtime say to each other about a code context: the call that runs a
 * program in it, and what comes back (docs/contract.md#running-in-a-context).
 *
 * Everything here is plain data that JSON and byte strings can carry, because a runtime may be
 * on another machine. Maps keyed by user text are objects without a prototype.
 *
 * @module
 */
import type {
  ErrorResponse,
  ExecutionError,
  Logs,
  ResultEntry,
  RunLimits,
  Usage,
} from "../client/protocol/types.ts";
import type { RunTiming } from "./run_timing.ts";

/** The shape of `/workspace`, never its contents (docs/contract.md#workspacemanifest). */
export interface WorkspaceManifest {
  /** Absolute paths of all directories under `/workspace`, which is not named itself. */
  readonly dirs: readonly string[];
  /** Absolute path of every file → `contentHash` of its contents. */
  readonly manifest: { readonly [path: string]: string };
}

/** Arguments of a run in a context. */
export interface ExecuteInContextArgs {
  readonly contextId: string;
  /** Not empty, at most 64 KiB of UTF-8; checked by the sandbox. */
  readonly code: string;
  /** Sandbox, context and call layers, merged. */
  readonly envVars: { readonly [name: string]: string };
  readonly workspace: WorkspaceManifest;
  /** Reference of the state that the sandbox's last commit stands on; null: nothing ran yet. */
  readonly snapshot: string | null;
  /** Fence of the lease under which the sandbox makes this run; grows with each lease. */
  readonly fence: number;
  /** On whose behalf. */
  readonly tenant: string;
  /** What the caller asked for. More than the runtime's own is `VALIDATION_FAILED`. */
  readonly limits?: RunLimits;
  /** Milliseconds that the run may still wait before it begins; as long as any when absent. */
  readonly maxWaitMs?: number;
  /** Fires when the caller has gone, or the sandbox or context was deleted. In-process only. */
  readonly signal?: AbortSignal;
  /**
   * The store that the sandbox commits to. A runtime that keeps its contexts in the very same one
   * may leave its writes to that commit. In-process only.
   */
  readonly store?: object;
}

/** Writes to the store, to become part of a commit. What they are, only the store itself knows. */
export interface StoreWrites {
  /** Tells them from anything else. */
  readonly kind: "store writes";
}

/** A file with its contents. */
export interface WorkspaceFile {
  /** Absolute path under `/workspace`. */
  readonly path: string;
  readonly data: Uint8Array<ArrayBuffer>;
  /** Time of modification, epoch milliseconds. */
  readonly updatedAt: number;
}

/**
 * Gives the contents of files that a manifest names. Called at most once in a run, with exactly
 * the paths that the runtime does not have; a path that is not answered fails the run.
 */
export type GetFiles = (paths: readonly string[]) => Promise<readonly WorkspaceFile[]>;

/** What a run did to `/workspace`. */
export interface WorkspaceDiff {
  /** All directories after the run, absolute, without `/workspace` itself. */
  readonly dirs: readonly string[];
  /** Files created or updated by the run. */
  readonly files: readonly WorkspaceFile[];
  /** Files removed by the run. */
  readonly deleted: readonly string[];
}

/** What is known of a stored memory snapshot (docs/contract.md#snapshotinfo). */
export interface SnapshotInfo {
  /** Names the built engine and image. */
  readonly build: string;
  /** Pages of 4 KiB that differ from the baseline image. */
  readonly pages: number;
  /** Those pages in bytes. */
  readonly bytes: number;
  /** Bytes kept in the store for it. */
  readonly storedBytes: number;
  /** Epoch milliseconds. */
  readonly takenAt: number;
}

/** The interpreter's view of the context after a run. */
export interface InterpreterContext {
  readonly id: string;
  /** Absolute, an existing directory under `/workspace`, or `/workspace`. */
  readonly cwd: string;
  readonly executions: number;
  /**
   * Milliseconds it took to capture the snapshot, and to write it unless that is left to the
   * sandbox's commit; absent when there is none.
   */
  readonly snapshotMs?: number;
  readonly snapshot: SnapshotInfo | null;
  /** True when a limit (but that of the result) or a crash put globals, files and cwd back. */
  readonly rolledBack?: boolean;
}

/** What came of a run in a context. */
export interface InterpreterExecuteResponse {
  readonly code: string;
  readonly language: string;
  readonly engine: string;
  readonly durationMs: number;
  readonly logs: Logs;
  readonly results: readonly ResultEntry[];
  readonly error?: ExecutionError;
  readonly usage?: Usage;
  /** Absent from a runtime that does not tell. */
  readonly timing?: RunTiming;
  readonly executionCount: number;
  readonly context: InterpreterContext;
  /** Empty changes, and the directories as they were, when the run was rolled back. */
  readonly workspace: WorkspaceDiff;
  /**
   * Reference of the state after the run, which the sandbox's commit makes current. When the run
   * was rolled back: the reference that was given.
   */
  readonly snapshotRef: string | null;
  /**
   * What makes that reference hold, to be part of the sandbox's commit; absent when all of it is
   * in the store already. Only from a runtime that was given the sandbox's store.
   */
  readonly writes?: StoreWrites;
}

/** Answer of `executeInContext`, which never throws for what an application can cause. */
export type InterpreterExecuteRpcResult =
  | { readonly ok: true; readonly result: InterpreterExecuteResponse }
  | { readonly ok: false; readonly status: number; readonly body: ErrorResponse };
