/**
 * Schemas of `POST /files` (docs/contract.md#files): requests and answers.
 *
 * @module
 */
import type { FileOperation, FilePermissions } from "../../client/protocol/sandbox_types.ts";
import { z } from "zod";
import type { FileText } from "../../sandbox/file_text.ts";
import { FILE_OPERATIONS, fileFields, NEEDED_FIELDS } from "../../sandbox/requests.ts";
import type { FileEncoding, FileInfo } from "../../shared/sandbox_types.ts";
import { countSchema, type Fields, flagSchema, textSchema, timestampSchema } from "./fields.ts";

/** Fields of every answer. */
export interface FileDone {
  readonly success: true;
  readonly path: string;
  readonly timestamp: string;
}

/** Answer of `read`. */
export interface FileContent extends FileDone, FileText {}

/** Answer of `mkdir`. */
export interface DirectoryMade extends FileDone {
  readonly recursive: boolean;
}

/** Answer of `rename` and `move`. */
export interface FileMoved extends FileDone {
  readonly newPath: string;
}

/** Answer of `list`. */
export interface FileListing extends FileDone {
  readonly files: readonly FileInfo[];
  readonly count: number;
}

/** Answer of `exists`. */
export interface FileExistence extends FileDone {
  readonly exists: boolean;
}

/** Answer of `stat`. */
export interface FileStat extends FileDone {
  readonly file: FileInfo;
}

/** Answer of any operation. */
export type FileAnswer =
  | FileContent
  | DirectoryMade
  | FileMoved
  | FileListing
  | FileExistence
  | FileStat
  | FileDone;

/** The schemas, by the names they have in the document. */
export interface FileSchemas {
  readonly FileRequest: z.ZodType;
  readonly FileAnswer: z.ZodType<FileAnswer>;
  readonly FileInfo: z.ZodType<FileInfo>;
  readonly FileContent: z.ZodType<FileContent>;
  readonly DirectoryMade: z.ZodType<DirectoryMade>;
  readonly FileMoved: z.ZodType<FileMoved>;
  readonly FileListing: z.ZodType<FileListing>;
  readonly FileExistence: z.ZodType<FileExistence>;
  readonly FileStat: z.ZodType<FileStat>;
  readonly FileDone: z.ZodType<FileDone>;
}

/** Makes the schemas. */
export function fileSchemas(): FileSchemas {
  const info = fileInfoSchema();
  const answers = {
    FileContent: fileContentSchema(),
    DirectoryMade: directoryMadeSchema(),
    FileMoved: fileMovedSchema(),
    FileListing: fileListingSchema(info),
    FileExistence: fileExistenceSchema(),
    FileStat: fileStatSchema(info),
    FileDone: fileDoneSchema(),
  };
  const answer: z.ZodType<FileAnswer> = z.union(Object.values(answers))
    .describe("The answer to an operation. Its fields depend on the operation.");
  return { FileRequest: fileRequestSchema(), FileAnswer: answer, FileInfo: info, ...answers };
}

/** The fields as they are read, for each kind of operation with those that it needs. */
function fileRequestSchema(): z.ZodType {
  const fields = fileFields();
  const { path } = fields;
  const optional = z.object({ ...fields }).partial().extend({ path });
  const needing = NEEDED_FIELDS.map(({ field, operations, description }) =>
    optional.extend({ op: oneOf(operations), [field]: fields[field].describe(description) })
  );
  const others = FILE_OPERATIONS.filter((operation) =>
    !NEEDED_FIELDS.some(({ operations }) => operations.includes(operation))
  );
  return z.union([optional.extend({ op: oneOf(others) }), ...needing])
    .describe("One operation on the files of a sandbox.");
}

function oneOf(operations: readonly FileOperation[]): z.ZodType<FileOperation> {
  return operations.length === 1 ? z.literal([...operations]) : z.enum(operations);
}

function doneFields() {
  return {
    success: z.literal(true),
    path: textSchema("The path, absolute and normalized."),
    timestamp: timestampSchema("When the operation was done."),
  } satisfies Fields<FileDone>;
}

function fileDoneSchema(): z.ZodType<FileDone> {
  return z.strictObject(doneFields()).describe("Answer of `write` and `delete`.");
}

function fileContentSchema(): z.ZodType<FileContent> {
  const encoding: z.ZodType<FileEncoding> = z.enum(["utf-8", "base64"]);
  return z.strictObject(
    {
      ...doneFields(),
      content: textSchema(
        "The contents. Bytes that are not UTF-8 become U+FFFD when text was requested.",
      ),
      encoding,
      isBinary: flagSchema("Whether the file is not UTF-8."),
      mimeType: textSchema("By the extension of the name."),
      size: countSchema("Length in bytes."),
    } satisfies Fields<FileContent>,
  ).describe("Answer of `read`.");
}

function directoryMadeSchema(): z.ZodType<DirectoryMade> {
  return z.strictObject(
    { ...doneFields(), recursive: flagSchema("As asked.") } satisfies Fields<DirectoryMade>,
  ).describe("Answer of `mkdir`.");
}

function fileMovedSchema(): z.ZodType<FileMoved> {
  return z.strictObject(
    {
      ...doneFields(),
      newPath: textSchema("The new path, absolute and normalized."),
    } satisfies Fields<FileMoved>,
  ).describe("Answer of `rename` and `move`.");
}

function fileListingSchema(info: z.ZodType<FileInfo>): z.ZodType<FileListing> {
  return z.strictObject(
    {
      ...doneFields(),
      files: z.array(info).describe("Sorted by path."),
      count: countSchema("Number of entries."),
    } satisfies Fields<FileListing>,
  ).describe("Answer of `list`.");
}

function fileExistenceSchema(): z.ZodType<FileExistence> {
  return z.strictObject(
    {
      ...doneFields(),
      exists: flagSchema("Whether there is such a file or directory."),
    } satisfies Fields<FileExistence>,
  ).describe("Answer of `exists`.");
}

function fileStatSchema(info: z.ZodType<FileInfo>): z.ZodType<FileStat> {
  return z.strictObject({ ...doneFields(), file: info } satisfies Fields<FileStat>)
    .describe("Answer of `stat`.");
}

function fileInfoSchema(): z.ZodType<FileInfo> {
  const permissions: z.ZodType<FilePermissions> = z.strictObject(
    {
      readable: z.boolean(),
      writable: z.boolean(),
      executable: z.boolean(),
    } satisfies Fields<FilePermissions>,
  );
  return z.strictObject(
    {
      name: textSchema("Last name of the path."),
      absolutePath: textSchema("Begins with `/workspace`."),
      relativePath: textSchema("Relative to the listed directory; for `stat` to `/workspace`."),
      type: z.enum(["file", "directory"]),
      size: countSchema("Bytes; 4096 for a directory."),
      modifiedAt: timestampSchema("When it was last written."),
      mode: z.string().regex(/^[d-](?:[r-][w-][x-]){3}$/).describe("For example `-rw-r--r--`."),
      permissions,
    } satisfies Fields<FileInfo>,
  ).describe("A file or directory.");
}
