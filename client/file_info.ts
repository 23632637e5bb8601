/**
 * Information about a file or directory.
 *
 * @module
 */
import type { FilePermissions } from "./protocol/sandbox_types.ts";
import type { JsonShape } from "./json_shape.ts";
import { ShapeError } from "./json_shape.ts";

/** A file or directory under `/workspace`. */
export interface FileInfo {
  /** The last segment of its path. */
  readonly name: string;
  /** Begins with `/workspace`. */
  readonly absolutePath: string;
  /** Relative to the listed directory, or to `/workspace`. */
  readonly relativePath: string;
  /** Its type. */
  readonly type: "file" | "directory";
  /** Length in bytes. */
  readonly size: number;
  /** When it was last written. */
  readonly modifiedAt: Date;
  /** For example `-rw-r--r--`. */
  readonly mode: string;
  /** Its permissions. */
  readonly permissions: FilePermissions;
}

/** Reads information about a file. */
export function readFileInfo(file: JsonShape): FileInfo {
  return {
    name: file.string("name"),
    absolutePath: file.string("absolutePath"),
    relativePath: file.string("relativePath"),
    type: readType(file),
    size: file.number("size"),
    modifiedAt: file.date("modifiedAt"),
    mode: file.string("mode"),
    permissions: readPermissions(file.object("permissions")),
  };
}

function readType(file: JsonShape): "file" | "directory" {
  const type = file.string("type");
  if (type === "file" || type === "directory") return type;
  throw new ShapeError("type is neither file nor directory");
}

function readPermissions(permissions: JsonShape): FilePermissions {
  return {
    readable: permissions.boolean("readable"),
    writable: permissions.boolean("writable"),
    executable: permissions.boolean("executable"),
  };
}
