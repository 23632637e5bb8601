/**
 * `POST /files`: every operation on a sandbox's files (docs/contract.md#files). None of them
 * waits for a run.
 *
 * @module
 */
import { isoTimestamp } from "../shared/clock.ts";
import { LazyArray } from "../shared/json_pieces.ts";
import { type AnswerMemory, jsonResponse, streamedJsonResponse } from "../shared/responses.ts";
import type { FileRequest } from "../shared/sandbox_types.ts";
import { slicesOf } from "../shared/slices.ts";
import { deletePath, makeDirectory, renamePath, writeFile } from "./file_changes.ts";
import { fileError, FileFault } from "./file_fault.ts";
import { fileAt, listDirectory, pathExists, statPath } from "./file_lookup.ts";
import { decodeContent, describeContent } from "./file_text.ts";
import { homeOf, type SandboxAddress, type SandboxState } from "./root_record.ts";
import type { OperationOptions } from "./operation_options.ts";
import { TreeEdit } from "./tree.ts";
import { type ResolvedPath, resolvePath } from "./workspace_path.ts";

/** Fields of an answer besides `success`, `path` and `timestamp`. */
interface Fields {
  readonly [name: string]: unknown;
  /** Not a field: the memory behind an answer that may be large. */
  readonly memory?: AnswerMemory;
}

/** Performs one operation and returns its answer. Throws the error codes of files. */
export async function operateOnFiles(
  options: OperationOptions,
  address: SandboxAddress,
  request: FileRequest,
): Promise<Response> {
  try {
    const target = resolvePath(request.path, options.limits.workspace);
    const { memory, ...fields } = await operate(options, address, request, target);
    const timestamp = isoTimestamp(options.clock);
    const body = { success: true, path: target.path, timestamp, ...fields };
    if (memory === undefined) return jsonResponse(body);
    return streamedJsonResponse(body, { tenant: address.tenant, memory });
  } catch (thrown) {
    throw thrown instanceof FileFault ? fileError(thrown, request) : thrown;
  }
}

async function operate(
  options: OperationOptions,
  address: SandboxAddress,
  request: FileRequest,
  target: ResolvedPath,
): Promise<Fields> {
  switch (request.op) {
    case "read":
      return await look(options, address, (state) => read(options, state, request, target));
    case "list":
      return await look(options, address, async ({ record }) => {
        const tree = await options.stored.tree(record);
        const slicer = slicesOf(address.tenant);
        const { count, bytes, entries } = await listDirectory(tree, target, request, slicer);
        const shared = { source: tree, bytes: tree.memoryBytes };
        return { files: new LazyArray(entries), count, memory: { bytes, shared } };
      });
    case "exists":
      return await look(options, address, async ({ record }) => {
        return { exists: pathExists(await options.stored.tree(record), target) };
      });
    case "stat":
      return await look(options, address, async ({ record }) => {
        const madeAt = record?.createdAt ?? options.clock();
        return { file: statPath(await options.stored.tree(record), target, madeAt) };
      });
    default:
      return await alter(options, address, alteration(options, request, target));
  }
}

async function read(
  options: OperationOptions,
  { record }: SandboxState,
  { path, encoding }: FileRequest,
  target: ResolvedPath,
): Promise<Fields> {
  const file = fileAt(await options.stored.tree(record), target);
  const data = await options.stored.contents(record === undefined ? "" : homeOf(record), file.ref);
  return { ...describeContent(path, data, encoding), memory: { bytes: data.byteLength } };
}

/** Reads a sandbox at one moment. This counts as a use but does not create the sandbox. */
export async function look<T>(
  options: OperationOptions,
  address: SandboxAddress,
  view: (state: SandboxState) => Promise<T>,
): Promise<T> {
  const state = await options.changes.current(address);
  const seen = await options.stored.steady(state, view);
  await options.changes.use(state);
  return seen;
}

interface Alteration {
  readonly apply: (edit: TreeEdit) => void;
  readonly fields: Fields;
}

function alteration(
  options: OperationOptions,
  request: FileRequest,
  target: ResolvedPath,
): Alteration {
  const { recursive, force } = request;
  const { workspace: limits } = options.limits;
  const now = options.clock();
  switch (request.op) {
    case "write": {
      const data = decodeContent(request.content ?? "", request.encoding ?? "utf-8");
      return {
        apply: (edit) => writeFile(edit, target, data, { recursive, limits, now }),
        fields: {},
      };
    }
    case "mkdir":
      return {
        apply: (edit) => makeDirectory(edit, target, { recursive, limits, now }),
        fields: { recursive },
      };
    case "delete":
      return { apply: (edit) => deletePath(edit, target, { recursive, force }), fields: {} };
    default: {
      const to = resolvePath(request.newPath ?? "", limits);
      return {
        apply: (edit) => renamePath(edit, target, to, limits),
        fields: { newPath: to.path },
      };
    }
  }
}

async function alter(
  options: OperationOptions,
  address: SandboxAddress,
  { apply, fields }: Alteration,
): Promise<Fields> {
  await options.changes.change(address, async (state, draft) => {
    const edit = new TreeEdit(await options.stored.tree(state.record));
    apply(edit);
    if (edit.changed) draft.keepTree(options.changes.recordOrNew(state), edit);
  });
  return fields;
}
