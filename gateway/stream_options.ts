/**
 * Answers of runs at the gateway. What waits to be read of a stream counts against its tenant's bytes.
 *
 * @module
 */
import type { Context } from "hono";
import { describeCause } from "../shared/log.ts";
import { answerRun } from "../shared/run_form.ts";
import type { ListenedRun, StreamedRunOptions } from "../shared/streamed_run.ts";
import type { CallOptions } from "./admitted_call.ts";
import type { GatewayEnv } from "./gateway_env.ts";

/** The parts of the gateway that streams use. */
type StreamParts = Pick<CallOptions, "bodies" | "clock" | "log" | "streams">;

/**
 * Answers a request for a run in the form that it asks for, or as one JSON object if a call from inside
 * listens to it. Rejects with what the run throws.
 */
export async function answerAsRun(
  context: Context<GatewayEnv>,
  deps: StreamParts,
  run: ListenedRun,
): Promise<Response> {
  context.set("isRun", true);
  const { listener } = context.env;
  const { signal } = context.req.raw;
  if (listener !== undefined) return await run({ signal, listener });
  return await answerRun(context, streamOptions(context.get("tenant"), deps), run);
}

/** The options of a stream for a tenant. */
export function streamOptions(
  tenant: string,
  { bodies, clock, log, streams }: StreamParts,
): StreamedRunOptions {
  return {
    ...streams,
    tenant,
    clock,
    onUnexpected: (thrown) => log("error", "request failed", describeCause(thrown)),
    openWaiting: () => bodies.openWaiting(tenant),
  };
}
