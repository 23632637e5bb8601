/**
 * `PUT`, `GET` and `DELETE` of a file: its bytes (docs/contract.md#files-as-bytes). None of them
 * waits for a run.
 *
 * @module
 */
import { validationFailed } from "../shared/errors.ts";
import { BODY_DEADLINE_MS } from "../shared/limits.ts";
import { discardBody, readPlainBytes } from "../shared/read_body.ts";
import { bytesResponse } from "../shared/responses.ts";
import type { FileOperation } from "../shared/sandbox_types.ts";
import { deletePath, writeFile } from "./file_changes.ts";
import {
  type Conditions,
  conditionsOf,
  holdsMatch,
  holdsNoneMatch,
  preconditionFailed,
  tagOf,
} from "./file_conditions.ts";
import { fileError, FileFault } from "./file_fault.ts";
import { contentHeaders, stateHeaders } from "./file_headers.ts";
import { fileAt } from "./file_lookup.ts";
import { sentFilePath, type SentPath } from "./file_path.ts";
import { rangeIn } from "./file_range.ts";
import { mimeTypeOf } from "./file_text.ts";
import { look } from "./files.ts";
import { type BodyOptions, incomplete } from "./requests.ts";
import type { SandboxAddress } from "./root_record.ts";
import type { OperationOptions, RouteLimits } from "./operation_options.ts";
import type { Tree } from "./tree.ts";
import { TreeEdit } from "./tree_edit.ts";
import { nameOf } from "./workspace_path.ts";

/** A request for a file, without a body. */
export interface FileBytesRequest {
  readonly op: FileOperation;
  readonly path: SentPath;
  readonly conditions: Conditions;
}

/** A file to store. */
export interface Upload extends FileBytesRequest {
  readonly data: Uint8Array;
}

/**
 * Reads path and conditions of a request. `op` names it in errors.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` and the errors of paths.
 */
export function readFileRequest(
  request: Request,
  op: FileOperation,
  { workspace }: RouteLimits,
): FileBytesRequest {
  const path = sentFilePath(request, op, workspace);
  return { op, path, conditions: conditionsOf(request.headers) };
}

/**
 * Reads a file to store, with its contents.
 *
 * @throws {ServiceError} `FILE_TOO_LARGE` as soon as the body is too long; `VALIDATION_FAILED`, the
 * errors of paths, and what the meter throws.
 */
export async function readUpload(
  request: Request,
  { meter }: BodyOptions,
  limits: RouteLimits,
): Promise<Upload> {
  const wanted = await readUploadHead(request, meter, limits);
  const { signal } = request;
  const { fileBytes } = limits.workspace;
  const tooLong = (actualSize: number) =>
    failure(new FileFault("EFBIG", { maxSize: fileBytes, actualSize }), wanted);
  const rules = { maxBytes: fileBytes, deadlineMs: BODY_DEADLINE_MS, signal, tooLong };
  const data = await readPlainBytes(request, meter === undefined ? rules : { ...rules, meter })
    .catch((thrown: unknown) => {
      throw signal.aborted ? incomplete() : thrown;
    });
  return { ...wanted, data };
}

async function readUploadHead(
  request: Request,
  meter: BodyOptions["meter"],
  limits: RouteLimits,
): Promise<FileBytesRequest> {
  try {
    if (request.headers.has("content-range")) {
      throw validationFailed("Content-Range is not supported: a file is replaced as a whole");
    }
    return readFileRequest(request, "write", limits);
  } catch (refusal) {
    await discardBody(request, meter);
    throw refusal;
  }
}

/** Stores a file and the directories that it is in: 201 when there was none, 204 otherwise. */
export async function storeFile(
  options: OperationOptions,
  address: SandboxAddress,
  upload: Upload,
): Promise<Response> {
  const { path: { target }, data } = upload;
  const { workspace: limits } = options.limits;
  const rules = { recursive: true, limits, now: options.clock() };
  const made = await alterFile(options, address, upload, (edit) => {
    writeFile(edit, target, data, rules);
  });
  return new Response(null, {
    status: made.before === undefined ? 201 : 204,
    headers: { "cache-control": "no-store", ...(made.tag === undefined ? {} : { etag: made.tag }) },
  });
}

/** Deletes a file: 204. */
export async function removeFile(
  options: OperationOptions,
  address: SandboxAddress,
  request: FileBytesRequest,
): Promise<Response> {
  const { path: { target } } = request;
  await alterFile(options, address, request, (edit) => {
    deletePath(edit, target, { recursive: false, force: false });
  });
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

interface AlteredFile {
  /** Tags of the file; undefined: there is none. */
  readonly before: string | undefined;
  readonly tag: string | undefined;
}

/**
 * Changes a file if the conditions hold. Errors of the change itself come first: RFC 9110 evaluates
 * conditions only where the request would otherwise succeed.
 */
async function alterFile(
  options: OperationOptions,
  address: SandboxAddress,
  request: FileBytesRequest,
  apply: (edit: TreeEdit) => void,
): Promise<AlteredFile> {
  const { op, conditions, path: { text, target } } = request;
  try {
    return await options.changes.change(address, async (state, draft) => {
      const tree = await options.stored.tree(state.record);
      const edit = new TreeEdit(tree);
      apply(edit);
      const before = tagAt(tree, target.path);
      if (!holdsMatch(conditions, before) || !holdsNoneMatch(conditions, before)) {
        throw preconditionFailed(text, op);
      }
      draft.keepTree(options.changes.recordOrNew(state), edit);
      return { before, tag: draft.tree === undefined ? undefined : tagAt(draft.tree, target.path) };
    });
  } catch (thrown) {
    throw failure(thrown, request);
  }
}

function tagAt(tree: Tree, path: string): string | undefined {
  const node = tree.nodes.get(path);
  return node?.type === "file" ? tagOf(node.ref) : undefined;
}

/** Answers with a file, a part of it, or 304. */
export async function sendFile(
  options: OperationOptions,
  address: SandboxAddress,
  request: FileBytesRequest,
  headers: Headers,
): Promise<Response> {
  const { op, conditions, path: { text, target } } = request;
  try {
    return await look(options, address, async ({ record }) => {
      const file = fileAt(await options.stored.tree(record), target);
      const tag = tagOf(file.ref);
      if (!holdsMatch(conditions, tag)) throw preconditionFailed(text, op);
      const state = stateHeaders(file, options.clock());
      if (!holdsNoneMatch(conditions, tag)) {
        return new Response(null, { status: 304, headers: state });
      }
      const range = rangeIn(headers, file.ref.bytes, tag);
      const data = await options.stored.contents(record?.lifetime ?? "", file.ref);
      const name = nameOf(target.path);
      const all = { ...state, ...contentHeaders(name, mimeTypeOf(name, data)) };
      if (range === undefined) return answerWith(data, 200, all);
      const { start, end } = range;
      const place = `bytes ${start}-${end - 1}/${data.length}`;
      // a copy, so that a slow reader of a part does not hold the rest
      return answerWith(data.slice(start, end), 206, { ...all, "content-range": place });
    });
  } catch (thrown) {
    throw failure(thrown, request);
  }
}

function answerWith(
  bytes: Uint8Array<ArrayBuffer>,
  status: number,
  headers: { readonly [name: string]: string },
): Response {
  const length = { "content-length": String(bytes.length) };
  return bytesResponse(bytes, { status, headers: { ...headers, ...length } });
}

function failure(thrown: unknown, { op, path: { text } }: FileBytesRequest): Error {
  if (thrown instanceof FileFault) return fileError(thrown, { op, path: text });
  if (thrown instanceof Error) return thrown;
  throw thrown;
}
