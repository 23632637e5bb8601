/**
 * Answers that are too large to be values of a program: each is a file of its workspace
 * (docs/calls.md#answers).
 *
 * The name is a function of the contents. So each attempt of a run, and each fork of it, has the same
 * file, and no other answer replaces it.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";
import { nodeCrypto } from "../engine/node_crypto.ts";
import { FileError } from "./file_error.ts";
import type { GuestFileSystem } from "./guest_file_system.ts";
import { addFile, ensureDirectories } from "./workspace_tree.ts";

/** The directory of the service in a workspace. */
const DIRECTORY = ".belljar";
/** Hexadecimal digits of a name. */
const DIGITS = 16;

/** The file of an answer. */
export interface AnswerFile {
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes an answer, given as JSON: a text as it is, other values as JSON. Without room for it
 * there is no file, and the result is the reason, a name of Linux such as ENOSPC.
 */
export function writeAnswer(files: GuestFileSystem, json: string): AnswerFile | string {
  const value: unknown = json.startsWith('"') ? JSON.parse(json) : undefined;
  const [text, type] = typeof value === "string" ? [value, "txt"] : [json, "json"];
  const bytes = new TextEncoder().encode(text);
  const digest = nodeCrypto().createHash("sha256").update(bytes).digest("hex");
  const name = `answer-${digest.slice(0, DIGITS)}.${type}`;
  try {
    replaceFile(files, name, bytes);
  } catch (error) {
    if (error instanceof FileError) return error.code;
    throw error;
  }
  return { file: `${WORKSPACE}/${DIRECTORY}/${name}`, bytes: bytes.length };
}

function replaceFile({ tree, workspace }: GuestFileSystem, name: string, bytes: Uint8Array): void {
  const directory = ensureDirectories(tree, workspace, [DIRECTORY]);
  if (tree.find(directory, name) !== undefined) tree.removeFile(directory, name, false);
  try {
    addFile(tree, directory, name, bytes);
  } catch (error) {
    // the file was made, and its bytes have no room
    if (tree.find(directory, name) !== undefined) tree.removeFile(directory, name, false);
    throw error;
  }
}
