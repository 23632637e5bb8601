/**
 * Reads the bodies of a sandbox's routes (docs/contract.md#sandbox-routes). The order of the checks
 * is that of `read_body.ts`, then that of the fields in the schemas.
 *
 * @module
 */
import { z } from "zod";
import { validationFailed } from "../wire/errors.ts";
import { BODY_DEADLINE_MS } from "../wire/limits.ts";
import {
  type BodyMeter,
  type BodyRules,
  type JsonObject,
  readJsonObject,
} from "../wire/read_body.ts";
import { runLimitsSchema } from "../wire/run_limits.ts";
import type {
  CreateContextRequest,
  EnvRequest,
  FileRequest,
  SandboxExecuteRequest,
} from "../wire/sandbox_types.ts";
import {
  codeSchema,
  type EnvLayer,
  envLayerSchema,
  NAME_PATTERN,
  parseBody,
  refusedSchema,
} from "../wire/schemas.ts";
import { layerBytes } from "./env_layers.ts";
import { fileError, FileFault } from "./file_fault.ts";
import type { RouteLimits } from "./sandbox_parts.ts";

/** Options for reading a body, besides those of its route. */
export interface BodyOptions {
  /** Replaces `binding`, whatever the body says. */
  readonly forcedBinding?: string;
  /** Meters all bytes that are held. */
  readonly meter?: BodyMeter;
}

/**
 * Reads and checks a body. Rejects with `VALIDATION_FAILED` of status 415, 413 or 400, with
 * `FILESYSTEM_ERROR` for a path that is far too long, or with what the meter throws.
 */
export type BodyReader<T> = (request: Request, options: BodyOptions) => Promise<T>;

/** The readers of all routes. Create them once: creating a schema costs far more than using it. */
export interface SandboxReaders {
  readonly execute: BodyReader<SandboxExecuteRequest>;
  readonly createContext: BodyReader<CreateContextRequest>;
  readonly env: BodyReader<EnvRequest>;
  readonly files: BodyReader<FileRequest>;
}

/** `params` of a zod issue that is answered with 413. */
const TOO_LARGE = { status: 413 } as const;
/**
 * Maximum structure of a body about a file: its eight fields have 16, the rest is room for unknown
 * fields.
 */
const FILE_STRUCTURE = 100;
/** Length of a path's text relative to the longest path, because it may contain `.` and `..`. */
const TEXTS = 4;

/** Creates the readers. */
export function sandboxReaders(limits: RouteLimits): SandboxReaders {
  const reader = <T>(
    schema: z.ZodType<T, unknown>,
    length: Pick<BodyRules, "maxBytes" | "maxStructure">,
  ): BodyReader<T> => {
    const rules = { ...length, deadlineMs: BODY_DEADLINE_MS };
    return async (request, { forcedBinding, meter }) => {
      const { signal } = request;
      const metered = { ...rules, signal, ...(meter === undefined ? {} : { meter }) };
      const body = await readJsonObject(request, metered).catch((thrown: unknown) => {
        throw signal.aborted ? validationFailed("The request body is incomplete") : thrown;
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
    execute: reader(executeSchema(limits), request),
    createContext: reader(createContextSchema(limits), request),
    env: reader(z.object({ envVars: layerSchema(limits) }), request),
    files: withShortPaths(reader(fileSchema(), fileRequest), limits),
  };
}

/** Resolving a path takes time proportional to its text, however short the result. */
function withShortPaths(
  read: BodyReader<FileRequest>,
  { workspace: { pathBytes } }: RouteLimits,
): BodyReader<FileRequest> {
  return async (request, options) => {
    const body = await read(request, options);
    const { path, newPath } = body;
    const most = TEXTS * pathBytes;
    if (path.length <= most && (newPath ?? "").length <= most) return body;
    const [from, to] = [path.slice(0, pathBytes), newPath?.slice(0, pathBytes)];
    throw fileError(new FileFault("ENAMETOOLONG"), { ...body, path: from, newPath: to });
  };
}

function withBinding(body: JsonObject, binding: string): JsonObject {
  return Object.assign(Object.create(null), body, { binding });
}

function executeSchema(limits: RouteLimits): z.ZodType<SandboxExecuteRequest, unknown> {
  return z.object({
    input: refusedSchema("input is not supported: pass data in envVars"),
    cwd: refusedSchema("cwd is not supported: it belongs to the context"),
    code: codeSchema(limits.codeBytes),
    envVars: layerSchema(limits).optional(),
    limits: runLimitsSchema().optional(),
    contextId: z.string("contextId must be a string").optional(),
    binding: z.unknown().optional(),
  }).transform(({ code, contextId, binding, envVars = new Map(), limits: asked }, check) => {
    const request = { code, contextId, envVars, ...(asked === undefined ? {} : { limits: asked }) };
    if (contextId !== undefined || binding === undefined) return request;
    const parsed = bindingSchema().safeParse(binding);
    if (parsed.success) return { ...request, binding: parsed.data };
    const message = parsed.error.issues[0]?.message ?? "binding is not valid";
    check.issues.push({ code: "custom", message, input: binding });
    return z.NEVER;
  });
}

function createContextSchema(limits: RouteLimits): z.ZodType<CreateContextRequest, unknown> {
  return z.object({
    binding: bindingSchema(),
    cwd: pathSchema("cwd").max(TEXTS * limits.workspace.pathBytes, "cwd is too long").optional(),
    envVars: layerSchema(limits).optional(),
  }).transform(({ binding, cwd, envVars = new Map() }) => ({ binding, cwd, envVars }));
}

function bindingSchema(): z.ZodType<string, unknown> {
  return z.string("binding must be a string")
    .regex(NAME_PATTERN, "binding must match /^[A-Za-z_][A-Za-z0-9_]*$/");
}

function layerSchema({ envLayerBytes }: RouteLimits): z.ZodType<EnvLayer, unknown> {
  return envLayerSchema().refine((layer) => layerBytes(layer) <= envLayerBytes, {
    error: `envVars is larger than ${envLayerBytes} bytes`,
    params: TOO_LARGE,
  });
}

function pathSchema(field: string): z.ZodString {
  return z.string(`${field} must be a string`).min(1, `${field} must not be empty`);
}

function flagSchema(field: string): z.ZodType<boolean, unknown> {
  return z.boolean(`${field} must be a boolean`).default(false);
}

const OPERATIONS = [
  "read",
  "write",
  "mkdir",
  "delete",
  "rename",
  "move",
  "list",
  "exists",
  "stat",
] as const;

function fileSchema(): z.ZodType<FileRequest, unknown> {
  return z.object({
    op: z.enum(OPERATIONS, `op must be one of ${OPERATIONS.join(", ")}`),
    path: pathSchema("path"),
    newPath: pathSchema("newPath").optional(),
    content: z.string("content must be a string").optional(),
    encoding: z.enum(["utf-8", "base64"], "encoding must be utf-8 or base64").optional(),
    recursive: flagSchema("recursive"),
    force: flagSchema("force"),
    includeHidden: flagSchema("includeHidden"),
  }).refine(({ op, newPath }) => (op !== "rename" && op !== "move") || newPath !== undefined, {
    error: "newPath must be a string",
  }).refine(({ op, content }) => op !== "write" || content !== undefined, {
    error: "content must be a string",
  });
}
