/**
 * Modes of files. The host reports the kind of a file, and the C library converts it to a mode by a
 * table. This patch adds permissions to the table: everything can be read and written, and only
 * directories can be executed.
 *
 * @module
 */
import { type ZeroPerl, ZeroPerlAbiError } from "../host/zeroperl.ts";

/** The library's modes: block and character device, directory, file, sockets, link. */
const KINDS = [0o060000, 0o020000, 0o040000, 0o100000, 0o140000, 0o140000, 0o120000];
/** The permissions of each kind for its owner, its group and others. */
const PERMISSIONS = [0o660, 0o666, 0o755, 0o644, 0o755, 0o755, 0o777];

/** Adds permissions to the library's table. */
export function putFileModes(perl: ZeroPerl): void {
  const words = new Uint32Array(perl.bytes.buffer);
  const [first = 0] = KINDS;
  const places: number[] = [];
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
    if (KINDS.every((mode, index) => words[at + index] === mode)) places.push(at);
  }
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new ZeroPerlAbiError(`${places.length} tables of file modes`);
  }
  KINDS.forEach((mode, index) => words[place + index] = mode | (PERMISSIONS[index] ?? 0));
}
