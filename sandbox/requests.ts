/**
 * Reads the bodies of a sandbox's routes (docs/contract.md#sandbox-routes). The order of the checks
 * is that of `read_body.ts`, then that of the fields in the schemas.
 *
 * @module
 */
import type { FileOperation } from "../client/protocol/sandbox_types.ts";
import { z } from "zod";
import { type ServiceError, validationFailed } from "../shared/errors.ts";
import { BODY_DEADLINE_MS, CHECKPOINT_NAME_LENGTH } from "../shared/limits.ts";
import { NOTEBOOK_LIMITS } from "../shared/notebook_limits.ts";
import {
  type BodyMeter,
  type JsonObject,
  parseExactObject,
  readJsonBytes,
  readJsonObject,
} from "../shared/read_body.ts";
import { type MostRunLimits, runLimitsSchema } from "../shared/run_limits.ts";
import { REPLAY_FIELDS, type ReplayFields, replayOf } from "../shared/replay.ts";
import type {
  CreateContextRequest,
  EnvRequest,
  FileRequest,
  SandboxExecuteRequest,
} from "../shared/sandbox_types.ts";
import {
  codeSchema,
  ENV_LAYER_SCHEMA,
  type EnvLayer,
  NAME_PATTERN,
  parseBody,
  refusedSchema,
  REPR_SCHEMA,
  stdinSchema,
} from "../shared/schemas.ts";
import { CALL_FIELDS, type CallFieldSchemas, callFieldsOf } from "../shared/tool_schemas.ts";
import { layerBytes } from "./env_layers.ts";
import { fileError, FileFault } from "./file_fault.ts";
import { TEXTS_PER_PATH } from "./file_path.ts";
import type { RouteLimits } from "./operation_options.ts";
import { invalidName, isSandboxName } from "./sandbox_name.ts";

/** Options for reading a body, besides those of its route. */
export interface BodyOptions {
  /** Replaces the `binding` of the body. */
  readonly forcedBinding?: string;
  /** The context of a run that names none by its id. */
  readonly contextName?: string | undefined;
  /** Meters all bytes that are held. */
  readonly meter?: BodyMeter;
  /** Ends the reading. The request's own signal when absent. */
  readonly signal?: AbortSignal;
}

/**
 * Reads and checks a body. Rejects with `VALIDATION_FAILED` of status 415, 413 or 400, with
 * `FILESYSTEM_ERROR` for a path that is far too long, or with what the meter throws.
 */
export type BodyReader<T> = (request: Request, options: BodyOptions) => Promise<T>;

/** The bodies of all routes, read and checked, by the names of their schemas in the document. */
export interface SandboxBodies {
  readonly SandboxExecuteRequest: SandboxExecuteRequest;
  readonly CreateContextRequest: CreateContextRequest;
  /** An `.ipynb`, as it was sent. */
  readonly NotebookRequest: NotebookRequest;
  /** A program that ends with a name. */
  readonly InspectRequest: { readonly code: string };
  readonly EnvRequest: EnvRequest;
  readonly FileRequest: FileRequest;
  readonly ForkContextRequest: object;
  /** `to`: the name of the new sandbox. */
  readonly ForkSandboxRequest: { readonly to: string; readonly checkpoint?: string | undefined };
  /** `name`: of the checkpoint; null: none. */
  readonly CheckpointRequest: { readonly name: string | null };
}

/** A notebook to import. */
export interface NotebookRequest {
  readonly binding: string;
  readonly notebook: JsonObject;
}

/** The readers of the bodies. Create them once: creating a schema costs far more than using it. */
export type SandboxReaders = { readonly [B in keyof SandboxBodies]: BodyReader<SandboxBodies[B]> };

/** `params` of a zod issue that is answered with 413. */
const TOO_LARGE = { status: 413 } as const;
/**
 * Maximum structure of a body about a file: its eight fields have 16, the rest is room for unknown
 * fields.
 */
const FILE_STRUCTURE = 100;

