/**
 * Files over HTTP: download, and upload of one file or several.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import { FILES_PATH } from "../../client/protocol/paths.ts";
import { validationFailed } from "../../shared/errors.ts";
import { tooLarge } from "../../shared/read_body.ts";
import { jsonResponse, withBodyOf } from "../../shared/responses.ts";
import { sandboxPath, segment } from "../../shared/service_calls.ts";
import { THREAD } from "../../shared/slices.ts";
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
  for (const { path, content, headers = {} } of await filesIn(request, ports)) {
    const target = filePath(sandbox, path, ports);
    const bytes = content instanceof File ? await content.bytes() : content;
    const call = { method: "PUT", path: target, headers, bytes } as const;
    const answer = await ports.call(call, request.signal);
    if (!answer.ok) return await passedOn(answer);
    const shown = homePath(path);
    stored.push({ name: shown.slice(shown.lastIndexOf("/") + 1), type: "file", path: shown });
  }
  return jsonResponse(stored);
}

async function filesIn(
  { headers, query, body, stream }: E2bRequest,
  { tenant, limits }: E2bPorts,
): Promise<readonly NewFile[]> {
  const type = headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data")) {
    const path = absolutePath(pathIn(query));
    if (stream !== null) {
      const length = headers.get("content-length");
      const known = length === null ? {} : { headers: { "content-length": length } };
      return [{ path, content: stream, ...known }];
    }
    if (headers.get("content-encoding") !== "gzip") return [{ path, content: body }];
    await THREAD.next(tenant);
    return [{ path, content: unpacked(body, limits.fileBytes) }];
  }
  const files = await filesInForm(body, type, tenant);
  const only = query.get("path");
  if (files.length === 0) throw validationFailed("The form has no part named file");
  if (only !== null && files.length > 1) {
    throw validationFailed("path names one file, and the form has several");
  }
  return files.map((file) => ({ path: absolutePath(only ?? file.name), content: file }));
}

/** Unpacks no more than a file may have. */
function unpacked(body: Uint8Array<ArrayBuffer>, fileBytes: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(gunzipSync(body, { maxOutputLength: fileBytes }));
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooLarge(fileBytes);
    throw validationFailed("The body is not gzip");
  }
}

function pathIn(query: URLSearchParams): string {
  const path = query.get("path");
  if (path === null || path === "") throw validationFailed("path must name a file");
  return path;
}

function filePath(sandbox: string, path: string, { languages: [first] }: E2bPorts): string {
  return sandboxPath(first ?? "", sandbox, `${FILES_PATH}/${segment(path)}`);
}
