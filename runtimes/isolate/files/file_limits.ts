/**
 * What a guest's files may grow to. Every limit is met at the moment of the write that would
 * pass it: that write changes nothing and fails.
 */
export interface FileLimits {
  /** Bytes of one file. Beyond: EFBIG. @default {4 MiB} */
  readonly fileBytes: number;
  /** Bytes of all files under `/workspace`. Beyond: ENOSPC. @default {16 MiB} */
  readonly workspaceBytes: number;
  /** Bytes of all files under `/tmp`, counted apart. Beyond: ENOSPC. @default {16 MiB} */
  readonly temporaryBytes: number;
  /** Files and directories under each of the two; its root is no entry. Beyond: ENOSPC. @default {4096} */
  readonly entries: number;
  /** Bytes of UTF-8 of an absolute path, and of any path handed in. Beyond: ENAMETOOLONG. @default {1024} */
  readonly pathBytes: number;
  /** Bytes of UTF-8 of one name. Beyond: ENAMETOOLONG. @default {255} */
  readonly nameBytes: number;
  /** Descriptors open at once, standard streams included. Beyond: EMFILE. @default {256} */
  readonly descriptors: number;
}

const MIB = 1024 * 1024;

/** The limits of the contract (decisions, `POST /files`). */
export const DEFAULT_FILE_LIMITS: FileLimits = {
  fileBytes: 4 * MIB,
  workspaceBytes: 16 * MIB,
  temporaryBytes: 16 * MIB,
  entries: 4096,
  pathBytes: 1024,
  nameBytes: 255,
  descriptors: 256,
};
