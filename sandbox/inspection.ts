/**
 * Looks at the memory of a context: its variables, the names that begin like a name, the meaning of a
 * name (docs/contract.md#looking-into-a-context).
 *
 * A program of the service runs in the context, in its turn, and is never committed: memory, files and
 * directory stay as they are, and the run is not counted. So objects of the caller may do in it whatever
 * they do when they are printed. Its answer is a program's, and is checked like one.
 *
 * @module
 */
import { z } from "zod";
import { runtimeUnavailable, validationFailed } from "../shared/errors.ts";
import { isLanguage } from "../shared/languages.ts";
import type { ContextVariable, InspectedName } from "../shared/sandbox_types.ts";
import { WaitBudget } from "../shared/wait_budget.ts";
import { claimContext } from "./context_claim.ts";
import { contextWithId } from "./contexts.ts";
import { INSPECTION_PROGRAMS, MAX_NAMES } from "./inspection_programs.ts";
import { sourcesOf } from "./notebooks.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress } from "./root_record.ts";
import { runAtRuntime } from "./runtime_run.ts";

/** A program looks for so long, at most. */
const LIMITS = { fuel: 2_000_000_000, wallMs: 3_000 } as const;
/** It waits for so long while a run has the context, in milliseconds. */
const WAIT_MS = 2_000;
/** Names of the program that are tried. */
const MAX_CANDIDATES = 1_000;
/** Longest path of names, in characters and names. */
const MAX_PATH = { chars: 500, names: 20 } as const;

const text = (length: number) => z.string().transform((value) => value.slice(0, length));
const name = text(200);
const variablesSchema = z.array(z.object({
  name,
  type: name,
  size: name.exactOptional(),
  preview: text(1_000),
}));
const inspectedSchema = z.object({
  matches: z.array(z.object({ name, type: name })),
  text: text(10_000).nullable(),
});

/** A context to look into. */
export interface InspectedContext {
  readonly address: SandboxAddress;
  readonly contextId: string;
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The variables of a context, the latest ones last. Throws `VALIDATION_FAILED` for some languages. */
export async function contextVariables(
  options: OperationOptions,
  context: InspectedContext,
): Promise<readonly ContextVariable[]> {
  const { programs, sources } = await programsFor(options, context);
  const value = await look(options, context, programs.variables(candidatesIn(sources)));
  return variablesSchema.parse(value).slice(-MAX_NAMES);
}

/** Completes and explains the name at the end of a program. */
export async function inspectName(
  options: OperationOptions,
  context: InspectedContext,
  code: string,
): Promise<InspectedName> {
  const { programs, sources } = await programsFor(options, context);
  const names = namesAtEnd(code);
  if (names === undefined) return { name: "", matches: [] };
  const question = {
    path: names.slice(0, -1),
    prefix: names.at(-1) ?? "",
    candidates: programs.tries && names.length === 1 ? candidatesIn([code, ...sources]) : [],
  };
  const { matches, text } = inspectedSchema.parse(
    await look(options, context, programs.inspect(question)),
  );
  return {
    name: names.join("."),
    matches: matches.slice(0, MAX_NAMES),
    ...(text === null ? {} : { text }),
  };
}

/** The programs of a context's language, and the programs that it ran, the latest first. */
async function programsFor(
  options: OperationOptions,
  { address, contextId }: InspectedContext,
) {
  const state = await options.changes.current(address);
  const { language } = contextWithId(state, contextId).context;
  const programs = isLanguage(language) ? INSPECTION_PROGRAMS[language] : undefined;
  if (programs === undefined) {
    throw validationFailed(`A context of ${language} cannot be looked into`);
  }
  const sources = programs.tries ? await sourcesOf(options, state, contextId) : [];
  return { programs, sources };
}

/** The names joined by dots at the end of a program; undefined: there is no name. */
function namesAtEnd(code: string): readonly string[] | undefined {
  const end = code.slice(-MAX_PATH.chars);
  let start = end.length;
  while (start > 0 && /[\p{L}\p{N}_$.]/u.test(end[start - 1] ?? "")) start--;
  const path = end.slice(start).split(".");
  const before = end[start - 1] ?? "";
  const isName = path.length <= MAX_PATH.names &&
    path.every((part, index) =>
      index === path.length - 1 ? !/^\p{N}/u.test(part) : /^[\p{L}_$]/u.test(part)
    );
  // a member of a call, an index or a text is none of a name
  const isMember = path[0] === "" && path.length > 1 || /[)\]}"'`]/.test(before) && path[0] === "";
  return isName && !isMember ? path : undefined;
}

/** The names in programs, the latest first. */
function candidatesIn(sources: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const source of sources) {
    for (const [found] of source.slice(0, 20_000).matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      names.add(found);
      if (names.size >= MAX_CANDIDATES) return [...names];
    }
  }
  return [...names];
}

/** Runs a program in a context without a commit. Gives its value. */
async function look(
  options: OperationOptions,
  { address, contextId, signal }: InspectedContext,
  code: string,
): Promise<unknown> {
  const { tenant } = address;
  const wait = new WaitBudget(Math.min(WAIT_MS, options.limits.maxWaitMs), options.clock);
  const stopWaiting = options.admission.wait(tenant);
  const claim = await claimContext(options, address, { contextId }, { caller: signal, wait })
    .finally(stopWaiting);
  if (claim === undefined) throw runtimeUnavailable();
  try {
    const { binding } = claim.found.context;
    const { mostRunLimits: most = LIMITS } = options.bindings.get(binding);
    const limits = {
      fuel: Math.min(LIMITS.fuel, most.fuel),
      wallMs: Math.min(LIMITS.wallMs, most.wallMs),
    };
    const asked = { code, envVars: new Map(), limits };
    const request = options.bindings.limited(tenant, binding, asked);
    const leave = await options.admission.enter(tenant, claim.run.signal, wait.left());
    try {
      const { outcome } = await runAtRuntime(options, address, request, { ...claim, wait });
      claim.run.signal.throwIfAborted();
      if (!outcome.ok) throw runtimeUnavailable();
      const { results: [entry], error, writes } = outcome.result;
      await writes?.discard();
      if (error !== undefined) {
        throw validationFailed(
          `The context could not be looked into: ${error.message.slice(0, 200)}`,
        );
      }
      return entry?.json;
    } finally {
      leave();
    }
  } finally {
    claim.run.leave();
    await claim.lease.release();
  }
}
