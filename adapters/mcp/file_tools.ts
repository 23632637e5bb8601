/**
 * The tools for the files of a sandbox, and for its deletion.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { FILES_PATH, WORKSPACE } from "../../client/protocol/paths.ts";
import type { Language } from "../../client/protocol/types.ts";
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { type FilePart, partOf, READ_BYTES, sizeIn } from "./file_part.ts";
import { JsonItems } from "../../shared/json_items.ts";
import { stepsOf } from "../../shared/slices.ts";
import { fitting, jsonBytes, MESSAGE_BYTES } from "./message_size.ts";
import { errorText, refusal, shortened, textResult } from "./results.ts";
import { sandboxPath, segment } from "../../shared/service_calls.ts";
import { defineTool, type Tool, type ToolCall } from "./tool.ts";

const sandbox = z.string().min(1).describe("The name of the sandbox.");
const path = z.string().min(1).describe("Absolute, or relative to /workspace.");

const writeInput = z.strictObject({
  sandbox,
  path,
  text: z.string().optional().describe("The contents as text. Give this or `base64`."),
  base64: z.string().optional().describe("The contents as base64. Give this or `text`."),
});
const writeOutput = z.looseObject({ path: z.string() });

/** `write_file`. */
export function writeFileTool(
  language: Language,
): Tool {
  return defineTool({
    name: "write_file",
    title: "Write a file",
    description: "Creates or replaces a file in a sandbox, with the directories above it. A new " +
      "sandbox name makes a sandbox. A file has at most 4 MiB.",
    input: writeInput,
    output: writeOutput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    run: async ({ sandbox, path, text, base64 }, { call, signal }) => {
      const content = text ?? base64;
      if (content === undefined || (text !== undefined && base64 !== undefined)) {
        return errorText("Give either `text` or `base64`");
      }
      const encoding = text === undefined ? "base64" : "utf-8";
      const body = { op: "write", path, content, encoding, recursive: true };
      const answer = await call({
        method: "POST",
        path: sandboxPath(language, sandbox, FILES_PATH),
        body,
      }, signal);
      if (!answer.ok) return await refusal(answer);
      const written = z.object({ path: z.string() }).parse(await answer.json());
      return textResult(`Wrote ${written.path}`, written);
    },
  });
}

const readInput = z.strictObject({
  sandbox,
  path,
  offset: z.int().min(0).optional().describe("The first byte; by default 0."),
  limit: z.int().min(1).max(WORKSPACE_LIMITS.fileBytes).optional()
    .describe(
      `Maximum number of bytes to read; by default ${READ_BYTES}. A long part may end earlier.`,
    ),
});
const readOutput = z.looseObject({
  path: z.string(),
  size: z.number().describe("Size of the whole file in bytes."),
  offset: z.number(),
  bytes: z.number().describe("Number of bytes in this part."),
  text: z.string().optional().describe("The part as text; present if it is UTF-8."),
  base64: z.string().optional().describe("The part as base64; present if it is not UTF-8."),
  nextOffset: z.number().optional().describe(
    "Offset of the next part; absent at the end of the file.",
  ),
});

/** `read_file`. */
export function readFileTool(language: Language): Tool {
  return defineTool({
    name: "read_file",
    title: "Read a file",
    description: `Reads a part of a file of a sandbox: ${READ_BYTES} bytes unless \`limit\` says ` +
      "otherwise. UTF-8 comes as text, anything else as base64. A note gives the size of the file " +
      "and the offset of the next part.",
    input: readInput,
    output: readOutput,
    annotations: { readOnlyHint: true, idempotentHint: true },
    run: (input, call) => readFile(language, input, call),
  });
}

async function readFile(
  language: Language,
  { sandbox, path, offset = 0, limit = READ_BYTES }: z.infer<typeof readInput>,
  { call, signal }: ToolCall,
): Promise<CallToolResult> {
  const absolute = path.startsWith("/") ? path : `${WORKSPACE}/${path}`;
  const answer = await call({
    method: "GET",
    // one segment, so that no character of it has a special meaning in the path
    path: sandboxPath(language, sandbox, `${FILES_PATH}/${segment(absolute)}`),
    headers: { range: `bytes=${offset}-${offset + limit - 1}` },
  }, signal);
  const size = sizeIn(answer);
  if (answer.status === 416 && offset === size) {
    await answer.body?.cancel();
    return partResult(absolute, { size, offset, bytes: 0, text: "" });
  }
  if (!answer.ok || size === undefined) return await refusal(answer);
  const data = new Uint8Array(await answer.arrayBuffer());
  return fitting(
    data.length,
    (bytes) => partResult(absolute, partOf(data.subarray(0, bytes), { size, offset })),
    2, // as text and as structured content
  );
}

