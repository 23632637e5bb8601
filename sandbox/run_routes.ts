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
import { runInfoJson } from "../runs/run_table.ts";
import { jsonResponse, jsonTextResponse } from "../shared/responses.ts";
import { answerRun } from "../shared/run_form.ts";
import type { OperationOptions } from "./operation_options.ts";
import { inPlace, type SandboxEnv, type SandboxRoute } from "./route.ts";

const { list, show, answer, cancel } = runDescriptions("sandbox");

/** The routes, in the order of the document. */
export const RUN_ROUTES: readonly SandboxRoute[] = [
  {
    ...list,
    answer: (context, { options }) =>
      inPlace(
        context,
        async ({ tenant, id }) =>
          jsonResponse(await options.waiting.list(tenant, runQuery(context.req.url, id))),
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
        const { address: { tenant, id: sandbox }, listener, body } = context.env;
        const { meter, signal = audience.signal } = body;
        const run = context.req.param("run") ?? "";
        const call = { request: context.req.raw, tenant, run, sandbox, meter, now: options.clock };
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
];

/** Throws `RUN_NOT_FOUND`. */
function findRun(
  { env: { address }, req }: Context<SandboxEnv>,
  { waiting }: OperationOptions,
): Promise<ProgramRun> {
  return waiting.find(address.tenant, req.param("run") ?? "", address.id);
}
