/**
 * The routes of contexts, of the runs in them, of their notebooks, and of looks into them.
 *
 * @module
 */
import { z } from "zod";
import {
  CONTEXTS_PATH,
  EXECUTE_PATH,
  FORK_PATH,
  HISTORY_PATH,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_REPLAYED_HEADER,
  INSPECT_PATH,
  NOTEBOOK_PATH,
  VARIABLES_PATH,
} from "../client/protocol/paths.ts";
import { CONTEXT_HISTORY, IDEMPOTENCY_KEY_LENGTH } from "../shared/limits.ts";
import { answerRun } from "../shared/run_form.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import { contextHistory } from "./context_history.ts";
import { contextInfos, createContext, deleteContext } from "./contexts.ts";
import { forkContext } from "./fork.ts";
import {
  bodyRoute,
  inPlace,
  type RequestTarget,
  route,
  type RouteOptions,
  type SandboxEnv,
  type SandboxRoute,
} from "./route.ts";
import { runConditions } from "./run_conditions.ts";
import { runInSandbox } from "./sandbox_run.ts";
import { NOTEBOOK_LIMITS } from "../shared/notebook_limits.ts";
import { exportNotebook, importNotebook } from "./notebooks.ts";
import type { Context } from "hono";
import { jsonResponse } from "../shared/responses.ts";
import { contextVariables, type InspectedContext, inspectName } from "./inspection.ts";

const CONTEXT_ID = { contextId: z.string().min(1).describe("Id of the context.") };

/** The headers that make a run safe to repeat. */
const REPEAT_HEADERS = {
  [IDEMPOTENCY_KEY_HEADER]: z.string().min(1).max(IDEMPOTENCY_KEY_LENGTH).regex(/^[!-~]+$/)
    .optional().describe(
      "Names the run, in visible ASCII. For 24 h the same request with the same key gets the " +
        "first answer again and runs nothing. Without effect on a stateless run.",
    ),
  "prefer": z.literal("respond-async").optional().describe(
    "`respond-async`: the run goes on without its caller, who gets 202 with the run's id. Without " +
      "effect on a stateless run.",
  ),
  "if-match": z.string().min(1).optional().describe(
    "The number of runs that the context must have had, in quotes; several, with commas; or " +
      "`*` for a context that exists. Without effect on a stateless run.",
  ),
};

/** The routes, in the order of the document. */
export const CONTEXT_ROUTES: readonly SandboxRoute[] = [
  bodyRoute({
    method: "post",
    path: CONTEXTS_PATH,
    id: "createContext",
    tag: "Contexts",
    summary: "Create a context",
    description: "A context is a REPL of the path's language: what a run defines, the next " +
      "one sees. JavaScript, Python, Perl and Shell have contexts; Ruby has them in a service " +
      "with `RUBY_CONTEXTS=1`.",
    body: "CreateContextRequest",
    success: { status: 201, description: "The context.", schema: "ContextInfo" },
    errors: ["call", "body", "contextLimit", "quota", "runtime"],
    work: ({ options, address }, body) => createContext(options, address, body),
  }),
  route({
    method: "get",
    path: CONTEXTS_PATH,
    id: "listContexts",
    tag: "Contexts",
    summary: "List the contexts",
    description: "The contexts of all languages.",
    success: { description: "The contexts.", schema: "ContextList" },
    errors: ["call"],
    work: async ({ options, address }) => {
      const state = await options.changes.current(address);
      await options.changes.use(state);
      return { contexts: contextInfos(state.record) };
    },
  }),
  route({
    method: "delete",
    path: `${CONTEXTS_PATH}/{contextId}`,
    id: "deleteContext",
    tag: "Contexts",
    summary: "Delete a context",
    description: "Ends its runs. The files stay: they belong to the sandbox.",
    pathParameters: CONTEXT_ID,
    success: { description: "It is deleted.", schema: "Done" },
    errors: ["call", "context"],
    work: async ({ options, address, param }) => {
      await deleteContext(options, address, param("contextId"));
      return { success: true };
    },
  }),
  {
    method: "post",
    path: EXECUTE_PATH,
    id: "executeInSandbox",
    tag: "Contexts",
    summary: "Run a program in a context",
    description:
      "Without `contextId`: in the oldest context without a name of the path's language, which is " +
      "created when there is none. A language without contexts runs statelessly. State and files " +
      "are kept before the answer is sent; a limit rolls both back. With `Accept`, the answer is " +
      "a stream of what happens.",
    headerParameters: REPEAT_HEADERS,
    body: { schema: "SandboxExecuteRequest" },
    success: {
      description: "The program ran, whether it succeeded, failed or hit a limit.",
      schema: "ExecutionResult",
      headers: {
        "Server-Timing": "ServerTiming",
        [IDEMPOTENCY_REPLAYED_HEADER]: "IdempotencyReplayed",
      },
      streamed: true,
    },
    others: [{
      status: 202,
      description: "The run goes on without its caller.",
      schema: "BegunRun",
      headers: { Location: "RunLocation" },
    }],
    errors: [
      "body",
      "context",
      "contextLimit",
      "contextRun",
      "runCondition",
      "quota",
      "run",
    ],
    answer: (context, options) =>
      answerRun(
        context,
        options.mapping,
        (audience) => answerInSandbox(context.req.raw, context.env, options, audience),
      ),
  },
];

