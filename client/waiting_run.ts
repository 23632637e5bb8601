/**
 * A run whose program may wait for the caller: its stream is read, and what the program waits for is
 * performed and answered meanwhile. When the connection breaks, the run is followed by single
 * requests from then on (docs/calls.md).
 *
 * @module
 */
import { readAnswer } from "./answer.ts";
import { type Call, type Endpoint, exchange, makeCall, withJson } from "./call.ts";
import { Caller } from "./caller.ts";
import { Delivery } from "./callbacks.ts";
import { throwIfAborted, withCancellation } from "./cancellation.ts";
import { ConnectionError, SandboxError } from "./errors.ts";
import { type ExecutionResult, EXPECTED_RESULT, STREAM_OR_JSON } from "./execution_result.ts";
import { FinalFailure } from "./final_failure.ts";
import type { CallAnswer } from "./protocol/calls.ts";
import { RUNS_PATH } from "./protocol/paths.ts";
import type { Waiting } from "./protocol/types.ts";
import type { RequestOptions } from "./request_options.ts";
import type { StatelessRunCodeOptions } from "./run_options.ts";
import { hearRun, isRunStream } from "./run_stream.ts";

/** The request that begins a run. */
export type RunCall = Pick<Call<unknown>, "method" | "path" | "body" | "headers" | "isRepeatable">;

/** Between two looks at a run that goes on by itself, in milliseconds. */
const LOOK_MS = 1_000;
/** For the cancellation of a run whose call has ended. */
const CANCEL_MS = 5_000;

/** Performs a run with tools or a callback for input. */
export async function callWaitingRun(
  endpoint: Endpoint,
  call: RunCall,
  options: StatelessRunCodeOptions,
): Promise<ExecutionResult> {
  const { closed, defaults: { retry: usual, timeout: longest } } = endpoint;
  const { signal: own, timeout = longest, retry = usual } = options;
  const signals = [closed, own].filter((signal) => signal !== undefined);
  return await withCancellation({ signals, timeout }, async (signal) => {
    const run = new WaitingRun(
      { fetch: endpoint.fetch, origin: endpoint.origin, headers: endpoint.headers, defaults: {} },
      { signal, retry },
      options,
    );
    // an ended call must not leave a program that waits for nobody
    signal.addEventListener("abort", () => run.cancel(), { once: true });
    return await run.perform(call);
  });
}

class WaitingRun {
  readonly #endpoint: Endpoint;
  readonly #request: RequestOptions & { readonly signal: AbortSignal };
  readonly #caller: Caller;
  readonly #delivery: Delivery;
  #run: string | undefined;
  #isOver = false;

  constructor(
    endpoint: Endpoint,
    request: RequestOptions & { readonly signal: AbortSignal },
    options: StatelessRunCodeOptions,
  ) {
    this.#endpoint = endpoint;
    this.#request = request;
    this.#caller = new Caller(options);
    this.#delivery = new Delivery(options);
  }

  async perform(call: RunCall): Promise<ExecutionResult> {
    this.#request.signal.addEventListener("abort", () => this.#delivery.end(), { once: true });
    try {
      const result = await this.#begin(call);
      if (result.waiting === undefined) return result;
      return await this.#follow(result.waiting);
    } catch (thrown) {
      if (thrown instanceof FinalFailure) this.cancel();
      throw thrown instanceof FinalFailure ? thrown.thrown : thrown;
    } finally {
      this.#isOver = true;
    }
  }

  /** Cancels the run, if it has begun and not ended. Nobody waits for that. */
  cancel(): void {
    if (this.#run === undefined || this.#isOver) return;
    const path = `${RUNS_PATH}/${this.#run}`;
    const call = { method: "DELETE", path, status: 200, read: () => undefined } as const;
    makeCall(this.#endpoint, call, { timeout: CANCEL_MS }).then(undefined, () => undefined);
  }

  /** The result, or a state in which the program waits. */
  async #begin(call: RunCall): Promise<ExecutionResult> {
    const message = withJson({ ...call, headers: { accept: STREAM_OR_JSON, ...call.headers } });
    try {
      return await exchange(this.#endpoint, message, this.#request, async (response, signal) => {
        this.#delivery.restart();
        if (isRunStream(response)) return await this.#hear(response, signal);
        const result = await readAnswer(response, EXPECTED_RESULT, signal);
        if (result.waiting === undefined) await this.#delivery.finish(result);
        return result;
      });
    } catch (thrown) {
      const isBroken = thrown instanceof ConnectionError && this.#run !== undefined;
      if (!isBroken) throw thrown;
      return await this.#look(thrown);
    }
  }

