/**
 * Runs that are answered before they have their turn (docs/calls.md#runs-without-their-caller), and runs
 * that other requests with their `Idempotency-Key` name.
 *
 * @module
 */
import { RUNS_PATH } from "../client/protocol/paths.ts";
import type { ProgramRun } from "../runs/program_run.ts";
import { runWaiting, ServiceError } from "../shared/errors.ts";
import type { WithRunTools } from "../shared/operator_tools.ts";
import { jsonResponse } from "../shared/responses.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";
import { findContext, type WaitingRun } from "./context_claim.ts";
import { queuedWithKey } from "./context_queue.ts";
import type { FoundContext, WantedContext } from "./contexts.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { ContextRecord, SandboxAddress, SandboxState } from "./root_record.ts";
import { beforeRun } from "./store_waits.ts";
import {
  answerPlace,
  otherRequest,
  repeatedAnswer,
  type Repeater,
  type RunKey,
} from "./stored_answers.ts";
import { contextOrder } from "./waiting_run.ts";

/** A request whose caller does not wait for its run. */
export interface QueuedCall extends Repeater, Pick<WaitingRun, "wait" | "known"> {
  readonly key: RunKey | undefined;
  readonly wanted: WantedContext;
}

/** Another run has the key of this one, or has had it. */
class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

/**
 * Stores a run in the queue of its context, and answers it with 202, or as the earlier request with its
 * key was answered. Undefined when the binding has no contexts.
 *
 * @throws {ServiceError} `RATE_LIMITED` when too many runs of the tenant wait, `NO_SPACE`.
 */
export async function answerQueued(
  options: OperationOptions,
  address: SandboxAddress,
  request: WithRunTools<SandboxExecuteRequest>,
  call: QueuedCall,
): Promise<Response | undefined> {
  const leave = await call.takePlace?.(call.signal);
  try {
    let { known } = call;
    for (;;) {
      try {
        return await beforeRun(
          call.wait,
          () => join(options, address, request, { ...call, known }),
        );
      } catch (thrown) {
        if (!(thrown instanceof KeyTaken)) throw thrown;
        known = undefined;
      }
    }
  } finally {
    leave?.();
  }
}

async function join(
  options: OperationOptions,
  address: SandboxAddress,
  request: WithRunTools<SandboxExecuteRequest>,
  { key, wanted, known, signal }: QueuedCall,
): Promise<Response | undefined> {
  const state = known ?? await options.changes.current(address);
  const repeated = key &&
    await repeatedAnswer(options, state, key, { signal, takePlace: undefined });
  if (repeated !== undefined) return repeated;
  const found = await findContext(options, state, wanted);
  if (found === undefined) return undefined;
  await found.turn?.lease.release();
  const same = key && await runWithKey(options, address, found.context, key);
  if (same !== undefined) return accepted(same);
  let isFirst = false;
  const check = async (now: SandboxState) => {
    const context = now.record?.contexts.find(({ id }) => id === found.context.id);
    isFirst = context?.queue === undefined;
    if (key === undefined) return;
    const { keeper } = await answerPlace(options, now, key);
    const isTaken = keeper !== undefined ||
      await runWithKey(options, address, context, key) !== undefined;
    if (isTaken) throw new KeyTaken();
  };
  const run = await options.waiting.keep(contextOrder(options, address, {
    request: options.bindings.limited(address.tenant, found.context.binding, request),
    found,
    base: state,
    key,
    queued: { check },
  }));
  try {
    if (isFirst) options.waiting.wake(run);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown; // a service that stops leaves it to others
  }
  return accepted(run);
}

/** The answer to a caller that does not wait for its run. */
export function accepted({ terms: { id }, state }: ProgramRun): Response {
  const headers = { location: `${RUNS_PATH}/${id}` };
  return jsonResponse({ run: { id, state } }, { status: 202, headers });
}

/**
 * A context in which a run waits takes no other run: throws `RUN_WAITING`. The same request with the same
 * `Idempotency-Key` is that run, which is returned, at its present state.
 */
export async function runInContext(
  { waiting }: OperationOptions,
  { tenant }: SandboxAddress,
  { context: { waiting: mark } }: FoundContext,
  key: RunKey | undefined,
): Promise<ProgramRun | undefined> {
  if (mark === undefined) return undefined;
  const run = await waiting.find(tenant, mark.run).catch(() => undefined);
  if (run !== undefined && hasKey(run, key)) return waiting.wake(run);
  const calls = (run?.waiting().calls ?? []).map(({ key, name, arguments: part }) => {
    return { key, name, arguments: part };
  });
  throw runWaiting({ run: mark.run, calls });
}

/** The run of an earlier request with this key, which waits in the context or in its queue. */
async function runWithKey(
  { kv, waiting }: OperationOptions,
  { tenant }: SandboxAddress,
  context: ContextRecord | undefined,
  key: RunKey,
): Promise<ProgramRun | undefined> {
  const ids = [context?.waiting?.run, await queuedWithKey(kv, context?.queue, key.key)];
  for (const id of ids) {
    const run = id && await waiting.find(tenant, id).catch(() => undefined);
    if (run && hasKey(run, key)) return run;
  }
  return undefined;
}

/** Whether a run has this key. Throws `CONFLICT` when it is that of another request. */
function hasKey({ terms }: ProgramRun, key: RunKey | undefined): boolean {
  if (key === undefined || terms.key?.key !== key.key) return false;
  if (terms.key.digest !== key.digest) throw otherRequest();
  return true;
}