/** Creates the readers. */
export function sandboxReaders(limits: RouteLimits): SandboxReaders {
  const reader = <T>(
    schema: z.ZodType<T, unknown>,
    length: { readonly maxBytes: number; readonly maxStructure?: number },
  ): BodyReader<T> => {
    const rules = { ...length, deadlineMs: BODY_DEADLINE_MS };
    return async (request, { forcedBinding, meter, signal = request.signal }) => {
      const metered = { ...rules, signal, ...(meter === undefined ? {} : { meter }) };
      const body = await readJsonObject(request, metered).catch((thrown: unknown) => {
        throw signal.aborted ? incomplete() : thrown;
      });
      return parseBody(
        schema,
        forcedBinding === undefined ? body : withBinding(body, forcedBinding),
      );
    };
  };
  const request = { maxBytes: limits.requestBytes };
  const fileRequest = { maxBytes: limits.fileRequestBytes, maxStructure: FILE_STRUCTURE };
  return {
    SandboxExecuteRequest: reader(executeSchema(limits), request),
    CreateContextRequest: reader(createContextSchema(limits), request),
    NotebookRequest: readNotebookRequest(limits),
    InspectRequest: reader(z.object({ code: codeSchema(limits.codeBytes) }), request),
    EnvRequest: reader(z.object({ ...envFields(limits) }), request),
    ForkContextRequest: reader(z.object({}), request),
    ForkSandboxRequest: reader(z.object({ ...forkFields() }), request),
    CheckpointRequest: reader(
      z.object({ ...checkpointFields() }).transform(({ name }) => ({ name: name ?? null })),
      request,
    ),
    FileRequest: withShortPaths(reader(fileSchema(), fileRequest), limits),
  };
}

/** Integers of outputs keep their digits. */
function readNotebookRequest(limits: RouteLimits): BodyReader<NotebookRequest> {
  const rules = { maxBytes: limits.fileRequestBytes, deadlineMs: BODY_DEADLINE_MS };
  const named = z.object({ binding: bindingSchema() });
  return async (request, { forcedBinding, meter, signal = request.signal }) => {
    const metered = { ...rules, signal, ...(meter === undefined ? {} : { meter }) };
    const bytes = await readJsonBytes(request, metered).catch((thrown: unknown) => {
      throw signal.aborted ? incomplete() : thrown;
    });
    const notebook = await parseExactObject(bytes, {
      tenant: meter?.tenant ?? "",
      maxStructure: NOTEBOOK_LIMITS.structure,
    });
    const { binding } = forcedBinding === undefined
      ? parseBody(named, notebook)
      : { binding: forcedBinding };
    return { binding, notebook };
  };
}

/** The caller disconnected while its body was read. */
export function incomplete(): ServiceError {
  return validationFailed("The request body is incomplete");
}

/** Resolving a path takes time proportional to its text, however short the result. */
function withShortPaths(
  read: BodyReader<FileRequest>,
  { workspace: { pathBytes } }: RouteLimits,
): BodyReader<FileRequest> {
  return async (request, options) => {
    const body = await read(request, options);
    const { path, newPath } = body;
    const most = TEXTS_PER_PATH * pathBytes;
    if (path.length <= most && (newPath ?? "").length <= most) return body;
    const [from, to] = [path.slice(0, pathBytes), newPath?.slice(0, pathBytes)];
    throw fileError(new FileFault("ENAMETOOLONG"), { ...body, path: from, newPath: to });
  };
}

function withBinding(body: JsonObject, binding: string): JsonObject {
  return Object.assign(Object.create(null), body, { binding });
}

/** The schemas of the fields of a run, but for `binding`, which the gateway sets. */
export interface ExecuteFields extends ReplayFields, CallFieldSchemas {
  readonly input: z.ZodType<unknown, unknown>;
  readonly cwd: z.ZodType<unknown, unknown>;
  readonly code: z.ZodType<string, unknown>;
  readonly envVars: z.ZodType<EnvLayer | undefined, unknown>;
  readonly limits: z.ZodType<SandboxExecuteRequest["limits"], unknown>;
  readonly stdin: z.ZodType<SandboxExecuteRequest["stdin"], unknown>;
  readonly repr: z.ZodType<boolean | undefined, unknown>;
  readonly contextId: z.ZodType<string | undefined, unknown>;
}

