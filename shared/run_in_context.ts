/**
 * The interface between a sandbox and a runtime for a code context: the call that runs a program in
 * it, and its result (docs/contract.md#running-in-a-context).
 *
 * Maps keyed by user text are objects without a prototype.
 *
 * @module
 */
import type {
  ErrorResponse,
  ExecutionResult,
  Replay,
  RunLimits,
} from "../client/protocol/types.ts";
import type { SnapshotInfo } from "../client/protocol/sandbox_types.ts";
import type { RunCalls } from "./run_calls.ts";
import type { RunListener } from "./run_listener.ts";
import type { RunTiming } from "./run_timing.ts";

/** A context of a sandbox. */
export interface ContextAddress {
  /** The sandbox key. */
  readonly sandboxKey: string;
  readonly contextId: string;
}

/** The shape of `/workspace`, never its contents (docs/contract.md#workspacemanifest). */
export interface WorkspaceManifest {
  /** Absolute paths of all directories under `/workspace`, which is not named itself. */
  readonly dirs: readonly string[];
  /** Absolute path of every file → `contentHash` of its contents. */
  readonly manifest: { readonly [path: string]: string };
}

/** Arguments of a run in a context. */
export interface ExecuteInContextArgs extends Replay {
  readonly contextId: string;
  /** Not empty, at most 64 KiB of UTF-8; checked by the sandbox. */
  readonly code: string;
  /** Sandbox, context and call layers, merged. */
  readonly envVars: { readonly [name: string]: string };
  readonly workspace: WorkspaceManifest;
  /** Reference to the state of the sandbox's last commit; null: nothing ran yet. */
  readonly snapshot: string | null;
  /** Fence of the lease under which the sandbox runs this; grows with each lease. */
  readonly fence: number;
  /** The tenant of the run. */
  readonly tenant: string;
  /** The caller's limits. Values above the runtime's own are `VALIDATION_FAILED`. */
  readonly limits?: RunLimits;
  /** Standard input of the program, at most 64 KiB of UTF-8; empty when absent. */
  readonly stdin?: string;
  /** The result's entry also has the value's own form in its language. */
  readonly repr?: boolean;
  /** The program is written for a notebook of E2B (docs/e2b.md). */
  readonly notebook?: boolean;
  /**
   * Milliseconds that the run may still wait before it starts; the runtime's own maximum when
   * absent.
   */
  readonly maxWaitMs?: number;
  /** Fires when the caller disconnects, or the sandbox or context is deleted. */
  readonly signal?: AbortSignal;
  /** Listens to the run. */
  readonly listener?: RunListener | undefined;
  /** The caller's side of the program's calls; absent: the program can make none. */
  readonly calls?: RunCalls | undefined;
  /** The working directory of a context in which nothing ran yet. The run creates its state. */
  readonly cwd: string;
  /**
   * The sandbox has not read its state for this run, and its commit is refused if that has changed.
   * So the runtime may use the record of the context as it knows it.
   *
   * @default {false}
   */
  readonly isOptimistic?: boolean;
}

/** Writes to the store that become part of a commit. Only the store itself knows their contents. */
export interface StoreWrites {
  /** Distinguishes them from any other object. */
  readonly kind: "store writes";
  /** Removes blobs that are written already. Call it when no commit takes these writes. */
  discard(): Promise<void>;
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
 * Returns the contents of files of a manifest. Called at most once in a run, with exactly the paths
 * that the runtime lacks. A missing path in the answer fails the run.
 */
export type GetFiles = (paths: readonly string[]) => Promise<readonly WorkspaceFile[]>;

/** The changes of a run in `/workspace`. */
export interface WorkspaceDiff {
  /** All directories after the run, absolute, without `/workspace` itself. */
  readonly dirs: readonly string[];
  /** Files created or updated by the run. */
  readonly files: readonly WorkspaceFile[];
  /** Files removed by the run. */
  readonly deleted: readonly string[];
}

/** The runtime's view of the context after a run. */
export interface InterpreterContext {
  readonly id: string;
  /** Absolute, an existing directory under `/workspace`, or `/workspace`. */
  readonly cwd: string;
  readonly executions: number;
  /**
   * Milliseconds to capture the snapshot, and to write what is too large for the sandbox's commit;
   * absent without a snapshot.
   */
  readonly snapshotMs?: number;
  readonly snapshot: SnapshotInfo | null;
  /** Whether a limit (except result and display) or a crash rolled back globals, files and cwd. */
  readonly rolledBack?: boolean;
}

/** The result of a run in a context. */
export interface InterpreterExecuteResponse
  extends Omit<ExecutionResult, "executionCount" | "context" | "waiting"> {
  /** Absent if the runtime does not report it. */
  readonly timing?: RunTiming;
  readonly executionCount: number;
  readonly context: InterpreterContext;
  /** When the run was rolled back: no changes, and the directories as before. */
  readonly workspace: WorkspaceDiff;
  /**
   * Reference to the state after the run, which the sandbox's commit makes current. When the run
   * was rolled back: the given reference.
   */
  readonly snapshotRef: string | null;
  /** The writes that make the reference valid, for the sandbox's commit. Absent when rolled back. */
  readonly writes?: StoreWrites;
}

/** Answer of `executeInContext`, which never throws for anything that an application can cause. */
export type InterpreterExecuteRpcResult =
  | { readonly ok: true; readonly result: InterpreterExecuteResponse }
  | { readonly ok: false; readonly status: number; readonly body: ErrorResponse };
