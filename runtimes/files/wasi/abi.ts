/**
 * Numbers of WASI preview 1 (`wasi_snapshot_preview1`) that the host uses.
 *
 * @module
 */

/** Name of the module that guests import from. */
export const WASI_MODULE = "wasi_snapshot_preview1";

export const SUCCESS = 0;
/** A pointer outside the guest's memory. */
export const EFAULT = 21;

/** `filetype`. Preview 1 has none for pipes. */
export const FILETYPE = {
  pipe: 0,
  character: 2,
  directory: 3,
  file: 4,
  link: 7,
} as const;

/** `clockid`. */
export const CLOCK = { realtime: 0, monotonic: 1, process: 2, thread: 3 } as const;

/** `oflags` of `path_open`. */
export const OFLAGS = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;

/** `fdflags`. */
export const FDFLAGS = { append: 1 } as const;

/** `fstflags` of the calls that set times. */
export const FSTFLAGS = { atime: 1, atimeNow: 2, mtime: 4, mtimeNow: 8 } as const;

/** The `rights` that have an effect here. */
export const RIGHTS = { read: 1n << 1n, seek: 1n << 2n, tell: 1n << 5n, write: 1n << 6n } as const;
/** All rights of preview 1. */
export const ALL_RIGHTS: bigint = (1n << 30n) - 1n;

/** `whence` of `fd_seek`. */
export const WHENCE = { start: 0, current: 1, end: 2 } as const;

/** `eventtype` of `poll_oneoff`. */
export const EVENT = { clock: 0, read: 1, write: 2 } as const;
/** `subclockflags`: the timeout is a point in time. */
export const ABSOLUTE_TIME = 1;

/** Sizes of structures in bytes. */
export const SIZE = {
  dirent: 24,
  event: 32,
  fdstat: 24,
  filestat: 64,
  iovec: 8,
  subscription: 48,
} as const;
