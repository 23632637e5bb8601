/**
 * Files over HTTP: download, and upload of one file or several.
 *
 * @module
 */
import { FILES_PATH } from "../../client/protocol/paths.ts";
import { validationFailed } from "../../shared/errors.ts";
import { jsonResponse, withBodyOf } from "../../shared/responses.ts";
import { sandboxPath, segment } from "../../shared/service_calls.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";
import { passedOn, refused } from "./errors.ts";
import { absolutePath, homePath } from "./paths.ts";
import { filesInForm } from "./upload_form.ts";

/** A file to store. */
interface NewFile {
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | File;
  /** Headers for the content. */
  readonly headers?: { readonly [name: string]: string };
  /** Whether the content could not be unpacked. */
  readonly isBroken?: () => boolean;
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
  for (const { path, content, headers = {}, isBroken } of await filesIn(request, ports)) {
    const target = filePath(sandbox, path, ports);
    const bytes = content instanceof File ? await content.bytes() : content;
    const call = { method: "PUT", path: target, headers, bytes } as const;
    const answer = await ports.call(call, request.signal);
    if (!answer.ok && isBroken?.() === true) {
      await answer.body?.cancel();
      throw validationFailed("The body is not gzip");
    }
    if (!answer.ok) return await passedOn(answer);
    const shown = homePath(path);
    stored.push({ name: shown.slice(shown.lastIndexOf("/") + 1), type: "file", path: shown });
  }
  return jsonResponse(stored);
}

async function filesIn(
  { headers, query, body, stream }: E2bRequest,
  { tenant }: E2bPorts,
): Promise<readonly NewFile[]> {
  const type = headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data")) {
    const path = absolutePath(pathIn(query));
    if (stream === null) return [{ path, content: body }];
    if (headers.get("content-encoding") === "gzip") return [{ path, ...unpacked(stream) }];
    const length = headers.get("content-length");
    const known = length === null ? {} : { headers: { "content-length": length } };
    return [{ path, content: stream, ...known }];
  }
  const files = await filesInForm(body, type, tenant);
  const only = query.get("path");
  if (files.length === 0) throw validationFailed("The form has no part named file");
  if (only !== null && files.length > 1) {
    throw validationFailed("path names one file, and the form has several");
  }
  return files.map((file) => ({ path: absolutePath(only ?? file.name), content: file }));
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
): Pick<NewFile, "content" | "isBroken"> {
  const reader = ReadableStream.from(piecesOf(stream))
    .pipeThrough(new DecompressionStream("gzip")).getReader();
  let isBroken = false;
  const content = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (thrown) {
        isBroken = true;
        throw thrown;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return { content, isBroken: () => isBroken };
}

function pathIn(query: URLSearchParams): string {
  const path = query.get("path");
  if (path === null || path === "") throw validationFailed("path must name a file");
  return path;
}

function filePath(sandbox: string, path: string, { languages: [first] }: E2bPorts): string {
  return sandboxPath(first ?? "", sandbox, `${FILES_PATH}/${segment(path)}`);
}
