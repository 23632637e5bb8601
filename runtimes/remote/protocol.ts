/**
 * The protocol between a gateway and a runtime on another machine for a run in a context
 * (docs/contract.md#remote-runtimes).
 *
 * `POST /interpreters/:key/run` carries a message (`wire/message.ts`) both ways. The first request
 * has the arguments. Its answer is the outcome, or a list of missing files and a ticket. The second
 * request has the ticket and the files, and its answer is the outcome. While the files are fetched,
 * the ticket holds the isolate for a few seconds.
 *
 * `runtimes/remote/` owns both sides of this protocol over HTTP. It must not know how a language
 * runs, nor who calls.
 *
 * @module
 */
import { z } from "zod";
import type {
  ExecuteInContextArgs,
  InterpreterExecuteRpcResult,
} from "../../wire/run_in_context.ts";
import type { Display } from "../../client/protocol/types.ts";
import { readDisplay, REWRITTEN_BYTES } from "../../wire/display.ts";
import { hasMoreStructure } from "../../wire/json_structure.ts";
import { type LanguageLimits, MAX_DISPLAYS, WORKSPACE_LIMITS } from "../../wire/limits.ts";
import { decodeMessage, encodeMessage, type Message, ProtocolError } from "../../wire/message.ts";
import { REPLAY_FIELDS, replayOf } from "../../wire/replay.ts";
import { runLimitsSchema } from "../../wire/run_limits.ts";
import { STDIN_SCHEMA } from "../../wire/schemas.ts";
import { jsonEntry, parseExactJson } from "../exact_json.ts";
import { contextResultSchema, errorBodySchema, fileHeadSchema } from "./shapes.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Entries = readonly (readonly [name: string, text: string])[];
/** A file whose contents are part of the message. */
type FileHead = readonly [path: string, updatedAt: number];

/** Maximum structural characters of a head besides lines: well above what the limits allow. */
const MAX_HEAD_STRUCTURE = 256 * 1024;
/** The value, and the contents of files. */
const MAX_PARTS = 1 + WORKSPACE_LIMITS.entries;
/** Status of an answer: the ticket is unknown or has expired. */
export const TICKET_LOST = 410;
/** Media type of the messages. */
export const MESSAGE_TYPE = "application/octet-stream";

/** A parsed request. */
export type RemoteRequest =
  | { readonly kind: "run"; readonly args: Omit<ExecuteInContextArgs, "signal"> }
  | { readonly kind: "files"; readonly ticket: string; readonly files: readonly RemoteFile[] };

/** A file in transit. */
export interface RemoteFile {
  readonly path: string;
  readonly data: Bytes;
  readonly updatedAt: number;
}

/** A parsed answer. */
export type RemoteAnswer =
  | { readonly kind: "need"; readonly paths: readonly string[]; readonly ticket: string }
  | { readonly kind: "outcome"; readonly outcome: InterpreterExecuteRpcResult };

const entries = z.array(z.tuple([z.string(), z.string()]));
const count = z.number().int().nonnegative();
const fileHeads = z.array(fileHeadSchema);

const requestSchema = z.union([
  z.object({
    run: z.object({
      contextId: z.string(),
      code: z.string(),
      envVars: entries,
      dirs: z.array(z.string()),
      manifest: entries,
      snapshot: z.string().nullable(),
      fence: count,
      tenant: z.string(),
      limits: runLimitsSchema().exactOptional(),
      stdin: STDIN_SCHEMA.exactOptional(),
      notebook: z.boolean().exactOptional(),
      seed: REPLAY_FIELDS.seed,
      clock: REPLAY_FIELDS.clock,
      maxWaitMs: z.number().nonnegative().exactOptional(),
    }),
  }),
  z.object({ ticket: z.string(), files: fileHeads }),
]);

const answerSchema = z.union([
  z.object({ need: z.array(z.string()), ticket: z.string() }),
  z.object({ failed: errorBodySchema }),
  z.object({
    result: contextResultSchema,
    values: z.array(z.enum(["text", "json"])).max(1),
    displays: z.array(z.string()).min(1).max(MAX_DISPLAYS).exactOptional(),
    dirs: z.array(z.string()),
    files: fileHeads,
    deleted: z.array(z.string()),
  }),
]);

/** Encodes arguments as a message. */
export function encodeRun(args: ExecuteInContextArgs): Bytes {
  const { contextId, code, envVars, workspace, snapshot, fence, tenant } = args;
  const { limits, stdin, notebook, seed, clock, maxWaitMs } = args;
  const run = {
    contextId,
    code,
    envVars: Object.entries(envVars),
    dirs: workspace.dirs,
    manifest: Object.entries(workspace.manifest),
    snapshot,
    fence,
    tenant,
    limits,
    stdin,
    notebook,
    seed,
    clock,
    maxWaitMs,
  };
  return encodeMessage({ run });
}

