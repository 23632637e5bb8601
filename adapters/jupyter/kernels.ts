/**
 * Kernels. A kernel is a sandbox with the kernel's id in its name and labels that say its language
 * and session, so every service on the store finds it. Its memory is the default context of the
 * language in that sandbox.
 *
 * @module
 */
import { z } from "zod";
import {
  CONTEXTS_PATH,
  INSPECT_PATH,
  NOTEBOOK_PATH,
  RUNS_PATH,
} from "../../client/protocol/paths.ts";
import type { Language } from "../../client/protocol/types.ts";
import type { InspectedName } from "../../shared/sandbox_types.ts";
import type { TermInfo } from "../../shared/sandbox_terms.ts";
import { sandboxPath, segment } from "../../shared/service_calls.ts";
import { kernelLanguage, kernelName } from "../../shared/notebook_languages.ts";
import type { JupyterPorts } from "./ports.ts";

/** A kernel. */
export interface Kernel {
  readonly id: string;
  readonly language: Language;
  readonly startedAt: number;
  readonly session: KernelSession;
}

/** The session of a kernel: which document it belongs to. */
export interface KernelSession {
  /** That of the kernel when the kernel was made without one. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly type: string;
}

const NAME = /^jupyter-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const LABEL = "jupyter";
const LABELS = {
  language: LABEL,
  session: `${LABEL}.session`,
  path: `${LABEL}.path`,
  name: `${LABEL}.name`,
  type: `${LABEL}.type`,
};
/** Status of a request for a context in a language that has none. */
const BAD_REQUEST = 400;

/** The sandbox of a kernel. */
export function sandboxOf(kernelId: string): string {
  return `jupyter-${kernelId}`;
}

/** Creates a kernel. A `Response` is the refusal of the service. */
export async function createKernel(
  language: Language,
  session: Partial<KernelSession>,
  ports: JupyterPorts,
  signal: AbortSignal,
): Promise<Kernel | Response> {
  const id = crypto.randomUUID();
  const kernel = {
    id,
    language,
    startedAt: Date.now(),
    session: { id, path: "", name: "", type: "", ...session },
  };
  await ports.terms.begin(sandboxOf(id), { metadata: labelsOf(kernel) });
  const answer = await ports.call({
    method: "POST",
    path: sandboxPath(language, sandboxOf(id), NOTEBOOK_PATH),
    body: { nbformat: 4, cells: [] },
  }, signal);
  await answer.body?.cancel();
  // a kernel in a language without contexts keeps files only
  if (answer.ok || answer.status === BAD_REQUEST) return kernel;
  await removeKernel(kernel, ports, new AbortController().signal);
  return answer;
}

/** Finds a kernel of the tenant. */
export async function findKernel(id: string, ports: JupyterPorts): Promise<Kernel | undefined> {
  if (!NAME.test(sandboxOf(id))) return undefined;
  const info = await ports.terms.find(sandboxOf(id));
  return info === undefined ? undefined : kernelOf(info, ports);
}

/** All kernels of the tenant. The quota of sandboxes bounds them. */
export async function listKernels(ports: JupyterPorts): Promise<readonly Kernel[]> {
  const found: Kernel[] = [];
  let cursor: string | undefined;
  do {
    const page = await ports.terms.list({
      limit: [],
      cursor: cursor === undefined ? [] : [cursor],
      metadata: {},
    });
    for (const info of page.sandboxes) {
      const kernel = kernelOf(info, ports);
      if (kernel !== undefined) found.push(kernel);
    }
    ({ cursor } = page);
  } while (cursor !== undefined && found.length < MAX_LISTED);
  return found;
}

/** Most kernels of a listing, which Jupyter's clients get in one piece. */
const MAX_LISTED = 1_000;

/** Deletes a kernel with its files. */
export async function removeKernel(
  { id, language }: Pick<Kernel, "id" | "language">,
  ports: JupyterPorts,
  signal: AbortSignal,
): Promise<Response> {
  return await ports.call(
    { method: "DELETE", path: sandboxPath(language, sandboxOf(id), "") },
    signal,
  );
}

/** Changes the session of a kernel. */
export async function relabelKernel(
  kernel: Kernel,
  change: Partial<KernelSession>,
  ports: JupyterPorts,
): Promise<Kernel | undefined> {
  const next = { ...kernel, session: { ...kernel.session, ...change } };
  const info = await ports.terms.relabel(sandboxOf(kernel.id), labelsOf(next));
  return info === undefined ? undefined : next;
}

const contextsSchema = z.object({
  contexts: z.array(z.object({ id: z.string(), binding: z.string().optional() })),
});

/** Empties the memory of a kernel. Its runs end. */
export async function restartKernel(
  { id, language }: Kernel,
  ports: JupyterPorts,
  signal: AbortSignal,
): Promise<void> {
  const context = await contextOf({ id, language }, ports, signal);
  if (context !== undefined) await ports.terms.restart(sandboxOf(id), context);
}

/** The id of the context of a kernel; undefined in a language without contexts. */
async function contextOf(
  { id, language }: Pick<Kernel, "id" | "language">,
  ports: JupyterPorts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = sandboxPath(language, sandboxOf(id), CONTEXTS_PATH);
  const answer = await ports.call({ method: "GET", path }, signal);
  if (answer.ok) return contextsSchema.parse(await answer.json()).contexts[0]?.id;
  await answer.body?.cancel();
  return undefined;
}

const inspectedSchema: z.ZodType<InspectedName> = z.object({
  name: z.string(),
  matches: z.array(z.object({ name: z.string(), type: z.string() })),
  text: z.string().exactOptional(),
});

/** Completes and explains the name at the end of some code; undefined for a kernel without inspection. */
export async function inspectInKernel(
  kernel: Pick<Kernel, "id" | "language">,
  code: string,
  ports: JupyterPorts,
  signal: AbortSignal,
): Promise<InspectedName | undefined> {
  const context = await contextOf(kernel, ports, signal);
  if (context === undefined) return undefined;
  const below = `${CONTEXTS_PATH}/${segment(context)}${INSPECT_PATH}`;
  const path = sandboxPath(kernel.language, sandboxOf(kernel.id), below);
  const answer = await ports.call({ method: "POST", path, body: { code } }, signal);
  if (answer.ok) return inspectedSchema.parse(await answer.json());
  await answer.body?.cancel();
  return undefined;
}

const runsSchema = z.object({ runs: z.array(z.object({ id: z.string(), state: z.string() })) });
const OPEN_STATES = ["queued", "running", "waiting"];

/** Ends the runs of a kernel that can wait, wherever they run. */
export async function cancelRuns(
  { id, language }: Kernel,
  ports: JupyterPorts,
  signal: AbortSignal,
): Promise<void> {
  const path = sandboxPath(language, sandboxOf(id), RUNS_PATH);
  const answer = await ports.call({ method: "GET", path }, signal);
  if (!answer.ok) return void await answer.body?.cancel();
  const { runs } = runsSchema.parse(await answer.json());
  for (const run of runs.filter(({ state }) => OPEN_STATES.includes(state))) {
    const ended = await ports.call(
      { method: "DELETE", path: `${path}/${segment(run.id)}` },
      signal,
    );
    await ended.body?.cancel();
  }
}

function labelsOf({ language, session }: Kernel): { readonly [name: string]: string } {
  return {
    [LABELS.language]: kernelName(language),
    [LABELS.session]: session.id,
    [LABELS.path]: session.path,
    [LABELS.name]: session.name,
    [LABELS.type]: session.type,
  };
}

/** Undefined for a sandbox that is not one of a kernel, and for a language that is not enabled. */
function kernelOf(
  { id: name, startedAt, metadata }: TermInfo,
  { languages }: JupyterPorts,
): Kernel | undefined {
  const id = NAME.exec(name)?.[1];
  const language = kernelLanguage(metadata[LABELS.language] ?? "", languages);
  if (id === undefined || language === undefined) return undefined;
  return {
    id,
    language,
    startedAt,
    session: {
      id: metadata[LABELS.session] ?? id,
      path: metadata[LABELS.path] ?? "",
      name: metadata[LABELS.name] ?? "",
      type: metadata[LABELS.type] ?? "",
    },
  };
}
