/**
 * The host side of JavaScript's `fs`: a request in JSON, with bytes if it carries data, runs
 * against the guest file system. The reply is bytes, or JSON: `{"value":…}` or
 * `{"error":{"code","errno","syscall","path","dest","message"}}`.
 *
 * @module
 */
import { ERRNO, type Errno } from "../../../files/errno.ts";
import { FileError } from "../../../files/file_error.ts";
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import type { HostService } from "./host_calls.ts";
import { FS_OPERATIONS } from "./host_fs_operations.ts";
import { type CallStory, FailedCall, parseRequest } from "./host_fs_request.ts";

/** Fuel for one call, in addition to the cost of any host call. */
const CALL_FUEL = 20_000;
/** Fuel for a character of the request: text is parsed, which costs more than copying. */
const REQUEST_FUEL = 4;
/** Fuel for each byte that the file system moves, and for each byte of a reply. */
const WORK_FUEL = 3;
/** Fuel for a character of a JSON reply, which is decoded and quoted; most replies are short. */
const TEXT_FUEL = 6;

/** Makes the service for one guest file system. */
export function createFileService(files: GuestFileSystem): HostService {
  /** Work before the last call, such as that of preparing a workspace, is not the guest's. */
  let before = files.work;
  let replyFuel = 0;
  return {
    fuel: (requestBytes) => CALL_FUEL + requestBytes * REQUEST_FUEL,
    call(text, bytes) {
      before = files.work;
      const reply = answer(files, text, bytes);
      replyFuel += reply.length * (typeof reply === "string" ? TEXT_FUEL : WORK_FUEL);
      return reply;
    },
    workFuel() {
      const units = (files.work - before) * WORK_FUEL + replyFuel;
      before = files.work;
      replyFuel = 0;
      return units;
    },
  };
}

function answer(
  files: GuestFileSystem,
  text: string,
  bytes: Uint8Array<ArrayBuffer> | undefined,
): string | Uint8Array<ArrayBuffer> {
  try {
    const request = parseRequest(text, bytes);
    const operation = FS_OPERATIONS.get(request.text("op"));
    if (operation === undefined) throw new FailedCall("ENOSYS", request.story("fs"));
    const result = operation(files, request);
    return result instanceof Uint8Array ? result : JSON.stringify(result);
  } catch (cause) {
    if (cause instanceof FailedCall) return errorReply(cause.code, cause.story);
    if (cause instanceof FileError) return errorReply(cause.code, { syscall: "fs" });
    throw cause;
  }
}

function errorReply(code: Errno, story: CallStory): string {
  const { linux, message } = ERRNO[code];
  const path = story.path === undefined ? "" : ` '${story.path}'`;
  const dest = story.dest === undefined ? "" : ` -> '${story.dest}'`;
  const text = `${code}: ${message}, ${story.syscall}${path}${dest}`;
  return JSON.stringify({ error: { code, errno: -linux, ...story, message: text } });
}
