/**
 * Shapes of a sandbox's routes that client and service share (docs/contract.md#sandbox-routes).
 *
 * @module
 */

/** The operations of `POST /files`. */
export type FileOperation =
  | "read"
  | "write"
  | "mkdir"
  | "delete"
  | "rename"
  | "move"
  | "list"
  | "exists"
  | "stat";

/** Permissions of a file. */
export interface FilePermissions {
  /** It can be read. */
  readonly readable: boolean;
  /** It can be written. */
  readonly writable: boolean;
  /** It can be executed. */
  readonly executable: boolean;
}

/** A stored memory snapshot of a context (docs/contract.md#snapshotinfo). */
export interface SnapshotInfo {
  /** Identifies the build of the engine and its baseline. */
  readonly build: string;
  /** Pages of 4 KiB that differ from the baseline. */
  readonly pages: number;
  /** Length of these pages in bytes. */
  readonly bytes: number;
  /** Stored length, in bytes. */
  readonly storedBytes: number;
  /** When it was taken, in epoch milliseconds. */
  readonly takenAt: number;
}

/** A tenant's use of its quotas. Bytes are those of files, variables and snapshots. */
export interface TenantUsage {
  /** Number of sandboxes. */
  readonly sandboxes: number;
  /** Maximum number of sandboxes. */
  readonly maxSandboxes: number;
  /** Bytes in use. */
  readonly bytes: number;
  /** Maximum number of bytes. */
  readonly maxBytes: number;
}
