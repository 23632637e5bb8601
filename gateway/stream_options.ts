/**
 * Streams of runs at the gateway: what waits to be read counts against its tenant's bytes.
 *
 * @module
 */
import { describeCause } from "../shared/log.ts";
import type { StreamedRunOptions } from "../shared/streamed_run.ts";
import type { CallOptions } from "./admitted_call.ts";

/** The options of a stream for a tenant. */
export function streamOptions(
  tenant: string,
  { bodies, clock, log, streams }: Pick<CallOptions, "bodies" | "clock" | "log" | "streams">,
): StreamedRunOptions {
  return {
    ...streams,
    tenant,
    clock,
    onUnexpected: (thrown) => log("error", "request failed", describeCause(thrown)),
    openWaiting: () => bodies.openWaiting(tenant),
  };
}
