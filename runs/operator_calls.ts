/**
 * The calls of one run that the service performs itself: those of the operator's tools, once they need no
 * approval or have it.
 *
 * A call is written before it is sent: with the commit that shows it, or with one that says that it is
 * started. So whoever goes on with a run knows which calls may have been sent. Such a call is sent again
 * only if its tool is idempotent. Calls are performed by the holder of the run's turn alone.
 *
 * @module
 */
import { utf8Length } from "../client/protocol/text.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import {
  type OperatorSettings,
  type ToolOutcome,
  unknownOutcome,
} from "../shared/operator_tools.ts";
import { imageBytes, type ProgramCall } from "../shared/run_calls.ts";
import { type Additions, PERFORMED } from "./additions.ts";
import type { CallTable, ShownCall } from "./call_table.ts";
import { RunMoved, type RunParts, type RunTerms } from "./run_terms.ts";

/** The run of the calls. */
export interface PerformingRun {
  readonly terms: Pick<RunTerms, "tenant">;
  readonly calls: CallTable;
  /** Fires when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Bytes of all answers so far. */
  readonly answerBytes: number;
  /** Commits an addition. False when the run does not accept it. */
  answer(addition: Additions): Promise<boolean>;
}

/** Dependencies of the calls. */
export interface PerformingParts extends Pick<RunParts, "clock" | "tools"> {
  /** Takes the turn of the run. */
  readonly resumes: () => Promise<void>;
  /** Called when a call is over. */
  readonly onEnd: () => void;
  /** Called when an outcome could not be committed. */
  readonly onFailure: (thrown: unknown) => void;
}

/** The calls of one run. */
export class OperatorCalls {
  readonly #run: PerformingRun;
  readonly #parts: PerformingParts;
  readonly #inFlight = new Set<string>();
  readonly #over = new AbortController();

  constructor(run: PerformingRun, parts: PerformingParts) {
    this.#run = run;
    this.#parts = parts;
  }

  /** Whether a call is in flight. */
  get isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Whether a call is in flight, or one of these will be once it is shown. */
  willPerform(calls: readonly ShownCall[]): boolean {
    return this.isBusy || calls.some(({ operator }) => operator?.approval === "never");
  }

  /**
   * The settings of a tool, for a call that begins. Nobody is asked to approve a call that cannot be sent:
   * it fails in each set of the operator's tools with this revision.
   */
  settings({ name, arguments: text }: ProgramCall): OperatorSettings | undefined {
    const { tenant } = this.#run.terms;
    const tool = this.#parts.tools.of(tenant).find((tool) => tool.name === name);
    if (tool?.canSend?.(text) ?? true) return tool?.settings;
    return tool && { ...tool.settings, approval: "never" };
  }

  /** Begins to perform the calls that can be performed. They end later. */
  async perform(): Promise<void> {
    const { calls } = this.#run;
    const free = calls.free().filter(({ key }) => !this.#inFlight.has(key));
    if (free.length === 0) return;
    for (const { key } of free) this.#inFlight.add(key);
    const begun = new Map<ShownCall, { readonly isAgain: boolean }>();
    try {
      await this.#parts.resumes();
      const due = new Set(calls.free().map(({ key }) => key)); // others may have come before
      for (const call of free) {
        if (due.has(call.key)) begun.set(call, { isAgain: calls.isStarted(call) });
      }
      const started = [...begun].filter(([{ key }, { isAgain }]) =>
        !isAgain && calls.decision(key) !== undefined
      ).map(([{ key }]) => key);
      if (started.length > 0) await this.#commit({ entries: [], digests: [], started });
      for (const [call, { isAgain }] of begun) void this.#perform(call, isAgain);
    } catch (thrown) {
      begun.clear();
      throw thrown;
    } finally {
      for (const call of free) if (!begun.has(call)) this.#inFlight.delete(call.key);
    }
  }

  /** The run is over: nothing waits for its calls. */
  end(): void {
    this.#over.abort();
  }

  async #perform(call: ShownCall, isAgain: boolean): Promise<void> {
    const { clock, onEnd, onFailure } = this.#parts;
    try {
      const outcome = this.#bounded(call, await this.#outcome(call, isAgain));
      if (this.#run.signal.aborted || this.#over.signal.aborted) return;
      const entries = [{ atMs: clock(), call: call.number, ...outcome }];
      await this.#commit({ entries, digests: [[call.key, PERFORMED]] });
    } catch (thrown) {
      onFailure(thrown);
    } finally {
      this.#inFlight.delete(call.key);
      onEnd();
    }
  }

  async #outcome(
    { name, arguments: text, operator }: ShownCall,
    isAgain: boolean,
  ): Promise<ToolOutcome> {
    const { terms: { tenant }, signal, answerBytes } = this.#run;
    if (operator === undefined) throw new Error("a call of the caller cannot be performed");
    const { idempotent, revision, timeoutMs } = operator;
    if (isAgain && !idempotent) {
      return { error: unknownOutcome(name, "the service ended before an answer came") };
    }
    if (answerBytes >= CALL_LIMITS.allAnswerBytes) return tooMuch(name);
    return await this.#parts.tools.call({
      tenant,
      name,
      revision,
      timeoutMs,
      arguments: text,
      maxBytes: CALL_LIMITS.allAnswerBytes,
      signal: AbortSignal.any([signal, this.#over.signal]),
    });
  }

  /** Other answers may have come meanwhile. */
  #bounded({ name }: ShownCall, outcome: ToolOutcome): ToolOutcome {
    const bytes = "value" in outcome ? utf8Length(outcome.value) + imageBytes(outcome.images) : 0;
    const isTooMuch = this.#run.answerBytes + bytes > CALL_LIMITS.allAnswerBytes;
    return bytes > 0 && isTooMuch ? tooMuch(name) : outcome;
  }

  /** Repeats a commit while only answers came in between. */
  async #commit(addition: Additions): Promise<void> {
    for (;;) {
      try {
        await this.#run.answer(addition);
        return;
      } catch (thrown) {
        if (!(thrown instanceof RunMoved)) throw thrown;
      }
    }
  }
}

function tooMuch(name: string): ToolOutcome {
  const message = `${name}: the answers of the run are larger than ` +
    `${CALL_LIMITS.allAnswerBytes} bytes`;
  return { error: { kind: "tool", message } };
}
