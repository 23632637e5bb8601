/**
 * The routes of all runs of a tenant that can wait, with or without a context
 * (docs/calls.md#routes).
 *
 * @module
 */
import type { Context } from "hono";
import { answerRun, readAnswers } from "../runs/answers.ts";
import type { ProgramRun } from "../runs/program_run.ts";
import { followRun } from "../runs/run_answer.ts";
import { runDescriptions } from "../runs/run_descriptions.ts";
import { runInfoJson } from "../runs/run_table.ts";
import { jsonResponse, jsonTextResponse } from "../shared/responses.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import { anySignal, type CallOptions } from "./admitted_call.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { type GatewayRoute, inCallPlace } from "./route.ts";
import { answerAsRun } from "./stream_options.ts";

/** Creates the routes. */
export function waitingRunRoutes(deps: CallOptions): readonly GatewayRoute[] {
  const { runs, calls } = deps;
  const { list, show, answer, cancel } = runDescriptions("tenant");
  const find = (context: Context<GatewayEnv>): ProgramRun =>
    runs.find(context.get("tenant"), context.req.param("run") ?? "");
  return [
    {
      ...list,
      answer: inCallPlace(calls, (context) => jsonResponse(runs.list(context.get("tenant")))),
    },
    {
      ...show,
      answer: inCallPlace(calls, (context) => jsonTextResponse(runInfoJson(find(context)))),
    },
    {
      ...answer,
      answer: async (context) =>
        await answerAsRun(
          context,
          deps,
          (audience) => answerTo(context, find, audience, deps),
        ),
    },
    {
      ...cancel,
      answer: inCallPlace(calls, async (context) => {
        await runs.cancel(find(context));
        return jsonResponse({ success: true });
      }),
    },
  ];
}

/** Answers a run, and follows it. */
async function answerTo(
  context: Context<GatewayEnv>,
  find: (context: Context<GatewayEnv>) => ProgramRun,
  { signal: caller, listener }: RunAudience,
  { bodies, kills, admission, stopping, clock }: CallOptions,
): Promise<Response> {
  const tenant = context.get("tenant");
  kills.check(tenant);
  admission.check(tenant);
  using meter = bodies.open(tenant);
  using either = anySignal(caller, stopping);
  const { signal } = either;
  const answers = await readAnswers(context.req.raw, { meter, signal });
  const run = find(context);
  const after = run.events.last;
  await answerRun(run, answers, clock());
  return await followRun(run, { signal, listener, after });
}
