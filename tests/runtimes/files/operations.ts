/**
 * File operations as data: made at random from a seed, and run against the guest file system
 * with results in the form that `real_file_system.mjs` gives for the real one.
 *
 * @module
 */
import { FileError } from "../../../runtimes/files/file_error.ts";
import type { FileStat } from "../../../runtimes/files/file_data.ts";
import type { GuestFileSystem } from "../../../runtimes/files/guest_file_system.ts";
import type { OpenFlags } from "../../../runtimes/files/open_file.ts";
import { seededBelow } from "../../support/random.ts";
import { bytesOf, names } from "./support.ts";

/** One operation; `slot` names a descriptor. */
export type Operation =
  | { op: "open"; slot: number; path: string; flags: OpenFlags }
  | { op: "close" | "fstat"; slot: number }
  | { op: "read"; slot: number; length: number }
  | { op: "readAt"; slot: number; length: number; position: number }
  | { op: "write"; slot: number; data: string }
  | { op: "writeAt"; slot: number; data: string; position: number }
  | { op: "ftruncate"; slot: number; size: number }
  | {
    op: "stat" | "makeDirectory" | "removeDirectory" | "removeFile" | "entries";
    path: string;
  }
  | { op: "truncate"; path: string; size: number }
  | { op: "rename"; path: string; to: string }
  | { op: "setMode"; path: string; mode: number }
  | { op: "setTime"; path: string; seconds: number }
  | { op: "dump" };

type OpenOperation = Extract<Operation, { flags: OpenFlags }>;
type SlotOperation = Exclude<
  Extract<Operation, { slot: number }>,
  OpenOperation
>;
type PathOperation = Exclude<Operation, { slot: number }>;

/** The outcome. */
export type OperationResult = { value: unknown } | { error: string };

const SLOTS = 3;
const NAMES = ["a", "b", "c", "dir", "é", "𝒳", "\uff5e"];
const ACCESS: readonly OpenFlags[] = [{ read: true }, { write: true }, {
  read: true,
  write: true,
}];
type Choose = (below: number) => number;

function pick<Item>(choose: Choose, items: readonly Item[]): Item {
  const item = items[choose(items.length)];
  if (item === undefined) throw new RangeError("nothing to choose from");
  return item;
}

/** A path below the working directory; it never leads out of it. */
function randomPath(choose: Choose): string {
  const parts = Array.from(
    { length: 1 + choose(3) },
    () => pick(choose, NAMES),
  );
  const odd = choose(24);
  if (odd === 0) parts.push(".");
  if (odd === 1) parts.push("..");
  if (odd === 2) parts.splice(1, 0, "..", pick(choose, NAMES));
  if (odd === 3) parts.splice(choose(parts.length), 0, ".", "");
  if (odd === 4) return ".";
  if (odd === 5) return choose(8) === 0 ? "" : `${parts.join("/")}//`;
  if (odd === 6) parts.push("n".repeat(254 + choose(3)));
  return parts.join("/") + (choose(10) === 0 ? "/" : "");
}

function randomFlags(choose: Choose): OpenFlags {
  const often = (one: number) => choose(one) === 0;
  return {
    ...pick(choose, ACCESS),
    create: !often(3),
    exclusive: often(6),
    truncate: often(5),
    append: often(4),
  };
}

function slotOperation(choose: Choose): Operation {
  const slot = choose(SLOTS);
  const position = choose(40);
  const data = pick(choose, [
    "",
    "x",
    "hello",
    "0123456789".repeat(1 + choose(9)),
  ]);
  switch (choose(9)) {
    case 0:
      return { op: "close", slot };
    case 1:
      return { op: "fstat", slot };
    case 2:
      return {
        op: "ftruncate",
        slot,
        size: choose(3) === 0 ? choose(3000) : choose(60),
      };
    case 3:
    case 4:
      return { op: "read", slot, length: 1 + choose(50) };
    case 5:
      return { op: "readAt", slot, length: 1 + choose(50), position };
    case 6:
      return {
        op: "writeAt",
        slot,
        data,
        position: choose(6) === 0 ? choose(5000) : position,
      };
    default:
      return { op: "write", slot, data };
  }
}

function pathOperation(choose: Choose): Operation {
  const path = randomPath(choose);
  switch (choose(14)) {
    case 0:
    case 1:
    case 2:
      return { op: "makeDirectory", path };
    case 3:
      return { op: "removeDirectory", path };
    case 4:
      return { op: "removeFile", path };
    case 5:
    case 6:
    case 7:
      return { op: "rename", path, to: randomPath(choose) };
    case 8:
      return { op: "entries", path };
    case 9:
      return { op: "truncate", path, size: choose(60) };
    case 10:
      return { op: "setMode", path, mode: 0o400 | choose(0o400) };
    case 11:
      return { op: "setTime", path, seconds: choose(2_000_000_000) };
    default:
      return { op: "stat", path };
  }
}

