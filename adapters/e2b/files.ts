/**
 * Files over HTTP: download, and upload of one file or several.
 *
 * @module
 */
import { FILES_PATH } from "../../client/protocol/paths.ts";
import { type ServiceError, validationFailed } from "../../shared/errors.ts";
import { jsonResponse, withBodyOf } from "../../shared/responses.ts";
import { sandboxPath, segment } from "../../shared/service_calls.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";
import { passedOn, refused } from "./errors.ts";
import { absolutePath, homePath } from "./paths.ts";
import { filesInForm, filesInStream, isForm } from "./upload_form.ts";

/** A file to store. */
interface NewFile {
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Headers for the content. */
  readonly headers?: { readonly [name: string]: string };
  /** The fault of the request that ended the content. */
  readonly fault?: () => ServiceError | undefined;
}

/** Answers `/files`. */
export async function fileCall(
  sandbox: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const { method, path: [, ...more] } = request;
  if (more.length === 0 && method === "GET") return await download(sandbox, request, ports);
  if (more.length === 0 && method === "POST") return await upload(sandbox, request, ports);
  return refused({ status: 404, message: "There is no such route" });
}

async function download(
  sandbox: string,
  { query, signal }: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const path = filePath(sandbox, absolutePath(pathIn(query)), ports);
  const answer = await ports.call({ method: "GET", path }, signal);
  if (answer.status !== 200) return await passedOn(answer);
  const length = answer.headers.get("content-length");
  return withBodyOf(answer, {
    "content-type": "application/octet-stream",
    "content-security-policy": "sandbox",
    ...(length === null ? {} : { "content-length": length }),
  });
}

/** Stores the files in order, one at a time. If one is refused, those before it stay stored. */
async function upload(
  sandbox: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const stored: { name: string; type: string; path: string }[] = [];
  for await (const { path, content, headers = {}, fault } of filesIn(request, ports)) {
    const target = filePath(sandbox, path, ports);
    const call = { method: "PUT", path: target, headers, bytes: content } as const;
    const answer = await ports.call(call, request.signal);
    const reason = answer.ok ? undefined : fault?.();
    if (reason !== undefined) {
      await answer.body?.cancel();
      throw reason;
    }
    if (!answer.ok) return await passedOn(answer);
    const shown = homePath(path);
    stored.push({ name: shown.slice(shown.lastIndexOf("/") + 1), type: "file", path: shown });
  }
  return jsonResponse(stored);
}

/** The files of a request, in order. A form has been read whole, or is read meanwhile. */
async function* filesIn(request: E2bRequest, ports: E2bPorts): AsyncGenerator<NewFile, void> {
  const type = request.headers.get("content-type") ?? "";
  if (!isForm(type)) return yield fileIn(request);
  const { query, body, stream } = request;
  const path = query.get("path");
  const several = validationFailed("path names one file, and the form has several");
  const { tenant } = ports;
  const files = stream === null
    ? await filesInForm(body, type, tenant)
    : filesInStream(stream, type, tenant);
  if (path !== null && Array.isArray(files) && files.length > 1) throw several;
  let count = 0;
  for await (const { name, ...file } of files) {
    if (++count > 1 && path !== null) throw several;
    yield { path: absolutePath(path ?? name), ...file };
  }
  if (count === 0) throw validationFailed("The form has no part named file");
}

function fileIn({ headers, query, body, stream }: E2bRequest): NewFile {
  const path = absolutePath(pathIn(query));
  if (stream === null) return { path, content: body };
  if (headers.get("content-encoding") === "gzip") return { path, ...unpacked(stream) };
  const length = headers.get("content-length");
  const known = length === null ? {} : { headers: { "content-length": length } };
  return { path, content: stream, ...known };
}

/** Bytes that are unpacked at once: they grow to at most 4 MiB. */
const PIECE_BYTES = 4 * 1024;

async function* piecesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
    }
  }
}

/** Unpacks a body while it is read. Its reader bounds it. */
function unpacked(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Pick<NewFile, "content" | "fault"> {
  const reader = ReadableStream.from(piecesOf(stream))
    .pipeThrough(new DecompressionStream("gzip")).getReader();
  let fault: ServiceError | undefined;
  const content = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (thrown) {
        fault = validationFailed("The body is not gzip");
        throw thrown;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return { content, fault: () => fault };
}

function pathIn(query: URLSearchParams): string {
  const path = query.get("path");
  if (path === null || path === "") throw validationFailed("path must name a file");
  return path;
}

function filePath(sandbox: string, path: string, { languages: [first] }: E2bPorts): string {
  return sandboxPath(first ?? "", sandbox, `${FILES_PATH}/${segment(path)}`);
}
