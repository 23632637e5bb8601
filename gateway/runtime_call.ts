/**
 * A stateless run: reads and checks the request, calls the runtime, and maps a failed call to an
 * error.
 *
 * @module
 */
import { beginStateless } from "../runs/stateless_run.ts";
import type { LanguageRuntime } from "../shared/binding.ts";
import { runtimeUnavailable, ServiceError } from "../shared/errors.ts";
import { executeReader } from "../shared/execute_request.ts";
import { describeCause } from "../shared/log.ts";
import { withRunTools } from "../shared/operator_tools.ts";
import { RunDiverged, RunReleased } from "../shared/run_calls.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import { callAdmitted, type CallOptions } from "./admitted_call.ts";

/**
 * Runs code statelessly for a tenant. Rejects with a `ServiceError`: `VALIDATION_FAILED`,
 * `RATE_LIMITED`, `OVERLOADED`, or 502 when the runtime cannot be called.
 */
export type ExecuteCall = (
  tenant: string,
  request: Request,
  audience: RunAudience,
) => Promise<Response>;

/** Creates the call of a runtime. `stdinBytes`: maximum length of standard input. */
export function executeCall(
  runtime: LanguageRuntime,
  deps: CallOptions,
  stdinBytes: number,
): ExecuteCall {
  const { id: language, limits } = runtime.listing;
  const { binding } = runtime;
  const reader = executeReader({ language, limits: { ...limits, stdinBytes } });
  return async (tenant, request, { signal: caller, listener }) => {
    const call = { tenant, request, caller, maxBytes: limits.requestBytes };
    return await callAdmitted(call, deps, async (body, signal, wait, transferPlace) => {
      const asked = reader.parse(body);
      const own = deps.tenants.limits(tenant, language, asked.limits);
      const limited = own === undefined ? asked : { ...asked, limits: own };
      if (limited.calls !== undefined) {
        const program = withRunTools(limited, () => deps.runs.tools.of(tenant));
        const run = await beginStateless(deps.runs, {
          binding,
          tenant,
          request: program,
          fuel: limits.fuel,
          leave: transferPlace(),
          failure: (thrown, signal) => failure(thrown, runtime, signal, deps),
        });
        return await deps.runs.followFromStart(run, { signal, listener });
      }
      try {
        const onBehalf = { tenant, maxWaitMs: wait.left(), signal, listener };
        return await binding.execute(limited, onBehalf);
      } catch (thrown) {
        throw failure(thrown, runtime, signal, deps);
      }
    });
  };
}

/** An aborted call is not a failure of the runtime and is not logged. */
function failure(
  thrown: unknown,
  runtime: LanguageRuntime,
  given: AbortSignal,
  { log }: CallOptions,
): Error {
  const isOfAttempt = thrown instanceof RunReleased || thrown instanceof RunDiverged;
  if (thrown instanceof ServiceError || isOfAttempt) return thrown;
  if (!given.aborted) {
    const language = runtime.listing.id;
    log("error", "runtime call failed", { language, ...describeCause(thrown) });
  }
  return runtimeUnavailable();
}