function partResult(path: string, part: FilePart): CallToolResult {
  const { size, offset, bytes, text, base64, nextOffset } = part;
  const form = base64 === undefined ? "" : " as base64";
  const more = nextOffset === undefined ? "" : ` Read on with offset ${nextOffset}.`;
  const note = `[${bytes} bytes${form} from offset ${offset} of ${size} bytes.${more}]`;
  return {
    content: [{ type: "text", text: text ?? base64 ?? "" }, { type: "text", text: note }],
    structuredContent: { path, ...part },
  };
}

const listInput = z.strictObject({
  sandbox,
  path: path.optional().describe("The directory; by default /workspace."),
});
const entrySchema = z.looseObject({
  name: z.string(),
  absolutePath: z.string(),
  type: z.enum(["file", "directory"]),
  size: z.number(),
  modifiedAt: z.string(),
});
const listOutput = z.looseObject({
  path: z.string(),
  files: z.array(entrySchema),
  count: z.number().describe("Of all entries. Those for which a message has no room are not here."),
});
type Listed = z.infer<typeof listOutput>;

/** `list_files`. */
export function listFilesTool(language: Language): Tool {
  return defineTool({
    name: "list_files",
    title: "List files",
    description:
      "Lists the files and directories in a directory of a sandbox, including hidden ones.",
    input: listInput,
    output: listOutput,
    annotations: { readOnlyHint: true, idempotentHint: true },
    run: async ({ sandbox, path = WORKSPACE }, { call, signal, tenant }) => {
      const answer = await call({
        method: "POST",
        path: sandboxPath(language, sandbox, FILES_PATH),
        body: { op: "list", path, includeHidden: true },
      }, signal);
      if (!answer.ok || answer.body === null) return await refusal(answer);
      const { path: found, files, count } = await listedIn(answer.body, tenant);
      return fitting(
        files.length,
        (most) => listing({ path: found, files: files.slice(0, most), count }),
      );
    },
  });
}

/** Reads a list, of whose entries it keeps those for which a message has room. */
async function listedIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  tenant: string,
): Promise<Listed> {
  const items = new JsonItems(body, "files", stepsOf(tenant));
  const files: Listed["files"] = [];
  let bytes = 0;
  for await (const item of items) {
    if (bytes > MESSAGE_BYTES) continue;
    const entry = entrySchema.parse(item);
    files.push(entry);
    bytes += jsonBytes(entry);
  }
  return listOutput.strip().parse({ ...items.rest, files });
}

function listing(listed: Listed): CallToolResult {
  const { path, files, count } = listed;
  const lines = files.map(({ name, type, size }) =>
    type === "directory" ? `${name}/` : `${name} (${size} bytes)`
  );
  const some = files.length < count ? `, of which the first ${files.length} are here` : "";
  return textResult(shortened([`${path}: ${count} entries${some}`, ...lines].join("\n")), listed);
}

const deleteInput = z.strictObject({ sandbox });
const deleteOutput = z.looseObject({ sandbox: z.string(), deleted: z.boolean() });

/** `delete_sandbox`. */
export function deleteSandboxTool(
  language: Language,
): Tool {
  return defineTool({
    name: "delete_sandbox",
    title: "Delete a sandbox",
    description: "Deletes a sandbox with its files and its contexts.",
    input: deleteInput,
    output: deleteOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: async ({ sandbox }, { call, signal }) => {
      const path = sandboxPath(language, sandbox, "/");
      const answer = await call({ method: "DELETE", path }, signal);
      if (!answer.ok) return await refusal(answer);
      await answer.body?.cancel();
      return textResult(`Sandbox ${sandbox} is deleted`, { sandbox, deleted: true });
    },
  });
}
