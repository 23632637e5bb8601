/**
 * The shapes of a sandbox's routes (docs/contract.md#sandbox-routes). Interfaces only.
 *
 * @module
 */
import type {
  FileOperation,
  FilePermissions,
  SnapshotInfo,
  TenantUsage,
} from "../client/protocol/sandbox_types.ts";
import type { CallFields, RunLimits } from "../client/protocol/types.ts";

/** A context as `POST /contexts` and `GET /contexts` show it. */
export interface ContextInfo {
  /** Minted by the sandbox. */
  readonly id: string;
  /** Name of the binding that it was created with. */
  readonly binding: string;
  /** Language of that binding's runtime. */
  readonly language: string;
  /** Absolute, under `/workspace`. */
  readonly cwd: string;
  /** ISO-8601. */
  readonly createdAt: string;
  /** ISO-8601. */
  readonly lastUsed: string;
}

/** A variable of a context. */
export interface ContextVariable {
  readonly name: string;
  /** The class of its value; `function` and `class` for those. */
  readonly type: string;
  /** The number of its elements, or its shape. Absent: it has none. */
  readonly size?: string;
  /** The beginning of the value's own form. */
  readonly preview: string;
}

/** The completions of a name in a context, and its explanation. */
export interface InspectedName {
  /** The name, with those before its dots. Empty: there was none. */
  readonly name: string;
  /** The names that begin with its last part. */
  readonly matches: readonly { readonly name: string; readonly type: string }[];
  /** Signature and documentation, or type and value. Absent: the context does not know the name. */
  readonly text?: string;
}

/** A context as `GET /` shows it. */
export interface ContextDetails extends ContextInfo {
  /** Name and version of the engine. */
  readonly engine: string;
  /** Runs so far. */
  readonly executions: number;
  /** Null while there is no memory snapshot. */
  readonly snapshot: SnapshotInfo | null;
}

/** Answer of `GET /`. A sandbox that does not exist has null dates and no contents. */
export interface SandboxInfo {
  readonly id: string;
  /** ISO-8601. */
  readonly createdAt: string | null;
  /** ISO-8601. */
  readonly lastUsed: string | null;
  /** Names of the sandbox's own variables, never values. */
  readonly envVars: readonly string[];
  readonly contexts: readonly ContextDetails[];
  /** Number of files, and their total length. */
  readonly workspace: { readonly files: number; readonly bytes: number };
  /** Epoch milliseconds; null: never, or no such sandbox. */
  readonly expiresAt: number | null;
}

/** Information about a file or directory. */
export interface FileInfo {
  /** Last name of the path. */
  readonly name: string;
  readonly absolutePath: string;
  /** Relative to the directory that was listed; for `stat` to `/workspace`. */
  readonly relativePath: string;
  readonly type: "file" | "directory";
  /** Bytes; 4096 for a directory, as guests see it. */
  readonly size: number;
  /** ISO-8601. */
  readonly modifiedAt: string;
  /** `-rw-r--r--` or `drwxr-xr-x`. */
  readonly mode: string;
  readonly permissions: FilePermissions;
}

/** Encoding of a file's contents in JSON. */
export type FileEncoding = "utf-8" | "base64";

/** An operation on files, and the paths that it is for. */
export interface RequestedPaths {
  readonly op: FileOperation;
  /** As the caller wrote it; not empty. */
  readonly path: string;
  /** Of `rename` and `move`; not empty. */
  readonly newPath?: string | undefined;
}

/** Body of `POST /files`, read and validated. */
export interface FileRequest extends RequestedPaths {
  /** Of `write`. */
  readonly content?: string | undefined;
  readonly encoding?: FileEncoding | undefined;
  readonly recursive: boolean;
  readonly force: boolean;
  readonly includeHidden: boolean;
}

/** Body of `POST /contexts`, read and validated. */
export interface CreateContextRequest {
  readonly binding: string;
  /** As the caller wrote it. */
  readonly cwd?: string | undefined;
  /** Variables of the context; null counts as absent. */
  readonly envVars: ReadonlyMap<string, string | null>;
}

/** Body of `POST /execute` of a sandbox, read and validated. */
export interface SandboxExecuteRequest {
  /** Not empty, at most 64 KiB of UTF-8. */
  readonly code: string;
  /** The context to run in. If present, `binding` is ignored. */
  readonly contextId?: string | undefined;
  /** The binding whose default context to run in. */
  readonly binding?: string | undefined;
  /** The context of this name is meant instead of the default one. Its first use creates it. */
  readonly contextName?: string | undefined;
  /** Variables of this run; null unsets one for this run. */
  readonly envVars: ReadonlyMap<string, string | null>;
  /** The caller's limits, of the right shape; the maxima depend on the binding. */
  readonly limits?: RunLimits | undefined;
  /** Standard input of the program, at most 64 KiB of UTF-8; empty when absent. */
  readonly stdin?: string | undefined;
  /** See `Replay`. */
  readonly seed?: number | undefined;
  /** See `Replay`. */
  readonly clock?: number | undefined;
  /** The result's entry also has the value's own form in its language. */
  readonly repr?: boolean | undefined;
  /** Absent: the program cannot wait for its caller. */
  readonly calls?: CallFields | undefined;
}

/** Body of `POST /env`, read and validated. */
export interface EnvRequest {
  /** Null unsets. */
  readonly envVars: ReadonlyMap<string, string | null>;
}

/** A sandbox in a listing. */
export interface SandboxSummary {
  readonly id: string;
  /** ISO-8601. */
  readonly createdAt: string;
  /** ISO-8601. */
  readonly lastUsed: string;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Number of contexts. */
  readonly contexts: number;
  /** Number of files. */
  readonly files: number;
  /** Length of all files. */
  readonly bytes: number;
}

/** Answer of `GET /sandboxes`. */
export interface SandboxList {
  /** In order of id. */
  readonly sandboxes: readonly SandboxSummary[];
  /** Where the next page begins; absent on the last page. */
  readonly cursor?: string;
  readonly usage: TenantUsage;
}
