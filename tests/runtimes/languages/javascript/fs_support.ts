/**
 * The guest's `fs` without an engine: the module runs here, over the host side and a guest file
 * system, with this runtime's classes in place of the guest's.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Readable, Writable } from "node:stream";
import type { FileLimits } from "../../../../runtimes/files/file_limits.ts";
import type { GuestFileSystem } from "../../../../runtimes/files/guest_file_system.ts";
import type { FsDependencies } from "../../../../runtimes/languages/javascript/guest/node/fs/dependencies.ts";
import {
  createFs,
  type FsModules,
} from "../../../../runtimes/languages/javascript/guest/node/fs.ts";
import { createFileService } from "../../../../runtimes/languages/javascript/host/host_fs.ts";
import type { HostFunction } from "../../../../runtimes/languages/javascript/guest/host.ts";
import { testFiles } from "../../files/support.ts";

/** Both sides, and the file system that they use. */
export interface FsUnderTest extends FsModules {
  readonly files: GuestFileSystem;
  readonly output: { 1: string; 2: string };
  /** The working directory; tests may set it. */
  readonly process: { cwd: string };
}

export function fsUnderTest(limits: Partial<FileLimits> = {}): FsUnderTest {
  const { files, output } = testFiles(limits);
  const service = createFileService(files);
  const process = { cwd: "/workspace" };
  const host = ((op: string, text: string, bytes?: ArrayBuffer) => {
    if (op === "random") return crypto.getRandomValues(new Uint8Array(Number(text))).buffer;
    const reply = service.call(
      text,
      bytes === undefined ? undefined : new Uint8Array(bytes.slice(0)),
    );
    return reply instanceof Uint8Array ? reply.slice().buffer : reply;
  }) as HostFunction;
  const streams = { Readable, Writable } as FsDependencies["streams"];
  const { fs, promises } = createFs(host, {
    cwd: () => process.cwd,
    defer: (callback) => void setTimeout(callback),
    buffer: (memory) => Buffer.from(memory),
    streams,
  });
  return { fs, promises, files, output, process };
}
