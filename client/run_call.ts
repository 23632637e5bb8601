/**
 * The call of a run: one answer, or the stream of its events when there are callbacks.
 *
 * @module
 */
import { readAnswer } from "./answer.ts";
import { type Endpoint, exchange, makeCall, withJson } from "./call.ts";
import { Delivery, hasCallbacks } from "./callbacks.ts";
import { type ExecutionResult, EXPECTED_RESULT, STREAM_OR_JSON } from "./execution_result.ts";
import { Caller } from "./caller.ts";
import { callWaitingRun } from "./waiting_run.ts";
import { FinalFailure } from "./final_failure.ts";
import { EXECUTE_PATH, IDEMPOTENCY_KEY_HEADER } from "./protocol/paths.ts";
import type { StatelessRunCodeOptions } from "./run_options.ts";
import { hearRun, isRunStream } from "./run_stream.ts";

/** The request of a run. */
export interface RunRequest {
  /** The JSON body. */
  readonly body: object;
  /** Headers of the run. */
  readonly headers?: { readonly [name: string]: string };
}

/** Performs a run, and has its callbacks called. */
export async function callRun(
  endpoint: Endpoint,
  { body, headers = {} }: RunRequest,
  options: StatelessRunCodeOptions,
): Promise<ExecutionResult> {
  const isRepeatable = IDEMPOTENCY_KEY_HEADER in headers;
  const call = { method: "POST", path: EXECUTE_PATH, body, headers, isRepeatable } as const;
  if (Caller.isNeeded(options)) return await callWaitingRun(endpoint, call, options);
  if (!hasCallbacks(options)) {
    return await makeCall(endpoint, { ...call, ...EXPECTED_RESULT }, options);
  }
  const delivery = new Delivery(options);
  const streamed = { ...call, headers: { accept: STREAM_OR_JSON, ...headers } };
  return await exchange(endpoint, withJson(streamed), options, async (response, signal) => {
    signal.addEventListener("abort", () => delivery.end(), { once: true });
    delivery.restart();
    if (isRunStream(response)) return await hear(response, delivery, { isRepeatable, signal });
    const result = await readAnswer(response, EXPECTED_RESULT, signal);
    await delivery.finish(result);
    return result;
  });
}

interface HearOptions {
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
}

/** Once its stream exists, a run has begun. It is repeated only if the service can recognise it. */
async function hear(
  response: Response,
  delivery: Delivery,
  { isRepeatable, signal }: HearOptions,
): Promise<ExecutionResult> {
  try {
    return await hearRun(response, delivery, signal);
  } catch (error) {
    throw isRepeatable || error instanceof FinalFailure ? error : new FinalFailure(error);
  }
}
