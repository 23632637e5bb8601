/**
 * The operations on the bytes of a file (docs/contract.md#files-as-bytes).
 *
 * @module
 */
import { z } from "zod";
import { FILES_PATH } from "../../client/protocol/paths.ts";
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";
import {
  callCauses,
  fileBytesCauses,
  quotaCauses,
  rangeCauses,
  uploadCauses,
} from "./error_causes.ts";
import type { Operation, Parameters, Success } from "./operation.ts";
import type { RequestOptions } from "./request_schemas.ts";
import { SANDBOX_PATH, sandboxCommon } from "./sandbox_operations.ts";

const TAG = { ETag: "ETag" } as const;
const STATE = { ...TAG, "Last-Modified": "LastModified" } as const;
const CONTENT = {
  ...STATE,
  "Accept-Ranges": "AcceptRanges",
  "Content-Disposition": "ContentDisposition",
  "Content-Security-Policy": "ContentSecurityPolicy",
} as const;

/** All of them. */
export function fileOperations(options: RequestOptions): readonly Operation[] {
  const { errors, pathParameters, headerParameters } = sandboxCommon(options);
  const common = {
    path: `${SANDBOX_PATH}${FILES_PATH}/{path}`,
    tag: "Sandbox",
    pathParameters: { ...pathParameters, path: pathSchema() },
    headerParameters: { ...headerParameters, ...conditions() },
  };
  const all = [...errors, ...callCauses(), ...fileBytesCauses()];
  return [
    {
      ...common,
      method: "get",
      id: "downloadFile",
      summary: "Read the bytes of a file",
      description: "A browser saves the file, and never shows or runs it.",
      headerParameters: { ...common.headerParameters, ...ranges() },
      success: contents(200, "The file.", CONTENT),
      others: [
        contents(206, "The requested part of the file.", {
          ...CONTENT,
          "Content-Range": "ContentRange",
        }),
        { status: 304, description: "The file matches `If-None-Match`.", headers: STATE },
      ],
      errors: [...all, ...rangeCauses()],
    },
    {
      ...common,
      method: "put",
      id: "uploadFile",
      summary: "Store the bytes of a file",
      description: "Creates or replaces a file of at most " +
        `${WORKSPACE_LIMITS.fileBytes} bytes, and creates missing parent directories. An incomplete ` +
        "body changes nothing. The media type of the body does not matter.",
      body: { mediaType: "*/*", schema: bytesSchema() },
      success: { status: 201, description: "The file is new.", headers: TAG },
      others: [{ status: 204, description: "The file is replaced.", headers: TAG }],
      errors: [...all, ...uploadCauses(), ...quotaCauses()],
    },
    {
      ...common,
      method: "delete",
      id: "deleteFile",
      summary: "Delete a file",
      description: "Directories are deleted by an operation on files.",
      success: { status: 204, description: "The file is deleted." },
      errors: all,
    },
  ];
}

function contents(
  status: 200 | 206,
  description: string,
  headers: { readonly [name: string]: string },
): Success {
  return { status, description, mediaType: "*/*", schema: bytesSchema(), headers };
}

function bytesSchema(): z.ZodType {
  return z.string().meta({ format: "binary" });
}

function pathSchema(): z.ZodType {
  return z.string().min(1).describe(
    "Path of the file, absolute or relative to `/workspace`. Slashes may stay as they are; other " +
      "special characters are percent-encoded UTF-8.",
  );
}

function conditions(): Parameters {
  const tags = z.string().optional();
  return {
    "If-Match": tags.describe("Tags, of which the file must have one, or `*`."),
    "If-None-Match": tags.describe("Tags, of which the file must have none, or `*`."),
  };
}

function ranges(): Parameters {
  const optional = z.string().optional();
  return {
    "Range": optional.describe("One range of bytes; several are answered with the whole file."),
    "If-Range": optional.describe("The tag for which `Range` holds."),
  };
}
