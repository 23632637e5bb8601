/**
 * Results of file calls: fuel for the work, and error numbers instead of exceptions.
 *
 * @module
 */
import { ERRNO, type Errno } from "../../../files/errno.ts";
import { FileError } from "../../../files/file_error.ts";
import type { DirectoryInode } from "../../../files/inode.ts";
import type { GuestProcess } from "./guest_process.ts";

/** Fuel for a call, and for each byte moved or name visited: in proportion to the time taken. */
const CALL_FUEL = 30_000;
const FUEL_PER_WORK = 4;
/** Fuel for a byte of a path that is read or built. */
const PATH_BYTE_FUEL = 130;
const MADE_PATH_BYTE_FUEL = 150;
/** `AT_FDCWD`: means the working directory in calls that take a directory. */
const AT_FDCWD = -100;

function errnoOf(error: unknown): number {
  if (error instanceof FileError) return ERRNO[error.code].wasi;
  // A pointer outside memory. The C library has no such bug; hostile code may pass one.
  if (error instanceof RangeError) return ERRNO.EINVAL.wasi;
  throw error;
}

function charged(process: GuestProcess, call: () => number): number {
  const before = process.files.work;
  try {
    return call();
  } finally {
    process.charge(CALL_FUEL + (process.files.work - before) * FUEL_PER_WORK);
  }
}

/** Runs a call that answers with a negative error number. */
export function systemCall(process: GuestProcess, call: () => number): number {
  try {
    return charged(process, call);
  } catch (error) {
    return -errnoOf(error);
  }
}

/** Runs a call that answers with a positive error number, or 0. */
export function wasiCall(process: GuestProcess, call: () => void): number {
  try {
    return charged(process, () => {
      call();
      return 0;
    });
  } catch (error) {
    return errnoOf(error);
  }
}

/** Reads a path from the guest's memory and charges by length. Throws ENAMETOOLONG, EILSEQ. */
export function pathAt(process: GuestProcess, at: number): string {
  return process.memory.path(at, (bytes) => process.charge(bytes * PATH_BYTE_FUEL));
}

/** Charges for a path that was built from the names above an inode. */
export function payNewPath(process: GuestProcess, bytes: number): void {
  process.charge(bytes * MADE_PATH_BYTE_FUEL);
}

/** The negative number of an error. */
export function refused(code: Errno): number {
  return -ERRNO[code].wasi;
}

/** The directory at which relative paths of a call start. */
export function baseOf(process: GuestProcess, descriptor: number): DirectoryInode {
  return descriptor === AT_FDCWD
    ? process.workingDirectory
    : process.files.descriptors.directory(descriptor);
}
