/**
 * Notebooks as Jupyter stores them (nbformat 4), and the runs of a context as their cells.
 *
 * @module
 */
import { z } from "zod";
import { utf8Length } from "../client/protocol/text.ts";
import type { ExecutionResult, Language } from "../client/protocol/types.ts";
import { type ServiceError, validationFailed } from "../shared/errors.ts";
import { parseExactJson } from "../shared/exact_json.ts";
import { LANGUAGE_INFO } from "../shared/languages.ts";
import { NOTEBOOK_LIMITS } from "../shared/notebook_limits.ts";
import { kernelName, languageInfo } from "../shared/notebook_languages.ts";
import { notebookLanguage } from "../client/protocol/language_names.ts";
import type { JsonObject } from "../shared/read_body.ts";

/** The version of the format that is written. */
const FORMAT = { nbformat: 4, nbformat_minor: 5 } as const;
const CELL_ID = /^[A-Za-z0-9_-]{1,64}$/;

const anyObject = z.record(z.string(), z.unknown(), "must be an object");
const lines = z.union(
  [z.string(), z.array(z.string()).transform((parts) => parts.join(""))],
  "must be a text or a list of texts",
);
const count = z.int("must be an integer or null").nullish().transform((value) => value ?? null);
const data = { data: anyObject, metadata: anyObject.default({}) };

const outputSchema = z.discriminatedUnion("output_type", [
  z.object({ output_type: z.literal("stream"), name: z.string("must be a text"), text: lines }),
  z.object({ output_type: z.literal("display_data"), ...data }),
  z.object({ output_type: z.literal("execute_result"), ...data, execution_count: count }),
  z.object({
    output_type: z.literal("error"),
    ename: z.string("must be a text"),
    evalue: z.string("must be a text"),
    traceback: z.array(z.string("must be a text"), "must be a list of texts"),
  }),
], "must be stream, display_data, execute_result or error");

const common = {
  id: z.string().optional().catch(undefined),
  metadata: anyObject.default({}),
  source: lines,
};

const cellSchema = z.discriminatedUnion("cell_type", [
  z.object({
    cell_type: z.literal("code"),
    ...common,
    execution_count: count,
    outputs: z.array(outputSchema, "must be a list").default([]),
  }),
  z.object({ cell_type: z.literal("markdown"), ...common, attachments: anyObject.optional() }),
  z.object({ cell_type: z.literal("raw"), ...common, attachments: anyObject.optional() }),
], "must be code, markdown or raw");

const notebookSchema = z.object({
  nbformat: z.literal(FORMAT.nbformat, "must be 4"),
  metadata: anyObject.default({}),
  cells: z.array(cellSchema, "must be a list")
    .max(NOTEBOOK_LIMITS.cells, `has at most ${NOTEBOOK_LIMITS.cells} cells`),
});

type Cell = z.output<typeof cellSchema>;
type CodeCell = Extract<Cell, { readonly cell_type: "code" }>;
type Output = z.output<typeof outputSchema>;

/** A notebook. */
export interface Notebook {
  /** That of the whole document, as it was imported. */
  readonly metadata: { readonly [name: string]: unknown };
  readonly cells: readonly Cell[];
  /** Id of the cell that a run has changed last. */
  readonly latest?: string | undefined;
}

/** A run whose outputs become those of a cell. */
export type NotebookRun = Pick<
  ExecutionResult,
  "code" | "logs" | "results" | "displays" | "error" | "executionCount"
>;

const storedSchema = z.object({
  metadata: anyObject,
  cells: z.array(cellSchema),
  latest: z.string().optional(),
});

/**
 * Reads an `.ipynb` for a context of a language.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`, with the place of the first fault.
 */
export function readNotebook(body: JsonObject, language: Language): Notebook {
  const parsed = notebookSchema.safeParse(body);
  if (!parsed.success) throw faultOf(parsed.error);
  const { metadata, cells } = parsed.data;
  checkLanguage(metadata, language);
  const notebook = { metadata, cells: withIds(cells) };
  if (encodeNotebook(notebook) === undefined) {
    throw validationFailed(`The notebook has more than ${NOTEBOOK_LIMITS.bytes} bytes`, 413);
  }
  return notebook;
}

function faultOf({ issues: [issue] }: z.ZodError): ServiceError {
  const path = issue?.path.join(".") ?? "";
  const reason = issue?.code === "invalid_type" && issue.message.startsWith("Invalid")
    ? "is missing or of another type"
    : issue?.message ?? "is not valid";
  return validationFailed(`The notebook is not valid: ${path === "" ? "it" : path} ${reason}`);
}

const namedSchema = z.object({
  language_info: z.object({ name: z.string() }).optional().catch(undefined),
  kernelspec: z.object({ language: z.string() }).optional().catch(undefined),
});

/** Throws for a notebook of another language, whose cells could not run. */
function checkLanguage(metadata: unknown, language: Language): void {
  const { language_info, kernelspec } = namedSchema.parse(metadata);
  const name = language_info?.name ?? kernelspec?.language;
  if (name === undefined || notebookLanguage(name) === language) return;
  throw validationFailed(
    `The notebook is written in ${JSON.stringify(name.slice(0, 64))}, ` +
      `and this path is for ${LANGUAGE_INFO[language].name}`,
  );
}

