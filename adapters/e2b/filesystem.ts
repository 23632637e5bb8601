/**
 * Files by unary calls of the Connect protocol: JSON in both directions.
 *
 * @module
 */
import { z } from "zod";
import { FILES_PATH } from "../../client/protocol/paths.ts";
import { JsonItems } from "../../shared/json_items.ts";
import { jsonResponse, memoryOf, streamedListResponse } from "../../shared/responses.ts";
import { stepsOf } from "../../shared/slices.ts";
import { sandboxPath } from "../../shared/service_calls.ts";
import { bodyOf } from "./body.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";
import { connectRefused, notImplemented, passedOn } from "./errors.ts";
import { absolutePath, homePath } from "./paths.ts";

const pathField = z.string("path must be a string");
const pathSchema = z.object({ path: pathField });
const listSchema = z.object({
  path: pathField,
  depth: z.int("depth must be a whole number").min(0).optional(),
});
const moveSchema = z.object({
  source: z.string("source must be a string"),
  destination: z.string("destination must be a string"),
});

const ownEntrySchema = z.object({
  name: z.string(),
  absolutePath: z.string(),
  type: z.string(),
  size: z.number(),
  modifiedAt: z.string(),
});
type OwnEntry = z.infer<typeof ownEntrySchema>;
const statSchema = z.object({ file: ownEntrySchema });

const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/** Calls `POST /files` of the sandbox. */
type Operate = (fields: { readonly [name: string]: unknown }) => Promise<Response>;

/** Answers a call. */
export async function filesystemCall(
  sandbox: string,
  name: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const [language = ""] = ports.languages;
  const path = sandboxPath(language, sandbox, FILES_PATH);
  const operate: Operate = (body) => ports.call({ method: "POST", path, body }, request.signal);
  switch (name) {
    case "ListDir":
      return await listDir(request, operate, ports);
    case "Stat":
      return await stat(absolutePath(bodyOf(request, pathSchema).path), operate);
    case "MakeDir":
      return await makeDir(absolutePath(bodyOf(request, pathSchema).path), operate);
    case "Move":
      return await move(request, operate);
    case "Remove":
      return await remove(absolutePath(bodyOf(request, pathSchema).path), operate);
    default:
      return notImplemented("The service does not watch directories");
  }
}

/** Converts the entries as they are read. */
async function listDir(
  request: E2bRequest,
  operate: Operate,
  { tenant }: E2bPorts,
): Promise<Response> {
  const { path: wanted, depth = 1 } = bodyOf(request, listSchema);
  const path = absolutePath(wanted);
  const recursive = depth > 1;
  const answer = await operate({ op: "list", path, recursive, includeHidden: true });
  if (!answer.ok || answer.body === null) return await passedOn(answer, connectRefused);
  const root = await operate({ op: "stat", path });
  if (!root.ok) {
    await answer.body.cancel();
    return await passedOn(root, connectRefused);
  }
  const base = depthOf(statSchema.parse(await root.json()).file.absolutePath);
  const items = new JsonItems(answer.body, "files", stepsOf(tenant));
  const entries = near(items, base + Math.max(1, depth));
  return await streamedListResponse("entries", entries, memoryOf(answer) ?? { bytes: 0 });
}

/** The entries down to a depth, as E2B writes them. */
async function* near(items: JsonItems, most: number): AsyncGenerator<object, void> {
  for await (const item of items) {
    const entry = ownEntrySchema.parse(item);
    if (depthOf(entry.absolutePath) <= most) yield entryOf(entry);
  }
}

function depthOf(path: string): number {
  return path.split("/").filter((part) => part !== "").length;
}

async function stat(path: string, operate: Operate): Promise<Response> {
  const answer = await operate({ op: "stat", path });
  if (!answer.ok) return await passedOn(answer, connectRefused);
  return jsonResponse({ entry: entryOf(statSchema.parse(await answer.json()).file) });
}

/** Makes missing parents; a directory that exists is an error. */
async function makeDir(path: string, operate: Operate): Promise<Response> {
  const alone = await operate({ op: "mkdir", path });
  const answer = alone.status === 404
    ? await operate({ op: "mkdir", path, recursive: true })
    : alone;
  if (!answer.ok) return await passedOn(answer, connectRefused);
  return await stat(path, operate);
}

/** Makes missing parents of the destination. */
async function move(request: E2bRequest, operate: Operate): Promise<Response> {
  const { source, destination } = bodyOf(request, moveSchema);
  const [path, newPath] = [absolutePath(source), absolutePath(destination)];
  const there = await operate({ op: "stat", path });
  if (!there.ok) return await passedOn(there, connectRefused);
  const parent = newPath.slice(0, Math.max(newPath.lastIndexOf("/"), 1));
  const created = await operate({ op: "mkdir", path: parent, recursive: true });
  if (!created.ok) return await passedOn(created, connectRefused);
  const answer = await operate({ op: "move", path, newPath });
  if (!answer.ok) return await passedOn(answer, connectRefused);
  return await stat(newPath, operate);
}

async function remove(path: string, operate: Operate): Promise<Response> {
  const answer = await operate({ op: "delete", path, recursive: true, force: true });
  return answer.ok ? jsonResponse({}) : await passedOn(answer, connectRefused);
}

function entryOf({ name, absolutePath, type, size, modifiedAt }: OwnEntry) {
  const isDirectory = type === "directory";
  return {
    name,
    type: isDirectory ? "FILE_TYPE_DIRECTORY" : "FILE_TYPE_FILE",
    path: homePath(absolutePath),
    size: String(isDirectory ? 0 : size),
    mode: isDirectory ? DIRECTORY_MODE : FILE_MODE,
    permissions: isDirectory ? "drwxr-xr-x" : "-rw-r--r--",
    owner: "user",
    group: "user",
    modifiedTime: modifiedAt,
  };
}