/** A list of operations; the same seed gives the same list. */
export function randomOperations(seed: number, count: number): Operation[] {
  const choose = seededBelow(seed);
  const operations = Array.from({ length: count }, (): Operation => {
    const kind = choose(10);
    if (kind < 3) {
      const flags = choose(12) === 0
        ? { read: true, directory: true }
        : choose(30) === 0
        ? { read: true, write: true, directory: true }
        : randomFlags(choose);
      return {
        op: "open",
        slot: choose(SLOTS),
        path: randomPath(choose),
        flags,
      };
    }
    return kind < 6 ? slotOperation(choose) : pathOperation(choose);
  });
  return [...operations, { op: "dump" }];
}

function summary(stat: FileStat): unknown {
  const mode = stat.mode & 0o7777;
  if (stat.kind === "directory") return { kind: stat.kind, mode };
  return { kind: stat.kind, mode, size: stat.size, links: stat.links };
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function dump(files: GuestFileSystem, path: string): unknown[] {
  return files.entries(path).map((inode) => {
    const { entryName, kind } = inode;
    if (kind === "directory") {
      return [entryName, dump(files, `${path}/${entryName}`)];
    }
    return [entryName, kind === "file" ? hex(inode.content.share()) : kind];
  });
}

/** Runs operations against a guest file system. */
export class OperationRunner {
  readonly #files: GuestFileSystem;
  readonly #slots: (number | undefined)[] = [];

  constructor(files: GuestFileSystem) {
    this.#files = files;
  }

  run(operation: Operation): OperationResult {
    try {
      return { value: this.#perform(operation) ?? null };
    } catch (cause) {
      if (cause instanceof FileError) return { error: cause.code };
      if (cause instanceof ClosedSlot) return { error: "closed" };
      throw cause;
    }
  }

  #perform(operation: Operation): unknown {
    switch (operation.op) {
      case "open":
        return this.#open(operation);
      case "close":
      case "fstat":
      case "read":
      case "readAt":
      case "write":
      case "writeAt":
      case "ftruncate":
        return this.#onSlot(operation);
      default:
        return this.#onPath(operation);
    }
  }

  #open(operation: OpenOperation): void {
    const opened = this.#files.open(operation.path, operation.flags);
    const before = this.#slots[operation.slot];
    if (before !== undefined) this.#files.descriptors.close(before);
    this.#slots[operation.slot] = opened;
  }

  #onSlot(operation: SlotOperation): unknown {
    const { descriptors } = this.#files;
    const fd = this.#slots[operation.slot];
    if (fd === undefined) throw new ClosedSlot();
    switch (operation.op) {
      case "close":
        this.#slots[operation.slot] = undefined;
        return descriptors.close(fd);
      case "fstat":
        return summary(descriptors.stat(fd));
      case "read":
        return readHex(operation.length, (into) => descriptors.read(fd, into));
      case "readAt":
        return readHex(
          operation.length,
          (into) => descriptors.readAt(fd, into, operation.position),
        );
      case "write":
        descriptors.write(fd, bytesOf(operation.data));
        return operation.data.length;
      case "writeAt":
        descriptors.writeAt(fd, bytesOf(operation.data), operation.position);
        return operation.data.length;
      case "ftruncate":
        return descriptors.truncate(fd, operation.size);
    }
  }

  #onPath(operation: PathOperation): unknown {
    const files = this.#files;
    switch (operation.op) {
      case "dump":
        return dump(files, ".");
      case "stat":
        return summary(files.stat(operation.path));
      case "entries":
        return names(files, operation.path);
      case "truncate":
        return files.truncate(operation.path, operation.size);
      case "rename":
        return files.rename(operation.path, operation.to);
      case "setMode":
        return files.setMode(operation.path, operation.mode);
      case "setTime":
        files.setTime(operation.path, operation.seconds * 1000);
        return files.stat(operation.path).mtimeMs;
      default:
        return files[operation.op](operation.path);
    }
  }
}

/** An operation on a slot that holds no descriptor; the same on both sides. */
class ClosedSlot extends Error {}

function readHex(length: number, read: (into: Uint8Array) => number): string {
  const into = new Uint8Array(length);
  return hex(into.subarray(0, read(into)));
}