/** The route that shows the latest runs of a context. */
export const CONTEXT_HISTORY_ROUTE: SandboxRoute = {
  method: "get",
  path: `${CONTEXTS_PATH}/{contextId}${HISTORY_PATH}`,
  id: "contextHistory",
  tag: "Contexts",
  summary: "Show the latest runs of a context",
  description: `The latest ${CONTEXT_HISTORY.runs} runs that had an \`Idempotency-Key\`, newest ` +
    "first, for the 24 h for which their answers are stored. There are fewer if they are large.",
  pathParameters: CONTEXT_ID,
  success: { description: "The runs.", schema: "ContextHistory" },
  errors: ["call", "context"],
  answer: (context, { options }) =>
    inPlace(
      context,
      (address) => contextHistory(options, address, context.req.param("contextId") ?? ""),
    ),
};

/** The route that forks a context. */
export const FORK_CONTEXT_ROUTE: SandboxRoute = bodyRoute({
  method: "post",
  path: `${CONTEXTS_PATH}/{contextId}${FORK_PATH}`,
  id: "forkContext",
  tag: "Contexts",
  summary: "Fork a context",
  description: "A new context with the memory, working directory, variables and count of runs " +
    "of this one as of its last commit. They share the memory: nothing is copied.",
  pathParameters: CONTEXT_ID,
  body: "ForkContextRequest",
  success: { status: 201, description: "The new context.", schema: "ContextInfo" },
  errors: ["call", "body", "quota", "runtime", "context", "contextLimit"],
  work: ({ options, address, param }) => forkContext(options, address, param("contextId")),
});

/** Reads the body of a run, and answers for it as one JSON object. */
export async function answerInSandbox(
  request: Request,
  { address, body, takePlace, listener }: RequestTarget,
  { options, read }: RouteOptions,
  audience: RunAudience,
): Promise<Response> {
  const conditions = runConditions(request.headers);
  const { contextName } = body;
  const run = { ...await read.SandboxExecuteRequest(request, body), contextName };
  const call = { listener, ...audience, conditions, takePlace };
  return await runInSandbox(options, address, run, call);
}

/** The routes of notebooks, in the order of the document. */
export const NOTEBOOK_ROUTES: readonly SandboxRoute[] = [
  bodyRoute({
    method: "post",
    path: NOTEBOOK_PATH,
    id: "importNotebook",
    tag: "Contexts",
    summary: "Create a context from a notebook",
    description: "The body is an `.ipynb` of format 4, with at most " +
      `${NOTEBOOK_LIMITS.cells} cells and ${NOTEBOOK_LIMITS.bytes} bytes. Nothing runs. Cells, ` +
      "Markdown and outputs are kept with the context, and each run in it becomes a cell, or the " +
      "outputs of the cell with its program.",
    body: "NotebookRequest",
    success: { status: 201, description: "The context.", schema: "ContextInfo" },
    errors: ["call", "longBody", "contextLimit", "quota", "runtime"],
    work: ({ options, address }, body) => importNotebook(options, address, body),
  }),
  {
    method: "get",
    path: `${CONTEXTS_PATH}/{contextId}${NOTEBOOK_PATH}`,
    id: "exportNotebook",
    tag: "Contexts",
    summary: "Export a context as a notebook",
    description: "An `.ipynb` of format 4.5, with outputs. A context that was not made from a " +
      "notebook has the runs of its history.",
    pathParameters: CONTEXT_ID,
    success: { description: "The notebook.", schema: "Notebook" },
    errors: ["call", "context"],
    answer: (context, { options }) =>
      inPlace(
        context,
        (address) => exportNotebook(options, address, context.req.param("contextId") ?? ""),
      ),
  },
];

const UNCHANGED = "JavaScript and Python. A program of the service looks, in the turn of the " +
  "context, and all that it does is thrown away: nothing changes, and no run is counted.";

/** The routes that look into a context, in the order of the document. */
export const INSPECTION_ROUTES: readonly SandboxRoute[] = [
  {
    method: "get",
    path: `${CONTEXTS_PATH}/{contextId}${VARIABLES_PATH}`,
    id: "contextVariables",
    tag: "Contexts",
    summary: "Show the variables of a context",
    description: UNCHANGED,
    pathParameters: CONTEXT_ID,
    success: { description: "The variables.", schema: "VariableList" },
    errors: ["call", "context", "runtime", "run"],
    answer: async (context, { options }) =>
      jsonResponse({ variables: await contextVariables(options, contextOf(context)) }),
  },
  {
    method: "post",
    path: `${CONTEXTS_PATH}/{contextId}${INSPECT_PATH}`,
    id: "inspectName",
    tag: "Contexts",
    summary: "Complete and explain a name",
    description: `What the context knows of the name at the end of \`code\`. ${UNCHANGED}`,
    pathParameters: CONTEXT_ID,
    body: { schema: "InspectRequest" },
    success: { description: "The name.", schema: "InspectedName" },
    errors: ["call", "body", "context", "runtime", "run"],
    answer: async (context, { options, read }) => {
      const { code } = await read.InspectRequest(context.req.raw, context.env.body);
      return jsonResponse(await inspectName(options, contextOf(context), code));
    },
  },
];

function contextOf({ env: { address }, req }: Context<SandboxEnv>): InspectedContext {
  return { address, contextId: req.param("contextId") ?? "", signal: req.raw.signal };
}
