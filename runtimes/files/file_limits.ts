/**
 * Limits of a guest's files. Every limit is checked at the write that would
 * exceed it: that write fails and changes nothing.
 *
 * @module
 */
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";

/** The limits of one guest. */
export interface FileLimits {
  /** Bytes of one file. Beyond: EFBIG. */
  readonly fileBytes: number;
  /** Bytes of all files under `/workspace`. Beyond: ENOSPC. */
  readonly workspaceBytes: number;
  /** Bytes of all files under `/tmp`, counted apart. Beyond: ENOSPC. */
  readonly temporaryBytes: number;
  /** Files and directories under each of the two, without its root. Beyond: ENOSPC. */
  readonly entries: number;
  /** Bytes of UTF-8 of an absolute path, and of any path argument. Beyond: ENAMETOOLONG. */
  readonly pathBytes: number;
  /** Bytes of UTF-8 of one name. Beyond: ENAMETOOLONG. */
  readonly nameBytes: number;
  /** Descriptors open at once, standard streams included. Beyond: EMFILE. */
  readonly descriptors: number;
}

/** The quotas of a sandbox's workspace; `/tmp`, which lasts one run, may be as large. */
export const DEFAULT_FILE_LIMITS: FileLimits = {
  fileBytes: WORKSPACE_LIMITS.fileBytes,
  workspaceBytes: WORKSPACE_LIMITS.totalBytes,
  temporaryBytes: WORKSPACE_LIMITS.totalBytes,
  entries: WORKSPACE_LIMITS.entries,
  pathBytes: WORKSPACE_LIMITS.pathBytes,
  nameBytes: WORKSPACE_LIMITS.nameBytes,
  descriptors: 256,
};
