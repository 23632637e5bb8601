/**
 * `PUT`, `GET` and `DELETE` of a file: its bytes (docs/contract.md#files-as-bytes). None of them
 * waits for a run.
 *
 * @module
 */
import type { FileOperation } from "../client/protocol/sandbox_types.ts";
import { conflict, validationFailed } from "../shared/errors.ts";
import { BODY_DEADLINE_MS, WORKSPACE_LIMITS } from "../shared/limits.ts";
import { discardBody, readPlainBytes } from "../shared/read_body.ts";
import { bytesResponse, steppedResponse } from "../shared/responses.ts";
import { type BlobRef, STEP_BYTES } from "../store/blobs.ts";
import {
  type ByteRange,
  contentHeaders,
  type ContentRange,
  contentRangeIn,
  rangeIn,
  stateHeaders,
} from "./file_headers.ts";
import type { Draft } from "./draft.ts";
import { deletePath, type FileContents, putFile } from "./file_changes.ts";
import {
  type Conditions,
  conditionsOf,
  holdsMatch,
  holdsNoneMatch,
  preconditionFailed,
  tagOf,
} from "./file_conditions.ts";
import { fileError, FileFault } from "./file_fault.ts";
import { fileAt } from "./file_lookup.ts";
import { sentFilePath, type SentPath } from "./file_path.ts";
import { mimeTypeOf, mimeTypeOfStart } from "./file_text.ts";
import { look } from "./files.ts";
import { type BodyOptions, incomplete } from "./requests.ts";
import {
  homeOf,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";
import type { OperationOptions, RouteLimits } from "./operation_options.ts";
import { type Tree, TreeEdit } from "./tree.ts";
import {
  abandonUpload,
  checkClaim,
  type PieceBody,
  receivedBytes,
  receivePiece,
  receiveWhole,
  type WholeUpload,
} from "./upload_pieces.ts";
import { dropUpload, findUpload, type StoredUpload, withoutUpload } from "./upload_record.ts";
import { nameOf, type ResolvedPath } from "./workspace_path.ts";

/** Length of a file from which on it is written while it arrives. Shorter ones are one commit. */
const LONG_FILE_BYTES = WORKSPACE_LIMITS.fileBytes;

/** A request for a file, without a body. */
export interface FileBytesRequest {
  readonly op: FileOperation;
  readonly path: SentPath;
  readonly conditions: Conditions;
}

/** A file to store. */
export interface Upload extends FileBytesRequest {
  /** Its contents: bytes, or those of a blob that is written already. */
  readonly contents: FileContents;
  /** The upload that ends with it. */
  readonly upload?: WholeUpload;
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
 * Reads a file to store: with its contents, or into a blob where it is too large for that. Takes a
 * piece of it, which is answered at once unless it is the last one.
 *
 * @throws {ServiceError} `FILE_TOO_LARGE` as soon as the body is too long; `VALIDATION_FAILED`, the
 * errors of paths and of {@link receivePiece}, and what the meter throws.
 */
export async function readUpload(
  options: OperationOptions,
  address: SandboxAddress,
  { request, meter }: PieceBody,
): Promise<Upload | Response> {
  const { fileBytes } = options.limits.workspace;
  const { range, ...wanted } = await readUploadHead(request, meter, options.limits);
  const { path: { target } } = wanted;
  const tooLong = (actualSize: number) =>
    failure(new FileFault("EFBIG", { maxSize: fileBytes, actualSize }), wanted);
  try {
    if (range !== undefined) {
      const received = await takePiece(options, address, target, range, { request, meter });
      return received instanceof Response ? received : { ...wanted, ...received };
    }
    const length = lengthOf(request);
    if (Math.min(fileBytes, length ?? Infinity) > LONG_FILE_BYTES) {
      const body = { request, meter, length, most: { bytes: fileBytes, tooLong } };
      const upload = await receiveWhole(options, address, target, body);
      return { ...wanted, contents: { ref: upload.ref }, upload };
    }
    const { signal } = request;
    const rules = { maxBytes: fileBytes, deadlineMs: BODY_DEADLINE_MS, signal, tooLong };
    const data = await readPlainBytes(request, meter === undefined ? rules : { ...rules, meter });
    return { ...wanted, contents: { data } };
  } catch (thrown) {
    throw request.signal.aborted ? incomplete() : failure(thrown, wanted);
  } finally {
    // a sender that is cut off may never see the answer
    if (request.body?.locked === false) await discardBody(request, meter);
  }
}

function lengthOf({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length === null ? undefined : Number(length);
}

/** The head of a request that stores a file. If it is refused, some of the body is taken. */
async function readUploadHead(
  request: Request,
  meter: BodyOptions["meter"],
  limits: RouteLimits,
): Promise<FileBytesRequest & { readonly range: ContentRange | undefined }> {
  try {
    const range = contentRangeIn(request.headers);
    const wanted = readFileRequest(request, "write", limits);
    const { fileBytes: maxSize } = limits.workspace;
    if (range !== undefined && range.total > maxSize) {
      throw failure(new FileFault("EFBIG", { maxSize, actualSize: range.total }), wanted);
    }
    return { ...wanted, range };
  } catch (refusal) {
    await discardBody(request, meter);
    throw refusal;
  }
}

/** Takes a piece, or says which bytes are there. */
async function takePiece(
  options: OperationOptions,
  address: SandboxAddress,
  target: ResolvedPath,
  range: ContentRange,
  { request, meter }: PieceBody,
): Promise<Response | Pick<Upload, "contents" | "upload">> {
  if (!("start" in range)) {
    await readPlainBytes(request, { maxBytes: 0, tooLong: bodyOfQuestion });
    return resumable(await receivedBytes(options, address, target, range));
  }
  const upload = await receivePiece(options, address, target, range, { request, meter });
  if (upload.kind === "incomplete") return resumable(upload.bytes);
  return { contents: { ref: upload.ref }, upload };
}

function bodyOfQuestion() {
  return validationFailed("Content-Range: bytes */length asks, and takes no body");
}

/** The answer between pieces. */
function resumable(bytes: number): Response {
  const range = bytes === 0 ? {} : { range: `bytes=0-${bytes - 1}` };
  return new Response(null, { status: 202, headers: { "cache-control": "no-store", ...range } });
}

/** Stores a file and the directories that it is in: 201 when there was none, 204 otherwise. */
export async function storeFile(
  options: OperationOptions,
  address: SandboxAddress,
  upload: Upload,
): Promise<Response> {
  const { path: { target }, contents, upload: ends } = upload;
  const { workspace: limits } = options.limits;
  const rules = { recursive: true, limits, now: options.clock() };
  const made = await alterFile(options, address, upload, {
    apply: (edit) => putFile(edit, target, contents, rules),
    ...(ends === undefined ? {} : { ends }),
  }).catch(async (thrown: unknown) => {
    const isAlone = ends?.upload.key.at(-1) !== target.path;
    if (ends !== undefined && isAlone) await abandonUpload(options, address, ends);
    throw thrown;
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
  await alterFile(options, address, request, {
    apply: (edit, hadUpload) => {
      if (hadUpload && edit.get(target.path) === undefined) return;
      deletePath(edit, target, { recursive: false, force: false });
    },
    dropsUpload: true,
  });
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

interface AlteredFile {
  /** Tags of the file; undefined: there is none. */
  readonly before: string | undefined;
  readonly tag: string | undefined;
}

/** How a file changes. */
interface Alteration {
  readonly apply: (edit: TreeEdit, hadUpload: boolean) => void;
  /** The upload that the change ends. */
  readonly ends?: WholeUpload;
  /** Whether an unfinished upload of the file goes too. */
  readonly dropsUpload?: boolean;
}

/**
 * Changes a file if the conditions hold. Errors of the change itself come first: RFC 9110 evaluates
 * conditions only where the request would otherwise succeed.
 */
async function alterFile(
  options: OperationOptions,
  address: SandboxAddress,
  request: FileBytesRequest,
  { apply, ends, dropsUpload = false }: Alteration,
): Promise<AlteredFile> {
  const { op, conditions, path: { text, target } } = request;
  try {
    return await options.changes.change(address, async (state, draft) => {
      const tree = await options.stored.tree(state.record);
      const edit = new TreeEdit(tree);
      const dropped = dropsUpload ? await uploadAt(options, state, target.path) : undefined;
      apply(edit, dropped !== undefined);
      const before = tagAt(tree, target.path);
      if (!holdsMatch(conditions, before) || !holdsNoneMatch(conditions, before)) {
        throw preconditionFailed(text, op);
      }
      const record = options.changes.recordOrNew(state);
      if (dropped !== undefined) draft.keepTree(dropUpload(draft, record, dropped), edit);
      else if (ends !== undefined) draft.keepTree(await ended(options, draft, record, ends), edit);
      else draft.keepTree(record, edit);
      return { before, tag: draft.tree === undefined ? undefined : tagAt(draft.tree, target.path) };
    });
  } catch (thrown) {
    throw failure(thrown, request);
  }
}

async function uploadAt(
  { kv }: OperationOptions,
  { record }: SandboxState,
  path: string,
): Promise<StoredUpload | undefined> {
  return record?.uploads === undefined ? undefined : await findUpload(kv, record.lifetime, path);
}

/** Ends an upload in the commit that makes its file current. */
async function ended(
  options: OperationOptions,
  draft: Draft,
  record: SandboxRecord,
  { lifetime, upload }: WholeUpload,
): Promise<SandboxRecord> {
  if (record.lifetime !== lifetime) throw conflict("The sandbox was deleted during the upload");
  await checkClaim(options, upload);
  const { key, versionstamp } = upload;
  draft.transaction.check(key, versionstamp).delete(key);
  return withoutUpload(record, upload.record);
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
      const home = record === undefined ? "" : homeOf(record);
      if (file.ref.bytes > LONG_FILE_BYTES) {
        const whole = { start: 0, end: file.ref.bytes };
        const steps = options.stored.steps(home, file.ref, range ?? whole);
        return await answerInSteps(steps, nameOf(target.path), { state, range, ref: file.ref });
      }
      const data = await options.stored.contents(home, file.ref);
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

/** Answers with a long file, or a part of it. The first step is read before. */
async function answerInSteps(
  steps: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  name: string,
  { state, range, ref }: {
    readonly state: { readonly [name: string]: string };
    readonly range: ByteRange | undefined;
    readonly ref: BlobRef;
  },
): Promise<Response> {
  const { value: first } = await steps.next();
  const rest = async function* () {
    if (first instanceof Uint8Array) yield first;
    yield* steps;
  };
  const { start, end } = range ?? { start: 0, end: ref.bytes };
  const part = range === undefined
    ? {}
    : { "content-range": `bytes ${start}-${end - 1}/${ref.bytes}` };
  const headers = {
    ...state,
    ...contentHeaders(name, mimeTypeOfStart(name, first ?? new Uint8Array())),
    ...part,
    "content-length": String(end - start),
  };
  const status = range === undefined ? 200 : 206;
  return steppedResponse(rest(), 2 * STEP_BYTES, { status, headers });
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
