/**
 * One call of a runtime on behalf of a caller: admission, the request that the binding gets,
 * and what becomes of it when the caller goes away, the service stops or the call fails.
 *
 * @module
 */
import { type LanguageRuntime, TENANT_HEADER } from "../wire/binding.ts";
import { overload, runtimeUnavailable, ServiceError } from "../wire/errors.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { EXECUTE_PATH, RUNTIME_ORIGIN } from "../wire/paths.ts";
import type { Admission } from "./admission.ts";
import type { KillMeter } from "./kill_meter.ts";

/** What calls have in common. */
export interface CallDeps {
  readonly admission: Admission;
  readonly kills: KillMeter;
  /** Fires when the requests in flight are to be given up. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** What a runtime may see of the caller's headers: how the body is to be read, nothing else. */
const FORWARDED_HEADERS = [
  "content-type",
  "content-length",
  "content-encoding",
];

const STOP_RETRY_MS = 1_000;

/**
 * Runs code statelessly: `POST /execute` of the runtime, whose answer is handed through.
 *
 * @throws {ServiceError} `RATE_LIMITED`, `OVERLOADED`, or 502 when the binding cannot be called.
 */
export async function callExecute(
  runtime: LanguageRuntime,
  tenant: string,
  request: Request,
  deps: CallDeps,
): Promise<Response> {
  deps.kills.check(tenant);
  const call = new AbortController();
  const cancel = () => call.abort();
  const sources = [request.signal, deps.stopping];
  for (const source of sources) {
    source.addEventListener("abort", cancel, { once: true });
  }
  if (sources.some((source) => source.aborted)) cancel();
  try {
    const release = await deps.admission.enter(tenant, call.signal);
    try {
      const answer = await runtime.binding.fetch(executeRequest(request, tenant, call.signal));
      if (deps.stopping.aborted && !answer.ok) throw serviceStopping();
      return answer;
    } finally {
      release();
    }
  } catch (thrown) {
    throw failure(thrown, runtime, call.signal, deps);
  } finally {
    for (const source of sources) source.removeEventListener("abort", cancel);
  }
}

function executeRequest(
  request: Request,
  tenant: string,
  signal: AbortSignal,
): Request {
  const headers = new Headers({ [TENANT_HEADER]: tenant });
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request(`${RUNTIME_ORIGIN}${EXECUTE_PATH}`, {
    method: "POST",
    headers,
    body: request.body,
    signal,
  });
}

/** A call that was given up is no failure of the runtime, and nothing to log. */
function failure(
  thrown: unknown,
  runtime: LanguageRuntime,
  given: AbortSignal,
  deps: CallDeps,
): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (deps.stopping.aborted) return serviceStopping();
  if (!given.aborted) {
    deps.log("error", "runtime call failed", {
      language: runtime.listing.id,
      ...describeCause(thrown),
    });
  }
  return runtimeUnavailable();
}

/** For a caller whose run was given up because the service stops. */
function serviceStopping(): ServiceError {
  return overload("OVERLOADED", "The service is stopping", "shutdown", STOP_RETRY_MS);
}
