/**
 * A hint for programs that were written for another service: its paths do not exist here.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { Ending, GuestError } from "../engine/engine.ts";

/** Folders in which other services keep files. */
const FOREIGN = ["/mnt/", "/home/", "/content/", "/kaggle/"];
/** The home that notebooks have here, too. */
const NOTEBOOK_HOME = "/home/user";
const NOT_FOUND = /no such file|ENOENT|read-only file system|EROFS/i;
/** Longer messages are not only about a path. */
const LONGEST_MESSAGE = 2_000;
const HINT = `Files are in ${WORKSPACE}, where relative paths begin.`;

/** An ending whose error says where files are, if the program looked for them elsewhere. */
export function withPathHint(ending: Ending, { notebook = false }: { notebook?: boolean }): Ending {
  if (ending.kind !== "error" || !isForeign(ending.error, notebook)) return ending;
  const { message, traceback } = ending.error;
  const error = {
    ...ending.error,
    message: `${message}${/[.!?]$/.test(message) ? "" : "."} ${HINT}`,
    traceback: traceback.length === 0 ? traceback : [...traceback, HINT],
  };
  return { kind: "error", error };
}

function isForeign({ message }: GuestError, notebook: boolean): boolean {
  if (message.length > LONGEST_MESSAGE || !NOT_FOUND.test(message)) return false;
  if (notebook && message.includes(NOTEBOOK_HOME)) return false;
  return FOREIGN.some((folder) => message.includes(folder));
}
