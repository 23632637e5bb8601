/**
 * Files over HTTP: download, and upload of one file or several.
 *
 * @module
 */
import { FILES_PATH } from "../client/protocol/paths.ts";
import { validationFailed } from "../wire/errors.ts";
import { WORKSPACE_LIMITS } from "../wire/limits.ts";
import { tooLarge } from "../wire/read_body.ts";
import { sandboxPath, segment } from "../wire/service_calls.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";
import { passedOn, refused } from "./errors.ts";
import { absolutePath, homePath } from "./paths.ts";

/** A file to store. */
interface NewFile {
  readonly path: string;
  readonly data: Uint8Array<ArrayBuffer>;
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
  const { status, body } = answer;
  const length = answer.headers.get("content-length");
  return new Response(body, {
    status,
    headers: {
      "content-type": "application/octet-stream",
      "content-security-policy": "sandbox",
      ...(length === null ? {} : { "content-length": length }),
    },
  });
}

/** Stores the files in order. If one is refused, those before it stay stored. */
async function upload(
  sandbox: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const stored: { name: string; type: string; path: string }[] = [];
  for (const { path, data } of await filesIn(request)) {
    const target = filePath(sandbox, path, ports);
    const answer = await ports.call({ method: "PUT", path: target, bytes: data }, request.signal);
    if (!answer.ok) return await passedOn(answer);
    const shown = homePath(path);
    stored.push({ name: shown.slice(shown.lastIndexOf("/") + 1), type: "file", path: shown });
  }
  return Response.json(stored);
}

async function filesIn({ headers, query, body }: E2bRequest): Promise<readonly NewFile[]> {
  const type = headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data")) {
    const data = headers.get("content-encoding") === "gzip" ? await unpacked(body) : body;
    return [{ path: absolutePath(pathIn(query)), data }];
  }
  const form = await formIn(body, type);
  const only = query.get("path");
  const files = form.getAll("file").filter((part) => part instanceof File);
  if (files.length === 0) throw validationFailed("The form has no part named file");
  if (only !== null && files.length > 1) {
    throw validationFailed("path names one file, and the form has several");
  }
  return await Promise.all(files.map(async (file) => ({
    path: absolutePath(only ?? file.name),
    data: new Uint8Array(await file.arrayBuffer()),
  })));
}

async function formIn(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch {
    throw validationFailed("The body is not a form");
  }
}

/** Unpacks no more than a file may have. */
async function unpacked(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { fileBytes } = WORKSPACE_LIMITS;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const chunk of new Blob([body]).stream().pipeThrough(gunzip())) {
      length += chunk.length;
      if (length > fileBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw validationFailed("The body is not gzip");
  }
  if (length > fileBytes) throw tooLarge(fileBytes);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function gunzip(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new DecompressionStream("gzip");
}

function pathIn(query: URLSearchParams): string {
  const path = query.get("path");
  if (path === null || path === "") throw validationFailed("path must name a file");
  return path;
}

function filePath(sandbox: string, path: string, { languages: [first] }: E2bPorts): string {
  return sandboxPath(first ?? "", sandbox, `${FILES_PATH}/${segment(path)}`);
}