/** Gives each cell an id of its own. */
function withIds(cells: readonly Cell[]): readonly Cell[] {
  const taken = new Set<string>();
  return cells.map((cell, index) => {
    const { id = "" } = cell;
    const own = CELL_ID.test(id) && !taken.has(id) ? id : freeId(taken, `cell-${index + 1}`);
    taken.add(own);
    return { ...cell, id: own };
  });
}

function freeId(taken: ReadonlySet<string>, wanted: string): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
  return id;
}

/** A notebook whose cells are runs, oldest first. */
export function notebookOfRuns(runs: readonly NotebookRun[]): Notebook {
  return { metadata: {}, cells: withIds(runs.map(cellOf)) };
}

function cellOf(run: NotebookRun): CodeCell {
  const { code, executionCount } = run;
  return {
    cell_type: "code",
    id: `run-${executionCount ?? 0}`,
    metadata: {},
    source: code,
    execution_count: executionCount ?? null,
    outputs: outputsOf(run),
  };
}

/**
 * A notebook after a run of its context: the outputs of the cell with the same program are those of the
 * run. Of several such cells it is the next one after the latest. Without one, the run is a new cell
 * after all others.
 */
export function withRun({ metadata, cells, latest }: Notebook, run: NotebookRun): Notebook {
  const from = cells.findIndex(({ id }) => id === latest);
  const isSame = (cell: Cell) =>
    cell.cell_type === "code" && cell.source.trimEnd() === run.code.trimEnd();
  const after = cells.findIndex((cell, index) => index > from && isSame(cell));
  const at = after === -1 ? cells.findIndex(isSame) : after;
  const known = cells[at];
  const made = cellOf(run);
  if (known?.cell_type !== "code") {
    if (cells.length >= NOTEBOOK_LIMITS.cells) return { metadata, cells, latest };
    const id = freeId(new Set(cells.map(({ id = "" }) => id)), made.id ?? "");
    return { metadata, cells: [...cells, { ...made, id }], latest: id };
  }
  const { outputs, execution_count } = made;
  return {
    metadata,
    cells: cells.with(at, { ...known, outputs, execution_count }),
    latest: known.id,
  };
}

function outputsOf(run: NotebookRun): Output[] {
  const { logs, displays = [], results: [value], error, executionCount } = run;
  const main = displays.find((display) => display.main);
  const outputs: Output[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    const text = logs[name].map((line) => `${line}\n`).join("");
    if (text !== "") outputs.push({ output_type: "stream", name, text });
  }
  for (const display of displays.filter((display) => display !== main)) {
    outputs.push({
      output_type: "display_data",
      data: display.data,
      metadata: display.metadata ?? {},
    });
  }
  if (value !== undefined || main !== undefined) {
    const plain = value?.repr ?? value?.text ?? JSON.stringify(value?.json);
    outputs.push({
      output_type: "execute_result",
      data: { ...(plain === undefined ? {} : { "text/plain": plain }), ...main?.data },
      metadata: main?.metadata ?? {},
      execution_count: executionCount ?? null,
    });
  }
  if (error !== undefined) {
    const { name: ename, message: evalue, traceback } = error;
    outputs.push({ output_type: "error", ename, evalue, traceback: [...traceback] });
  }
  return outputs;
}

/** A notebook as it is stored; undefined: it is too large. */
export function encodeNotebook(notebook: Notebook): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(notebook));
  return bytes.length > NOTEBOOK_LIMITS.bytes ? undefined : bytes;
}

/**
 * A notebook after a run, as it is stored. To make room, the outputs of the first cells are left out,
 * at last those of the run. Undefined: even then there is no room.
 */
export function encodeLatest(notebook: Notebook): Uint8Array<ArrayBuffer> | undefined {
  const whole = encodeNotebook(notebook);
  if (whole !== undefined) return whole;
  let excess = utf8Length(JSON.stringify(notebook)) - NOTEBOOK_LIMITS.bytes;
  const lightened = notebook.cells.map((cell) => {
    if (cell.cell_type !== "code" || cell.id === notebook.latest || excess <= 0) return cell;
    excess -= utf8Length(JSON.stringify(cell.outputs)) - 2;
    return { ...cell, outputs: [] };
  });
  const light = { ...notebook, cells: lightened };
  return encodeNotebook(light) ?? encodeNotebook({
    ...light,
    cells: lightened.map((cell) => "outputs" in cell ? { ...cell, outputs: [] } : cell),
  });
}

/** Reads what {@link encodeNotebook} has written. */
export function decodeNotebook(bytes: Uint8Array): Notebook {
  return storedSchema.parse(parseExactJson(new TextDecoder().decode(bytes)));
}

/** A notebook as a file of Jupyter. */
export function notebookText({ metadata, cells }: Notebook, language: Language): string {
  return JSON.stringify({
    cells,
    metadata: {
      ...metadata,
      kernelspec: {
        display_name: LANGUAGE_INFO[language].name,
        language,
        name: kernelName(language),
      },
      language_info: languageInfo(language),
    },
    ...FORMAT,
  });
}
