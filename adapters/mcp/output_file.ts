/**
 * The whole output of a run whose text for the model is cut: a file of its sandbox, in
 * `/workspace/.belljar`. The last ten are kept.
 *
 * The run is committed before the file is written, and its answer is sent after that. A program may
 * have put anything into the directory, so a file that cannot be written never fails the run.
 *
 * @module
 */
import { z } from "zod";
import { FILES_PATH, WORKSPACE } from "../../client/protocol/paths.ts";
import type { RunListener } from "../../shared/run_listener.ts";
import {
  type CallService,
  sandboxPath,
  segment,
  type ServiceCall,
} from "../../shared/service_calls.ts";

const DIRECTORY = `${WORKSPACE}/.belljar`;
/** Files that stay, the new one included. */
const MAX_FILES = 10;
/** Files that one run removes at most: a program may have made thousands of such names. */
const MAX_REMOVED = 10;
const NAME = /^output-\d{1,16}(?:-[0-9a-f]{8})?\.txt$/;
const CONTEXT_DIGITS = 8;
const PRECONDITION_FAILED = 412;

const listSchema = z.object({
  files: z.array(z.object({ name: z.string(), type: z.string(), modifiedAt: z.string() })),
});
const errorSchema = z.object({ code: z.string() });

/** Records the output of a run, both streams in order of arising. */
export class OutputRecorder implements RunListener {
  readonly mayRestart = true;
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;

  /** Forgets the output of an earlier beginning of the run. */
  start(): void {
    this.#parts = [];
    this.#length = 0;
  }

  output(_stream: string, bytes: Uint8Array): void {
    this.#parts.push(new Uint8Array(bytes));
    this.#length += bytes.length;
  }

  display(): void {}

  /** The output, as bytes. */
  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

/** The run whose output is stored. */
export interface OutputOwner {
  /** A language of the service, for the path. */
  readonly language: string;
  readonly sandbox: string;
  readonly context: { readonly id: string; readonly executions: number };
}

/** Where an output is, or the error code with which the service refused to store it. */
export type OutputFile = { readonly path: string } | { readonly refusedWith: string };

/** Stores an output and removes the oldest files of earlier ones. Never rejects. */
export async function storeOutput(
  bytes: Uint8Array<ArrayBuffer>,
  { language, sandbox, context: { id, executions } }: OutputOwner,
  { call, signal }: { readonly call: CallService; readonly signal: AbortSignal },
): Promise<OutputFile> {
  const send: Send = (request, below) =>
    call({ ...request, path: sandboxPath(language, sandbox, below), existing: true }, signal);
  const put = async (name: string, headers: Record<string, string>) => {
    const path = `${DIRECTORY}/${name}`;
    const answer = await send({ method: "PUT", bytes, headers }, fileRoute(path));
    return { answer, path };
  };
  await removeOldest(send);
  // another context of the sandbox may have had as many runs
  let { answer, path } = await put(`output-${executions}.txt`, { "if-none-match": "*" });
  if (answer.status === PRECONDITION_FAILED) {
    await answer.body?.cancel();
    ({ answer, path } = await put(`output-${executions}-${digitsOf(id)}.txt`, {}));
  }
  if (!answer.ok) return { refusedWith: await codeOf(answer) };
  await answer.body?.cancel();
  return { path };
}

type Send = (request: Omit<ServiceCall, "path">, below: string) => Promise<Response>;

/** Makes room for one more file. */
async function removeOldest(send: Send): Promise<void> {
  const body = { op: "list", path: DIRECTORY, includeHidden: true };
  const answer = await send({ method: "POST", body }, FILES_PATH);
  if (!answer.ok) return void await answer.body?.cancel();
  const listed = listSchema.safeParse(await answer.json().catch(() => undefined));
  const files = (listed.data?.files ?? [])
    .filter(({ name, type }) => type === "file" && NAME.test(name))
    .sort((one, other) => Date.parse(one.modifiedAt) - Date.parse(other.modifiedAt));
  const tooMany = files.slice(0, Math.max(0, files.length - MAX_FILES + 1)).slice(0, MAX_REMOVED);
  for (const { name } of tooMany) {
    const removed = await send({ method: "DELETE" }, fileRoute(`${DIRECTORY}/${name}`));
    await removed.body?.cancel();
  }
}

/** One segment, so that no character of it has a special meaning in the path. */
function fileRoute(path: string): string {
  return `${FILES_PATH}/${segment(path)}`;
}

/** Digits that tell contexts of a sandbox apart. */
function digitsOf(id: string): string {
  return id.replace(/[^0-9a-f]/g, "").slice(0, CONTEXT_DIGITS).padEnd(CONTEXT_DIGITS, "0");
}

async function codeOf(answer: Response): Promise<string> {
  const error = errorSchema.safeParse(await answer.json().catch(() => undefined));
  return error.data?.code ?? String(answer.status);
}
