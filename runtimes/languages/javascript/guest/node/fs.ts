/**
 * Node's `fs` and `fs/promises`, over the host's files. All files are in memory, so a function does
 * its work when it is called; callbacks and promises only get the result later.
 *
 * Links of both kinds cannot be made (EPERM), and there is nothing to watch files with (ENOSYS).
 *
 * It is written by hand because the host keeps and counts the files, in the same way for every
 * language. Packages that emulate `fs` bring their own tree of files.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { ObjectFreeze } from "../primordials.ts";
import { setName } from "../web/expose.ts";
import { toDescriptor, toPath, toTime } from "./fs/arguments.ts";
import { createCallbacks } from "./fs/callbacks.ts";
import { FS_CONSTANTS } from "./fs/constants.ts";
import { createDeliver } from "./fs/deliver.ts";
import type { FsDependencies } from "./fs/dependencies.ts";
import { Dir, exposeDir } from "./fs/directory.ts";
import { exposeFileHandle } from "./fs/file_handle.ts";
import { HostFiles } from "./fs/host_files.ts";
import { createPromises } from "./fs/promises.ts";
import { Dirent, exposeStats, Stats } from "./fs/stats.ts";
import { createStreams } from "./fs/streams.ts";
import { createSyncFiles } from "./fs/sync_files.ts";
import { createSyncTree } from "./fs/sync_tree.ts";

/** The modules `node:fs` and `node:fs/promises`. */
export interface FsModules {
  readonly fs: Readonly<Record<string, unknown>>;
  readonly promises: Readonly<Record<string, unknown>>;
}

/** Makes both modules. */
export function createFs(host: HostFunction, deps: FsDependencies): FsModules {
  const hostFiles = new HostFiles(host, deps.cwd);
  const deliver = createDeliver(deps.defer);
  const files = { ...createSyncFiles(hostFiles, deps), ...createTimes(hostFiles) };
  const tree = createSyncTree(hostFiles, deps, deliver);
  const streams = createStreams(files, deps);
  const watching = createWatching(hostFiles);
  const sync = { ...files, ...tree };
  const promises = createPromises({ files, tree, streams, deliver, deps, watch: watching.watch });
  const { F_OK, R_OK, W_OK, X_OK } = FS_CONSTANTS;
  const fs = {
    ...createCallbacks(sync, deliver, deps),
    ...sync,
    ...streams,
    ...watching,
    Dir,
    Dirent,
    Stats,
    F_OK,
    R_OK,
    W_OK,
    X_OK,
    constants: FS_CONSTANTS,
    promises,
  };
  ObjectFreeze(FS_CONSTANTS);
  exposeNames(fs);
  exposeNames(promises);
  exposeStats();
  exposeDir();
  exposeFileHandle();
  return { fs, promises };
}

/** `futimes`, apart from the other functions because handles need it too. */
function createTimes(host: HostFiles) {
  return {
    futimesSync(fd: unknown, atime: unknown, mtime: unknown): void {
      const descriptor = toDescriptor(fd);
      toTime(atime);
      host.value({ op: "futimes", fd: descriptor, mtimeMs: toTime(mtime) });
    },
  };
}

function createWatching(host: HostFiles) {
  function watch(path: unknown): never {
    host.value({ op: "watch", path: toPath(path) });
    throw new Error("Files cannot be watched");
  }
  return { watch, watchFile: (path: unknown) => watch(path), unwatchFile: () => {} };
}

/** Names functions after their keys in the module. */
function exposeNames(module: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value === "function") setName(value, name);
  }
}
