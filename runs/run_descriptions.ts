/**
 * The descriptions of the routes of runs that can wait: of all runs of a tenant, and below a sandbox
 * (docs/calls.md#routes). Who serves them adds the work.
 *
 * @module
 */
import { z } from "zod";
import { RUN_STATES } from "../client/protocol/calls.ts";
import { JOURNAL_PATH, RUNS_PATH } from "../client/protocol/paths.ts";
import { LISTING_LIMITS } from "../shared/limits.ts";
import type { RouteDescription } from "../shared/route.ts";

/** The descriptions, by their work. */
export interface RunDescriptions {
  readonly list: RouteDescription;
  readonly show: RouteDescription;
  readonly answer: RouteDescription;
  readonly cancel: RouteDescription;
  readonly journal: RouteDescription;
}

const { pageSize, maxPageSize } = LISTING_LIMITS;
const RUN = { run: z.string().min(1).describe("Id of the run.") };

const POSITION = z.int().nonnegative().optional()
  .describe("The position of the last event that the reader has.");

/** The routes of the runs of a tenant, or of a sandbox, whose path comes before theirs. */
export function runDescriptions(of: "tenant" | "sandbox"): RunDescriptions {
  const [suffix, whose] = of === "sandbox" ? ["InSandbox", " of a sandbox"] : ["", ""];
  const own = of === "sandbox" ? [] : ["common", "token"] as const;
  const errors = of === "sandbox" ? ["waitingRun"] as const : ["parameter", "waitingRun"] as const;
  return {
    list: {
      method: "get",
      tag: "Runs",
      path: RUNS_PATH,
      id: `listRuns${suffix}`,
      summary: `List the runs${whose}`,
      description: "The runs that can wait, the newest first. " +
        (of === "sandbox"
          ? "Those of all its contexts."
          : "Those of the token's tenant, with or without a context."),
      queryParameters: {
        limit: z.int().min(1).max(maxPageSize).default(pageSize)
          .describe("Maximum number of runs on the page."),
        cursor: z.string().optional().describe("The `cursor` of the previous page."),
        state: z.enum(RUN_STATES).optional()
          .describe("Only runs in this state. Those that wait are shown with their calls."),
      },
      success: { description: "A page of runs.", schema: "RunList" },
      errors: [...own, "call", "page"],
    },
    show: {
      method: "get",
      tag: "Runs",
      path: `${RUNS_PATH}/{run}`,
      pathParameters: RUN,
      id: `getRun${suffix}`,
      summary: `Show a run${whose}`,
      description:
        "Its state, the calls and the question for which it waits, and its result. With " +
        "`Accept`, the answer is a stream of what happens, from the position that is asked for.",
      queryParameters: { after: POSITION },
      headerParameters: { "last-event-id": POSITION },
      success: { description: "The run.", schema: "RunInfo", streamed: true },
      errors: [...own, "call", ...errors, "position"],
    },
    answer: {
      method: "post",
      tag: "Runs",
      path: `${RUNS_PATH}/{run}/answers`,
      pathParameters: RUN,
      id: `answerRun${suffix}`,
      summary: `Answer a run${whose}`,
      description:
        "Answers calls and the question of a program, all of the list or nothing. Calls " +
        "of the operator's tools are approved or denied. A value of more than 256 KiB as JSON is a " +
        "file in the workspace of the program, which gets `{file, bytes}`. The answer is the next " +
        "waiting state, or the result. With `Accept`, it is a stream of events.",
      body: { schema: "AnswersRequest" },
      success: {
        description: "The program waits again, or has ended.",
        schema: "ExecutionResult",
        headers: { "Server-Timing": "ServerTiming" },
        streamed: true,
      },
      errors: [...own, "answersBody", "run", ...errors, "answers"],
    },
    cancel: {
      method: "delete",
      tag: "Runs",
      path: `${RUNS_PATH}/{run}`,
      pathParameters: RUN,
      id: `cancelRun${suffix}`,
      summary: `Cancel a run${whose}`,
      description: "Ends the run. A context is as before the run. One that has ended stays.",
      success: { description: "It has ended.", schema: "Done" },
      errors: [...own, "call", ...errors],
    },
    journal: {
      method: "get",
      tag: "Runs",
      path: `${JOURNAL_PATH}/{run}`,
      pathParameters: RUN,
      id: `getJournal${suffix}`,
      summary: `Show the calls of a run${whose}`,
      description: "Each call of the program with its size, times, decision and outcome, without " +
        "arguments and values.",
      success: { description: "The calls so far.", schema: "RunJournal" },
      errors: [...own, "call", ...errors],
    },
  };
}
