/**
 * The path of a file in the path of a request (docs/contract.md#files-as-bytes).
 *
 * Each segment is decoded once. The result is the same text as the `path` of `POST /files`: it may
 * be absolute, a slash may be written as `%2F`, and `.` and `..` are resolved by text.
 *
 * @module
 */
import type { FileOperation } from "../client/protocol/sandbox_types.ts";
import { FILES_PATH } from "../client/protocol/paths.ts";
import { quoted } from "../client/protocol/text.ts";
import { validationFailed } from "../shared/errors.ts";
import type { WorkspaceLimits } from "../shared/limits.ts";
import { sentPath } from "../shared/request_path.ts";
import { fileError, FileFault } from "./file_fault.ts";
import { type ResolvedPath, resolvePath } from "./workspace_path.ts";

/**
 * The route of the bytes of a file. Unlike with a wildcard, `/files` itself is another route. The
 * path may contain slashes.
 */
export const FILE_ROUTE = `${FILES_PATH}/:path{.*}`;

/** Length of a path's text relative to the longest path, because it may contain `.` and `..`. */
export const TEXTS_PER_PATH = 4;

/** A path of a request. */
export interface SentPath {
  /** As the caller wrote it, decoded. */
  readonly text: string;
  readonly target: ResolvedPath;
}

/**
 * Reads the path of a request for {@link FILE_ROUTE}.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when it is empty or not valid percent-encoded UTF-8;
 * the errors of an operation on files.
 */
export function sentFilePath(
  request: Request,
  op: FileOperation,
  limits: WorkspaceLimits,
): SentPath {
  const [, , ...segments] = sentPath(request).split("/");
  const text = segments.map(decoded).join("/");
  if (text === "") throw validationFailed("The path of the file must not be empty");
  try {
    // resolving a path takes time proportional to its text, however short the result
    if (text.length > TEXTS_PER_PATH * limits.pathBytes) throw new FileFault("ENAMETOOLONG");
    return { text, target: resolvePath(text, limits) };
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown;
    throw fileError(thrown, { op, path: text.slice(0, limits.pathBytes) });
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (thrown) {
    if (!(thrown instanceof URIError)) throw thrown;
    throw validationFailed(
      `The path of the file contains ${quoted(segment)}, which is not percent-encoded UTF-8`,
    );
  }
}