/**
 * Makes the fields, in the order in which they are checked. `most` is what the OpenAPI document
 * shows; when a body is read, it depends on the binding and is checked later.
 */
export function executeFields(
  limits: Pick<RouteLimits, "codeBytes" | "envLayerBytes" | "stdinBytes">,
  most?: MostRunLimits,
): ExecuteFields {
  return {
    input: refusedSchema(
      "input is not supported: pass data in envVars",
      "Refused: data is passed in `envVars`.",
    ),
    cwd: refusedSchema(
      "cwd is not supported: it belongs to the context",
      "Refused: it belongs to the context.",
    ),
    code: codeSchema(limits.codeBytes),
    envVars: layerSchema(limits).optional(),
    limits: runLimitsSchema(most).optional(),
    stdin: stdinSchema(limits.stdinBytes).optional(),
    ...REPLAY_FIELDS,
    repr: REPR_SCHEMA.optional(),
    ...CALL_FIELDS,
    contextId: z.string("contextId must be a string").optional()
      .describe("The context to run in. Without it, the default context of the path's language."),
  };
}

function executeSchema(limits: RouteLimits): z.ZodType<SandboxExecuteRequest, unknown> {
  const bindings = bindingSchema();
  return z.object({
    ...executeFields(limits),
    binding: z.unknown().optional(),
  }).transform((body, check) => {
    const { code, contextId, binding, envVars = new Map(), limits, stdin, repr } = body;
    const request = {
      code,
      contextId,
      envVars,
      ...(limits === undefined ? {} : { limits }),
      ...(stdin === undefined ? {} : { stdin }),
      ...replayOf(body),
      ...(repr === undefined ? {} : { repr }),
      ...callFieldsOf(body),
    };
    if (contextId !== undefined || binding === undefined) return request;
    const parsed = bindings.safeParse(binding);
    if (parsed.success) return { ...request, binding: parsed.data };
    const message = parsed.error.issues[0]?.message ?? "binding is not valid";
    check.issues.push({ code: "custom", message, input: binding });
    return z.NEVER;
  });
}

/** The schemas of the fields of a context to create, but for `binding`, which the gateway sets. */
export interface ContextFields {
  readonly cwd: z.ZodType<string | undefined, unknown>;
  readonly envVars: z.ZodType<EnvLayer | undefined, unknown>;
}

/** Makes the fields, in the order in which they are checked. */
export function contextFields(
  limits: Pick<RouteLimits, "envLayerBytes" | "workspace">,
): ContextFields {
  const most = TEXTS_PER_PATH * limits.workspace.pathBytes;
  return {
    cwd: pathSchema("cwd").refine((cwd) => cwd.length <= most, "cwd is too long").optional()
      .describe("An existing directory; `/workspace` when absent."),
    envVars: layerSchema(limits).optional(),
  };
}

function createContextSchema(limits: RouteLimits): z.ZodType<CreateContextRequest, unknown> {
  return z.object({ binding: bindingSchema(), ...contextFields(limits) })
    .transform(({ binding, cwd, envVars = new Map() }) => ({ binding, cwd, envVars }));
}

function bindingSchema(): z.ZodType<string, unknown> {
  return z.string("binding must be a string")
    .regex(NAME_PATTERN, "binding must match /^[A-Za-z_][A-Za-z0-9_]*$/");
}

/** The schema of the one field of `POST /env`. */
export interface EnvFields {
  readonly envVars: z.ZodType<EnvLayer, unknown>;
}

/** Makes the field. */
export function envFields(limits: Pick<RouteLimits, "envLayerBytes">): EnvFields {
  return { envVars: layerSchema(limits) };
}

/** Makes the fields of a fork of a sandbox. */
function forkFields() {
  const to = z.string("to must be a string")
    .refine(isSandboxName, {
      error: ({ input }) => invalidName(String(input).slice(0, SHOWN_NAME)).message,
    })
    .describe("Name of the new sandbox.");
  return { to, checkpoint: forkedCheckpoint() };
}

