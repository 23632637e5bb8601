/**
 * The routes of all runs of a tenant that can wait, with or without a context
 * (docs/calls.md#routes).
 *
 * @module
 */
import type { Context } from "hono";
import { answerAndFollow } from "../runs/answer_route.ts";
import type { ProgramRun } from "../runs/program_run.ts";
import { runDescriptions } from "../runs/run_descriptions.ts";
import { positionOf, runQuery } from "../runs/run_page.ts";
import { journalOf } from "../runs/journal_report.ts";
import { runInfoJson } from "../runs/run_listing.ts";
import { jsonResponse, jsonTextResponse } from "../shared/responses.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import { anySignal, type CallOptions } from "./admitted_call.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { type GatewayRoute, inCallPlace } from "./route.ts";
import { answerAsRun } from "./stream_options.ts";

/** Creates the routes. */
export function waitingRunRoutes(deps: CallOptions): readonly GatewayRoute[] {
  const { runs, calls } = deps;
  const { list, show, answer, cancel, journal } = runDescriptions("tenant");
  const find = (context: Context<GatewayEnv>): Promise<ProgramRun> =>
    runs.find(context.get("tenant"), context.req.param("run") ?? "");
  const info = inCallPlace(
    calls,
    async (context) => jsonTextResponse(runInfoJson(await find(context))),
  );
  return [
    {
      ...list,
      answer: inCallPlace(
        calls,
        async (context) => {
          const query = runQuery(context.req.url, context.get("decider"));
          return jsonResponse(await runs.list(context.get("tenant"), query));
        },
      ),
    },
    {
      ...show,
      answer: async (context) =>
        await answerAsRun(context, deps, async ({ signal, listener }) => {
          const after = positionOf(context.req.raw);
          if (listener?.event === undefined) return await info(context);
          const run = runs.wake(await find(context));
          return await runs.follow(run, { signal, listener, after });
        }),
    },
    {
      ...answer,
      answer: async (context) =>
        await answerAsRun(
          context,
          deps,
          (audience) => answerTo(context, audience, deps),
        ),
    },
    {
      ...cancel,
      answer: inCallPlace(calls, async (context) => {
        await runs.cancel(await find(context));
        return jsonResponse({ success: true });
      }),
    },
    {
      ...journal,
      answer: inCallPlace(
        calls,
        async (context) => jsonResponse(journalOf(await find(context))),
      ),
    },
  ];
}

/** Answers a run, and follows it. */
async function answerTo(
  { req, get }: Context<GatewayEnv>,
  { signal: caller, listener }: RunAudience,
  { runs, bodies, kills, admission, stopping, clock }: CallOptions,
): Promise<Response> {
  const tenant = get("tenant");
  kills.check(tenant);
  admission.check(tenant);
  using meter = bodies.open(tenant);
  using either = anySignal(caller, stopping);
  const { signal } = either;
  const run = req.param("run") ?? "";
  const call = { request: req.raw, tenant, run, meter, by: get("decider"), now: clock };
  return await answerAndFollow(runs, { ...call, signal, listener });
}