  /** Reads the stream of the run, and answers meanwhile. */
  async #hear(response: Response, signal: AbortSignal): Promise<ExecutionResult> {
    const heard = new AbortController();
    const answering = this.#answerUntil(heard.signal);
    try {
      const result = hearRun(response, this.#delivery, signal, {
        started: (run) => void (this.#run = run),
        call: (call) => this.#caller.call(call),
        ask: (input) => this.#caller.ask(input),
      });
      return await Promise.race([result, answering]);
    } catch (thrown) {
      if (thrown instanceof FinalFailure) this.cancel();
      // once a run that can wait has begun, it is followed and not begun again
      throw this.#run === undefined || thrown instanceof FinalFailure
        ? thrown
        : new FinalFailure(thrown);
    } finally {
      heard.abort();
    }
  }

  /** Answers what is ready until the signal fires. Never resolves; rejects with a failure. */
  async #answerUntil(ended: AbortSignal): Promise<never> {
    while (!ended.aborted) {
      const answers = await this.#caller.answers(ended);
      if (answers.length > 0) await this.#give(answers, (some) => this.#confirm(some));
    }
    return await new Promise<never>(() => undefined);
  }

  /** Follows the run by single requests, to its result. */
  async #follow(waiting: Waiting): Promise<ExecutionResult> {
    let now: Waiting | undefined = waiting;
    for (;;) {
      this.#run = now.run;
      this.#caller.takeAll(now);
      const answers = await this.#caller.answers(this.#request.signal, lookIn(now));
      throwIfAborted(this.#request.signal);
      let result: ExecutionResult | undefined;
      await this.#give(answers, async (some) => {
        result = await this.#post(some);
      });
      result ??= await this.#post([]);
      now = result.waiting;
      if (now !== undefined) continue;
      this.#delivery.restart();
      await this.#delivery.finish(result);
      return result;
    }
  }

  /** The present state of a run whose connection broke with this error. */
  async #look(broken: unknown): Promise<ExecutionResult> {
    try {
      const result = await this.#post([]);
      if (result.waiting === undefined) {
        this.#delivery.restart();
        await this.#delivery.finish(result);
      }
      return result;
    } catch (thrown) {
      throw thrown instanceof SandboxError && thrown.code === "RUN_NOT_FOUND" ? broken : thrown;
    }
  }

  /**
   * Gives answers. The service takes all of a list or none: when it refuses one, each is given alone.
   * A call that is withdrawn or answered by somebody else needs no answer, and a value that the
   * service refuses becomes an error of the call.
   */
  async #give(
    answers: readonly CallAnswer[],
    send: (answers: readonly CallAnswer[]) => Promise<void>,
  ): Promise<void> {
    if (answers.length === 0) return;
    try {
      return await send(answers);
    } catch (thrown) {
      if (!(thrown instanceof SandboxError) || !REFUSALS.includes(thrown.code)) throw thrown;
      const [only] = answers;
      if (answers.length > 1) {
        for (const answer of answers) await this.#give([answer], send);
      } else if (thrown.code === "VALIDATION_FAILED" && only !== undefined) {
        if (!("value" in only)) throw thrown;
        await this.#give([{ key: only.key, error: { message: thrown.message } }], send);
      }
    }
  }

  /** Resolves when the answers are stored; the stream of the run tells the rest. */
  async #confirm(answers: readonly CallAnswer[]): Promise<void> {
    const message = withJson({
      ...this.#answering(answers),
      headers: { accept: STREAM_OR_JSON },
    });
    await exchange(this.#endpoint, message, this.#request, async (response, signal) => {
      if (response.status === 200) await response.body?.cancel();
      else await readAnswer(response, EXPECTED_RESULT, signal);
    });
  }

  async #post(answers: readonly CallAnswer[]): Promise<ExecutionResult> {
    const call = { ...this.#answering(answers), ...EXPECTED_RESULT };
    return await makeCall(this.#endpoint, call, this.#request);
  }

  #answering(answers: readonly CallAnswer[]) {
    const path = `${RUNS_PATH}/${this.#run}/answers`;
    return { method: "POST", path, body: { answers }, isRepeatable: true } as const;
  }
}

/** Refusals of answers that leave the run as it is. */
const REFUSALS: readonly string[] = [
  "CALL_ANSWERED",
  "CALL_NOT_FOUND",
  "RUN_NOT_FOUND",
  "VALIDATION_FAILED",
];

/** How long to wait for an answer before the next look at the run. */
function lookIn({ calls, input, until }: Waiting): number {
  if (until !== undefined) return Math.min(LOOK_MS, Math.max(0, until - Date.now()));
  return calls.length > 0 || input !== undefined ? LOOK_MS : 0;
}
