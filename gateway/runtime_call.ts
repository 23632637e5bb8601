/**
 * A stateless run: the request that a runtime's binding gets, and what a failed call is.
 *
 * @module
 */
import { type LanguageRuntime, TENANT_HEADER, WAIT_HEADER } from "../wire/binding.ts";
import { runtimeUnavailable, ServiceError } from "../wire/errors.ts";
import { describeCause } from "../wire/log.ts";
import { EXECUTE_PATH, RUNTIME_ORIGIN } from "../wire/paths.ts";
import { callAdmitted, type CallDeps } from "./admitted_call.ts";

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
  const maxBytes = runtime.listing.limits.requestBytes;
  return await callAdmitted({ tenant, request, maxBytes }, deps, async (body, signal, wait) => {
    try {
      return await runtime.binding.fetch(executeRequest(body, signal, {
        [TENANT_HEADER]: tenant,
        [WAIT_HEADER]: String(wait.left()),
      }));
    } catch (thrown) {
      throw failure(thrown, runtime, signal, deps);
    }
  });
}

/** The runtime sees nothing of the caller's headers. */
function executeRequest(
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  headers: { readonly [name: string]: string },
): Request {
  return new Request(`${RUNTIME_ORIGIN}${EXECUTE_PATH}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
    signal,
  });
}

/** A call that was given up is no failure of the runtime, and nothing to log. */
function failure(
  thrown: unknown,
  runtime: LanguageRuntime,
  given: AbortSignal,
  { log }: CallDeps,
): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (!given.aborted) {
    const language = runtime.listing.id;
    log("error", "runtime call failed", { language, ...describeCause(thrown) });
  }
  return runtimeUnavailable();
}
