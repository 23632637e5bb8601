/**
 * The work of the route that answers a run.
 *
 * @module
 */
import type { Decider } from "../client/protocol/journal.ts";
import { forbidden } from "../shared/errors.ts";
import type { BodyMeter } from "../shared/read_body.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import { answerRun, readAnswers } from "./answers.ts";
import type { RunTable } from "./run_table.ts";
import { RunOutdated } from "./run_terms.ts";

/** An answer to a run. */
export interface AnswerCall extends RunAudience {
  readonly request: Request;
  readonly tenant: string;
  readonly run: string;
  /** The sandbox in which the run must be. */
  readonly sandbox?: string | undefined;
  readonly meter?: BodyMeter | undefined;
  /** Who answers. An approving token only approves and denies. */
  readonly by: Decider;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** How often others may answer the run at the same time. */
const ATTEMPTS = 20;

/** Reads answers, adds them to the journal of a run, and follows it. Rejects with a `ServiceError`. */
export async function answerAndFollow(
  table: RunTable,
  { request, tenant, run: id, sandbox, meter, by, now, signal, listener }: AnswerCall,
): Promise<Response> {
  const answers = await readAnswers(request, {
    signal,
    ...(meter === undefined ? {} : { meter }),
  });
  const others = answers.some((answer) => !("approve" in answer || "deny" in answer));
  if (by === "approver" && others) throw forbidden("This token may only approve and deny calls");
  for (let attempt = 1;; attempt++) {
    const run = await table.find(tenant, id, sandbox);
    const after = run.events.last;
    try {
      await answerRun(run, answers, { by, atMs: now() });
    } catch (thrown) {
      if (!(thrown instanceof RunOutdated) || attempt >= ATTEMPTS) throw thrown;
      continue;
    }
    return await table.follow(table.wake(run), { signal, listener, after });
  }
}
