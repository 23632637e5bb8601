/**
 * The notebook of a context: imported once, changed by each run of the context in the commit of the run,
 * exported at any time (docs/contract.md#notebooks).
 *
 * @module
 */
import { z } from "zod";
import type { Display, ExecutionResult, ResultEntry } from "../client/protocol/types.ts";
import { isLanguage } from "../shared/languages.ts";
import { parseExactJson } from "../shared/exact_json.ts";
import { jsonTextResponse } from "../shared/responses.ts";
import type { ContextInfo } from "../shared/sandbox_types.ts";
import { storedExecutions } from "./context_history.ts";
import { contextWithId, createContext } from "./contexts.ts";
import type { Draft } from "./draft.ts";
import {
  decodeNotebook,
  encodeLatest,
  encodeNotebook,
  notebookOfRuns,
  type NotebookRun,
  notebookText,
  readNotebook,
  withRun,
} from "./notebook_format.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { NotebookRequest } from "./requests.ts";
import {
  type ContextRecord,
  homeOf,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";

/** Creates a context from a notebook. Nothing runs. Throws `VALIDATION_FAILED`. */
export async function importNotebook(
  options: OperationOptions,
  address: SandboxAddress,
  { binding, notebook }: NotebookRequest,
): Promise<ContextInfo> {
  options.bindings.contexts(binding);
  const { language } = options.bindings.get(binding);
  const contents = encodeNotebook(readNotebook(notebook, language));
  const request = { binding, cwd: undefined, envVars: new Map() };
  return await createContext(options, address, request, contents);
}

/** The body of `GET /contexts/:contextId/notebook`. Throws `CONTEXT_NOT_FOUND`. */
export async function exportNotebook(
  options: OperationOptions,
  address: SandboxAddress,
  contextId: string,
): Promise<Response> {
  const state = await options.changes.current(address);
  const text = await options.stored.steady(state, async (at) => {
    const { context } = contextWithId(at, contextId);
    const { record } = at;
    if (record === undefined || !isLanguage(context.language)) return "";
    const known = await notebookBytes(options, record, context);
    const notebook = known === undefined
      ? notebookOfRuns(await storedRuns(options, record, context))
      : decodeNotebook(known);
    return notebookText(notebook, context.language);
  });
  await options.changes.use(state);
  return jsonTextResponse(text);
}

const executionSchema: z.ZodType<NotebookRun> = z.object({
  code: z.string(),
  logs: z.object({ stdout: z.array(z.string()), stderr: z.array(z.string()) }),
  results: z.array(z.custom<ResultEntry>((value) => typeof value === "object")),
  displays: z.array(z.custom<Display>((value) => typeof value === "object")).exactOptional(),
  error: z.object({ name: z.string(), message: z.string(), traceback: z.array(z.string()) })
    .exactOptional(),
  executionCount: z.number().exactOptional(),
});

/** The runs of a context whose answers are stored, oldest first. */
async function storedRuns(
  options: OperationOptions,
  record: SandboxRecord,
  context: ContextRecord,
): Promise<readonly NotebookRun[]> {
  const executions = await storedExecutions(options, record, context);
  return executions.map(({ text }) => executionSchema.parse(parseExactJson(text))).reverse();
}

/** The programs that a context ran, as far as they are stored, the latest first. */
export async function sourcesOf(
  options: OperationOptions,
  state: SandboxState,
  contextId: string,
): Promise<readonly string[]> {
  return await options.stored.steady(state, async (at) => {
    const { record } = at;
    const { context } = contextWithId(at, contextId);
    if (record === undefined) return [];
    const known = await notebookBytes(options, record, context);
    const sources = known === undefined
      ? (await storedRuns(options, record, context)).map(({ code }) => code)
      : decodeNotebook(known).cells.map(({ source }) => source);
    return sources.reverse();
  });
}

/** The stored notebook of a context; undefined when it has none. Throws BlobCorrupt. */
export async function notebookBytes(
  { stored }: OperationOptions,
  record: SandboxRecord,
  { notebook }: ContextRecord,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return notebook === undefined ? undefined : await stored.contents(homeOf(record), notebook);
}

/** A run that is about to be committed. */
export interface RecordedRun {
  readonly record: SandboxRecord;
  readonly context: ContextRecord;
  readonly run: ExecutionResult;
}

/** Writes a run into the notebook of its context. Gives the context with the new one. */
export async function recordRun(
  options: OperationOptions,
  draft: Draft,
  { record, context, run }: RecordedRun,
): Promise<ContextRecord> {
  const known = await notebookBytes(options, record, context);
  if (known === undefined) return context;
  const contents = encodeLatest(withRun(decodeNotebook(known), run));
  if (contents === undefined) return context;
  return { ...context, notebook: draft.keepNotebook(record, context.notebook, contents) };
}
