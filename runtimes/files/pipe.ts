/**
 * Pipes. There is one thread and no other process, so an operation that waits for the other end
 * would wait forever: it fails with EAGAIN instead.
 *
 * @module
 */
import { FileError } from "./file_error.ts";
import type { Device } from "./inode.ts";

/** Capacity of a pipe, as on Linux. */
const PIPE_BYTES = 65_536;

/** A byte is moved on its own. */
const BYTE_WORK = 8;

/** Whether each end is open. */
interface PipeEnds {
  readonly isRead: () => boolean;
  readonly isWritten: () => boolean;
}

/** The devices behind the two ends of a pipe. */
export function createPipe({ isRead, isWritten }: PipeEnds): {
  readonly readEnd: Device;
  readonly writeEnd: Device;
} {
  const held = new Uint8Array(PIPE_BYTES);
  let start = 0;
  let size = 0;
  return {
    readEnd: {
      kind: "pipe",
      read(into) {
        if (size === 0 && into.length > 0 && isWritten()) throw new FileError("EAGAIN");
        const count = Math.min(size, into.length);
        for (let i = 0; i < count; i++) into[i] = held[(start + i) % PIPE_BYTES] ?? 0;
        start = (start + count) % PIPE_BYTES;
        size -= count;
        return count;
      },
      readWork: BYTE_WORK,
      write: refuse,
    },
    writeEnd: {
      kind: "pipe",
      read: refuse,
      write(bytes) {
        if (!isRead()) throw new FileError("EPIPE");
        if (bytes.length > PIPE_BYTES - size) throw new FileError("EAGAIN");
        for (const byte of bytes) held[(start + size++) % PIPE_BYTES] = byte;
      },
    },
  };
}

function refuse(): never {
  throw new FileError("EBADF");
}