/** Makes the field of the checkpoint that a fork is of. */
export function forkedCheckpoint(): z.ZodType<string | undefined, unknown> {
  return z.string("checkpoint must be a string").min(1, "checkpoint must not be empty").optional()
    .describe("Id of a checkpoint of the sandbox. Without it, the fork has the state of now.");
}

/** Makes the fields of a checkpoint. */
export function checkpointFields(): { readonly name: z.ZodType<string | undefined, unknown> } {
  const name = z.string("name must be a string").min(1, "name must not be empty")
    .max(CHECKPOINT_NAME_LENGTH, `name has at most ${CHECKPOINT_NAME_LENGTH} characters`)
    .optional().describe("What the caller calls it. Several may have the same name.");
  return { name };
}

/** Characters of a refused name in its error. */
const SHOWN_NAME = 200;

function layerSchema(
  { envLayerBytes }: Pick<RouteLimits, "envLayerBytes">,
): z.ZodType<EnvLayer, unknown> {
  return ENV_LAYER_SCHEMA.refine((layer) => layerBytes(layer) <= envLayerBytes, {
    error: `envVars is larger than ${envLayerBytes} bytes`,
    params: TOO_LARGE,
  });
}

function pathSchema(field: string): z.ZodString {
  return z.string(`${field} must be a string`).min(1, `${field} must not be empty`);
}

function flagSchema(field: string, description: string): z.ZodType<boolean, unknown> {
  return z.boolean(`${field} must be a boolean`).describe(description);
}

/** The operations on files. */
export const FILE_OPERATIONS = [
  "read",
  "write",
  "mkdir",
  "delete",
  "rename",
  "move",
  "list",
  "exists",
  "stat",
] as const satisfies readonly FileOperation[];

/** A field that some operations need, and that is optional with the others. */
export interface NeededField {
  readonly field: "content" | "newPath";
  readonly operations: readonly FileOperation[];
  /** The meaning of the field for those operations. */
  readonly description: string;
}

/** The fields that only some operations need. */
export const NEEDED_FIELDS: readonly NeededField[] = [
  { field: "content", operations: ["write"], description: "What the file is to hold." },
  { field: "newPath", operations: ["rename", "move"], description: "The path it gets." },
];

/** The schemas of the fields of an operation on files. All but `op` and `path` can be absent. */
export type FileFields = {
  readonly [K in keyof FileRequest]-?: z.ZodType<Exclude<FileRequest[K], undefined>, unknown>;
};

/** Makes the fields, in the order in which they are checked. */
export function fileFields(): FileFields {
  return {
    op: z.enum(FILE_OPERATIONS, `op must be one of ${FILE_OPERATIONS.join(", ")}`),
    path: pathSchema("path").describe("Absolute, or relative to `/workspace`."),
    newPath: pathSchema("newPath").describe("Of `rename` and `move`, which need it."),
    content: z.string("content must be a string").describe("Of `write`, which needs it."),
    encoding: z.enum(["utf-8", "base64"], "encoding must be utf-8 or base64")
      .describe("How `content` travels. For `read` without it: text if it is UTF-8, else base64."),
    recursive: flagSchema(
      "recursive",
      "`write`: make missing parents. `mkdir`: those too, and accept one that exists. `delete`: " +
        "with all that is in it. `list`: go into directories.",
    ),
    force: flagSchema("force", "`delete`: a missing path is no error."),
    includeHidden: flagSchema(
      "includeHidden",
      "`list`: entries whose path has a segment that begins with a dot, too.",
    ),
  };
}

function fileSchema(): z.ZodType<FileRequest, unknown> {
  const { newPath, content, encoding, recursive, force, includeHidden, ...needed } = fileFields();
  return z.object({
    ...needed,
    newPath: newPath.optional(),
    content: content.optional(),
    encoding: encoding.optional(),
    recursive: recursive.default(false),
    force: force.default(false),
    includeHidden: includeHidden.default(false),
  }).check(({ value, issues }) => {
    const missing = NEEDED_FIELDS.find(({ field, operations }) =>
      operations.includes(value.op) && value[field] === undefined
    );
    if (missing === undefined) return;
    issues.push({ code: "custom", message: `${missing.field} must be a string`, input: value });
  });
}
