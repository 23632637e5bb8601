/**
 * Shared helpers of the guest file system's tests: a fixed clock, collected output, and errors
 * converted to their names.
 *
 * @module
 */
import { FileError } from "../../../runtimes/files/file_error.ts";
import type { FileLimits } from "../../../runtimes/files/file_limits.ts";
import type { GuestFileSystem } from "../../../runtimes/files/guest_file_system.ts";
import { createGuestFileSystem } from "../../../runtimes/files/memory_file_system.ts";

/** A file system with a clock that advances by one millisecond at each read, and its output. */
export interface TestFiles {
  readonly files: GuestFileSystem;
  /** Text written to descriptors 1 and 2, and to `/dev/display`. */
  readonly output: { 1: string; 2: string; 5: string };
}

export function testFiles(limits: Partial<FileLimits> = {}): TestFiles {
  let now = 1_000_000;
  const output = { 1: "", 2: "", 5: "" };
  const decoder = new TextDecoder();
  const files = createGuestFileSystem({
    now: () => now++,
    limits,
    random: (into) => into.fill(7),
    streams: {
      output: (stream, bytes) => void (output[stream] += decoder.decode(bytes)),
    },
  });
  return { files, output };
}

/** The name of the error that an operation throws, or "ok". */
export function errnoOf(operation: () => unknown): string {
  try {
    operation();
    return "ok";
  } catch (cause) {
    if (cause instanceof FileError) return cause.code;
    throw cause;
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Creates or replaces a file. */
export function put(
  files: GuestFileSystem,
  path: string,
  content: string | Uint8Array,
): void {
  const fd = files.open(path, { write: true, create: true, truncate: true });
  files.descriptors.write(
    fd,
    typeof content === "string" ? bytesOf(content) : content,
  );
  files.descriptors.close(fd);
}

/** The content of a file as text. */
export function text(files: GuestFileSystem, path: string): string {
  const fd = files.open(path, { read: true });
  const into = new Uint8Array(files.descriptors.stat(fd).size);
  files.descriptors.read(fd, into);
  files.descriptors.close(fd);
  return new TextDecoder().decode(into);
}

/** The names in a directory, in the order of the listing. */
export function names(files: GuestFileSystem, path: string): string[] {
  return files.entries(path).map((inode) => inode.entryName);
}
