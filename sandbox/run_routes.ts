/**
 * The routes of the runs of a sandbox that can wait (docs/calls.md#routes).
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
import { answerRun } from "../shared/run_form.ts";
import type { OperationOptions } from "./operation_options.ts";
import { inPlace, type SandboxEnv, type SandboxRoute } from "./route.ts";
import {
  declarationsOf,
  readTools,
  toolList,
  toolRouteDescriptions,
} from "../runs/tool_declarations.ts";

const { list, show, answer, cancel, journal } = runDescriptions("sandbox");

/** The routes, in the order of the document. */
export const RUN_ROUTES: readonly SandboxRoute[] = [
  {
    ...list,
    answer: (context, { options }) =>
      inPlace(
        context,
        async ({ tenant, id }) => {
          const query = runQuery(context.req.url, context.env.decider, id);
          return jsonResponse(await options.waiting.list(tenant, query));
        },
      ),
  },
  {
    ...show,
    answer: (context, { options, mapping }) =>
      answerRun(context, mapping, async ({ signal, listener = context.env.listener }) => {
        const after = positionOf(context.req.raw);
        if (listener?.event === undefined) {
          return await inPlace(
            context,
            async () => jsonTextResponse(runInfoJson(await findRun(context, options))),
          );
        }
        const run = options.waiting.wake(await findRun(context, options));
        return await options.waiting.follow(run, { signal, listener, after });
      }),
  },
  {
    ...answer,
    answer: (context, { options, mapping }) =>
      answerRun(context, mapping, async (audience) => {
        const { address: { tenant, id: sandbox }, listener, body, decider: by } = context.env;
        const { meter, signal = audience.signal } = body;
        const run = context.req.param("run") ?? "";
        const { raw: request } = context.req;
        const call = { request, tenant, run, sandbox, meter, by, now: options.clock };
        return await answerAndFollow(options.waiting, { listener, ...audience, ...call, signal });
      }),
  },
  {
    ...cancel,
    answer: (context, { options }) =>
      inPlace(context, async () => {
        await options.waiting.cancel(await findRun(context, options));
        return jsonResponse({ success: true });
      }),
  },
  {
    ...journal,
    answer: (context, { options }) =>
      inPlace(
        context,
        async () => jsonResponse(journalOf(await findRun(context, options))),
      ),
  },
];

/** Throws `RUN_NOT_FOUND`. */
function findRun(
  { env: { address }, req }: Context<SandboxEnv>,
  { waiting }: OperationOptions,
): Promise<ProgramRun> {
  return waiting.find(address.tenant, req.param("run") ?? "", address.id);
}

const tools = toolRouteDescriptions("sandbox");

/** The routes, in the order of the document. */
export const TOOL_ROUTES: readonly SandboxRoute[] = [
  {
    ...tools.list,
    answer: (context, { options }) =>
      inPlace(
        context,
        ({ tenant }) =>
          Promise.resolve(toolList(context.req.url, options.waiting.tools.of(tenant))),
      ),
  },
  {
    ...tools.declare,
    answer: async (context, { options }) => {
      const { raw, url } = context.req;
      const { address: { tenant }, body: { meter, signal = raw.signal } } = context.env;
      const owner = { signal, ...(meter === undefined ? {} : { meter }) };
      const declared = await readTools(raw, owner, () => options.waiting.tools.of(tenant));
      return await inPlace(context, () => Promise.resolve(declarationsOf(url, declared)));
    },
  },
];