/** Encodes files as a message. */
export function encodeFiles(ticket: string, files: readonly RemoteFile[]): Bytes {
  const heads = files.map(({ path, updatedAt }): FileHead => [path, updatedAt]);
  return encodeMessage({ ticket, files: heads }, files.map(({ data }) => data));
}

/** Reads a request. Throws a ProtocolError. */
export function decodeRequest(bytes: Bytes): RemoteRequest {
  const message = decodeMessage(bytes, MAX_HEAD_STRUCTURE, MAX_PARTS);
  const parsed = requestSchema.safeParse(message.head);
  if (!parsed.success) throw new ProtocolError("the request has another shape");
  if ("ticket" in parsed.data) {
    const { ticket, files } = parsed.data;
    return { kind: "files", ticket, files: filesOf(message, files, 0) };
  }
  const { envVars, dirs, manifest, seed, clock, ...rest } = parsed.data.run;
  const workspace = { dirs, manifest: record(manifest) };
  return {
    kind: "run",
    args: { ...rest, ...replayOf({ seed, clock }), envVars: record(envVars), workspace },
  };
}

/** Encodes the list of missing files as a message. */
export function encodeNeed(paths: readonly string[], ticket: string): Bytes {
  return encodeMessage({ need: paths, ticket });
}

/** Encodes an outcome as a message. The value, if there is one, and the files are its parts. */
export function encodeOutcome(outcome: InterpreterExecuteRpcResult): Bytes {
  if (!outcome.ok) {
    return encodeMessage({ failed: outcome.body });
  }
  const { results, displays, workspace: { dirs, files, deleted }, ...result } = outcome.result;
  const values = results.map(({ text, json }) =>
    text === undefined
      ? { kind: "json", body: JSON.stringify(json) ?? "null" }
      : { kind: "text", body: text }
  );
  const head = {
    result,
    values: values.map(({ kind }) => kind),
    // as text, whose structure is measured before it is parsed
    displays: displays?.map((display) => JSON.stringify(display)),
    dirs,
    files: files.map(({ path, updatedAt }): FileHead => [path, updatedAt]),
    deleted,
  };
  const encoder = new TextEncoder();
  const parts = [...values.map(({ body }) => encoder.encode(body)), ...files.map((f) => f.data)];
  return encodeMessage(head, parts);
}

/** Limits of an answer. */
export type AnswerLimits = Pick<
  LanguageLimits,
  "outputLines" | "tracebackBytes" | "resultBytes"
>;

/** Reads an answer. Throws a ProtocolError, or a SyntaxError when a value is not JSON. */
export function decodeAnswer(bytes: Bytes, limits: AnswerLimits): RemoteAnswer {
  const lines = limits.outputLines + limits.tracebackBytes;
  const message = decodeMessage(bytes, MAX_HEAD_STRUCTURE + lines, MAX_PARTS);
  const parsed = answerSchema.safeParse(message.head);
  if (!parsed.success) throw new ProtocolError("the answer has another shape");
  if ("need" in parsed.data) {
    return { kind: "need", paths: parsed.data.need, ticket: parsed.data.ticket };
  }
  if ("failed" in parsed.data) {
    const { failed: body } = parsed.data;
    return { kind: "outcome", outcome: { ok: false, status: body.httpStatus, body } };
  }
  const { result, values, displays, dirs, files, deleted } = parsed.data;
  const results = values.map((kind, index) => {
    const part = message.parts[index] ?? new Uint8Array();
    if (hasMoreStructure(part, limits.resultBytes)) {
      throw new ProtocolError("a value is too large");
    }
    const text = new TextDecoder().decode(part);
    return kind === "text" ? { text } : jsonEntry(text);
  });
  const workspace = { dirs, files: filesOf(message, files, values.length), deleted };
  return {
    kind: "outcome",
    outcome: { ok: true, result: { ...result, results, ...shown(displays), workspace } },
  };
}

/** Reads displays. Throws a ProtocolError for an invalid one. */
function shown(texts: readonly string[] | undefined): { readonly displays?: readonly Display[] } {
  if (texts === undefined) return {};
  const displays = texts.map((text) => {
    const json = new TextEncoder().encode(text);
    const display = json.length > REWRITTEN_BYTES ? undefined : readDisplay(json, parseExactJson);
    if (display === undefined) throw new ProtocolError("a display of another shape");
    return display;
  });
  return { displays };
}

function filesOf(message: Message, heads: readonly FileHead[], first: number): RemoteFile[] {
  if (message.parts.length !== first + heads.length) throw new ProtocolError("parts are missing");
  return heads.map(([path, updatedAt], index) => ({
    path,
    data: (message.parts[first + index] ?? new Uint8Array()).slice(),
    updatedAt,
  }));
}

/** Maps with user text as keys have no prototype. */
function record(pairs: Entries): { readonly [name: string]: string } {
  const made: { [name: string]: string } = Object.create(null);
  for (const [name, text] of pairs) made[name] = text;
  return made;
}
