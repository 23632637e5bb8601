/**
 * The routes of the runs of a sandbox that can wait (docs/calls.md#routes).
 *
 * @module
 */
import type { Context } from "hono";
import { answerRun as giveAnswers, readAnswers } from "../runs/answers.ts";
import type { ProgramRun } from "../runs/program_run.ts";
import { followRun } from "../runs/run_answer.ts";
import { runDescriptions } from "../runs/run_descriptions.ts";
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
        ({ tenant, id }) => Promise.resolve(jsonResponse(options.waiting.list(tenant, id))),
      ),
  },
  {
    ...show,
    answer: (context, { options }) =>
      inPlace(
        context,
        () => Promise.resolve(jsonTextResponse(runInfoJson(findRun(context, options)))),
      ),
  },
  {
    ...answer,
    answer: (context, { options, mapping }) =>
      answerRun(context, mapping, async (audience) => {
        const { listener, body: { meter, signal = audience.signal } } = context.env;
        const rules = { signal, ...(meter === undefined ? {} : { meter }) };
        const answers = await readAnswers(context.req.raw, rules);
        const run = findRun(context, options);
        const after = run.events.last;
        await giveAnswers(run, answers, options.clock());
        return await followRun(run, { listener, ...audience, after });
      }),
  },
  {
    ...cancel,
    answer: (context, { options }) =>
      inPlace(context, async () => {
        await options.waiting.cancel(findRun(context, options));
        return jsonResponse({ success: true });
      }),
  },
];

/** Throws `RUN_NOT_FOUND`. */
function findRun(
  { env: { address }, req }: Context<SandboxEnv>,
  { waiting }: OperationOptions,
): ProgramRun {
  return waiting.find(address.tenant, req.param("run") ?? "", address.id);
}
