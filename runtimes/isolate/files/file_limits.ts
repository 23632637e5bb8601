/**
 * What a guest's files may grow to. Every limit is met at the moment of the write that would
 * pass it: that write changes nothing and fails.
 *
 * @module
 */
import { WORKSPACE_LIMITS } from "../../../wire/limits.ts";

/** The limits of one guest. */
export interface FileLimits {
  /** Bytes of one file. Beyond: EFBIG. */
  readonly fileBytes: number;
  /** Bytes of all files under `/workspace`. Beyond: ENOSPC. */
  readonly workspaceBytes: number;
  /** Bytes of all files under `/tmp`, counted apart. Beyond: ENOSPC. */
  readonly temporaryBytes: number;
  /** Files and directories under each of the two; its root is no entry. Beyond: ENOSPC. */
  readonly entries: number;
  /** Bytes of UTF-8 of an absolute path, and of any path handed in. Beyond: ENAMETOOLONG. */
  readonly pathBytes: number;
  /** Bytes of UTF-8 of one name. Beyond: ENAMETOOLONG. */
  readonly nameBytes: number;
  /** Descriptors open at once, standard streams included. Beyond: EMFILE. */
  readonly descriptors: number;
}

/** What the sandbox keeps of a workspace; `/tmp`, which is of one run, may be as large. */
export const DEFAULT_FILE_LIMITS: FileLimits = {
  fileBytes: WORKSPACE_LIMITS.fileBytes,
  workspaceBytes: WORKSPACE_LIMITS.totalBytes,
  temporaryBytes: WORKSPACE_LIMITS.totalBytes,
  entries: WORKSPACE_LIMITS.entries,
  pathBytes: WORKSPACE_LIMITS.pathBytes,
  nameBytes: WORKSPACE_LIMITS.nameBytes,
  descriptors: 256,
};
