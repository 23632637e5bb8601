/**
 * The routes of the bytes of files (docs/contract.md#files-as-bytes).
 *
 * @module
 */
import { z } from "zod";
import { FILES_PATH } from "../client/protocol/paths.ts";
import type { Success } from "../shared/route.ts";
import { readFileRequest, readUpload, removeFile, sendFile, storeFile } from "./file_bytes.ts";
import { FILE_ROUTE } from "./file_path.ts";
import { inPlace, type SandboxRoute } from "./route.ts";

const TAG = { ETag: "ETag" } as const;
const STATE = { ...TAG, "Last-Modified": "LastModified" } as const;
const CONTENT = {
  ...STATE,
  "Accept-Ranges": "AcceptRanges",
  "Content-Disposition": "ContentDisposition",
  "Content-Security-Policy": "ContentSecurityPolicy",
} as const;

const BYTES = z.string().meta({ format: "binary" });
const OPTIONAL = z.string().optional();

const CONDITIONS = {
  "If-Match": OPTIONAL.describe("Tags, of which the file must have one, or `*`."),
  "If-None-Match": OPTIONAL.describe("Tags, of which the file must have none, or `*`."),
};

const FILE = {
  path: `${FILES_PATH}/{path}`,
  pattern: FILE_ROUTE,
  tag: "Sandbox",
  pathParameters: {
    path: z.string().min(1).describe(
      "Path of the file, absolute or relative to `/workspace`. Slashes may stay as they are; other " +
        "special characters are percent-encoded UTF-8.",
    ),
  },
  headerParameters: CONDITIONS,
} as const;

/** The routes, in the order of the document. */
export const FILE_ROUTES: readonly SandboxRoute[] = [
  {
    ...FILE,
    method: "get",
    id: "downloadFile",
    summary: "Read the bytes of a file",
    description: "A browser saves the file, and never shows or runs it.",
    headerParameters: {
      ...CONDITIONS,
      "Range": OPTIONAL.describe("One range of bytes; several are answered with the whole file."),
      "If-Range": OPTIONAL.describe("The tag for which `Range` holds."),
    },
    success: contents(200, "The file.", CONTENT),
    others: [
      contents(206, "The requested part of the file.", {
        ...CONTENT,
        "Content-Range": "ContentRange",
      }),
      { status: 304, description: "The file matches `If-None-Match`.", headers: STATE },
    ],
    errors: ["call", "fileBytes", "range"],
    answer: async (context, { options }) => {
      const { raw } = context.req;
      const request = readFileRequest(raw, "read", options.limits);
      return await inPlace(
        context,
        (address) => sendFile(options, address, request, raw.headers),
      );
    },
  },
  {
    ...FILE,
    method: "put",
    id: "uploadFile",
    summary: "Store the bytes of a file",
    description: "Creates or replaces a file, and creates missing parent directories. An " +
      "incomplete body changes nothing. The media type of the body does not matter.",
    headerParameters: {
      ...CONDITIONS,
      "Content-Range": OPTIONAL.describe(
        "The part of the file that the body has, as `bytes first-last/length`. Pieces come in order. " +
          "With `bytes */length` and no body, it asks which bytes are there.",
      ),
    },
    body: { mediaType: "*/*", schema: BYTES },
    success: { status: 201, description: "The file is new.", headers: TAG },
    others: [
      { status: 202, description: "The piece is kept.", headers: { Range: "KeptRange" } },
      { status: 204, description: "The file is replaced.", headers: TAG },
    ],
    errors: ["call", "fileBytes", "upload", "quota"],
    answer: async (context, { options }) => {
      const { raw: request } = context.req;
      const { address, body: { meter } } = context.env;
      const upload = await readUpload(options, address, { request, meter });
      if (upload instanceof Response) return upload;
      return await inPlace(context, (address) => storeFile(options, address, upload));
    },
  },
  {
    ...FILE,
    method: "delete",
    id: "deleteFile",
    summary: "Delete a file",
    description: "Directories are deleted by an operation on files.",
    success: { status: 204, description: "The file is deleted." },
    errors: ["call", "fileBytes"],
    answer: async (context, { options }) => {
      const request = readFileRequest(context.req.raw, "delete", options.limits);
      return await inPlace(context, (address) => removeFile(options, address, request));
    },
  },
];

function contents(
  status: 200 | 206,
  description: string,
  headers: NonNullable<Success["headers"]>,
): Success {
  return { status, description, mediaType: "*/*", schema: BYTES, headers };
}
