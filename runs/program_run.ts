/**
 * One run whose program can wait: its attempts, its waits and its end.
 *
 * | state | an isolate | a place of the tenant | ends by |
 * |---|---|---|---|
 * | computing | yes | yes | a wait, or the end of the program |
 * | waiting | perhaps: it can be taken back | no | an answer, a time, a cancellation |
 * | ended | no | no | |
 *
 * An attempt runs the program from its beginning in one isolate, with the deliveries of the attempts
 * before it. When the isolate is taken back, the next attempt begins once something ends the wait.
 *
 * @module
 */
import type { RunState } from "../client/protocol/calls.ts";
import type { Waiting } from "../client/protocol/types.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import {
  type Delivery,
  type ProgramCall,
  type ProgramWait,
  RunDiverged,
} from "../shared/run_calls.ts";
import type { Additions } from "./additions.ts";
import { attemptCalls } from "./attempt_calls.ts";
import { Changes } from "./changes.ts";
import { CallTable, pendingCall, pendingInput } from "./call_table.ts";
import { ComputingTime } from "./computing_time.ts";
import { dueEntries } from "./due_entries.ts";
import { FailedAttempts } from "./failed_attempts.ts";
import { OperatorCalls } from "./operator_calls.ts";
import { RunEvents } from "./run_events.ts";
import { type Entry, isSleep, RunJournal } from "./run_journal.ts";
import { type MemoryAccount, memoryUsedUp, RUN_BYTES } from "./run_memory.ts";
import {
  type Attempt,
  finalState,
  MOST_REPLAYS,
  type NextShown,
  ReplayLimit,
  restoredEnd,
  type RunEnd,
  RunOutdated,
  type RunParts,
  type RunStorage,
  type RunTerms,
  type StoredHistory,
} from "./run_terms.ts";

type RunUse = Pick<ProgramWait, "fuel" | "memoryBytes">;

/** Performs a run. */
export interface RunWork {
  readonly attempt: Attempt;
  /** The end of a run whose attempts failed; rejects with what they threw where that is the end. */
  readonly failed: (run: ProgramRun, thrown: unknown) => Promise<RunEnd>;
  /** Called when the run is over, before anybody sees its end. */
  readonly ended?: (end: RunEnd, signal: AbortSignal) => Promise<void>;
}

/** One run. */
export class ProgramRun {
  readonly terms: RunTerms;
  readonly events: RunEvents;
  readonly calls: CallTable;
  readonly #parts: RunParts;
  readonly storage: RunStorage | undefined;
  readonly #journal: RunJournal;
  readonly #operator: OperatorCalls;
  readonly #ending = new AbortController();
  /** Fires when the run must end. */
  readonly signal: AbortSignal = this.#ending.signal;
  readonly #changes = new Changes();
  #memory: MemoryAccount | undefined;
  /** The wait of the program now. */
  #wait: ProgramWait | undefined;
  /** The caller knows that it waits. */
  #isShown = false;
  #hasWaited = false;
  #until: number | undefined;
  #diverged = false;
  #end: RunEnd | undefined;
  #state: RunState = "queued";
  #use: RunUse = { fuel: 0, memoryBytes: 0 };
  /** Of a run that another process began: the last question that was shown. */
  #knownQuestion: number | undefined;
  /** Whether this process has seen it wait for something that is not answered. */
  #hasStood = false;
  readonly #failed = new FailedAttempts();
  #replayedFuel = 0;
  readonly #computing = new ComputingTime();
  startedAt: number | undefined;
  endedAt: number | undefined;

  /** `history`: of a run that another process began. */
  constructor(terms: RunTerms, parts: RunParts, history?: StoredHistory) {
    this.terms = terms;
    this.#parts = parts;
    this.events = new RunEvents(terms.id, () => this.#grows());
    this.calls = new CallTable(terms.id, terms.calls.tools ?? [], terms.waitMs);
    this.#journal = new RunJournal(terms.createdAt);
    this.#operator = new OperatorCalls(this, {
      ...parts,
      resumes: async () => await this.storage?.resumes(this.signal),
      onEnd: () => this.#changes.notify(),
      onFailure: (thrown) => this.cancel(thrown),
    });
    if (history !== undefined) this.#restore(history);
    this.storage = parts.storage?.(this);
  }

  #restore(history: StoredHistory): void {
    const { calls, questions, isQueued, createdAt, startsAt = createdAt, end, endedAt } = history;
    this.calls.restore(calls, questions);
    this.merge(history);
    this.events.restore(history.events ?? []);
    this.#knownQuestion = questions.at(-1)?.number;
    this.#hasWaited = true;
    this.#state = end !== undefined ? restoredEnd(end) : isQueued ? "queued" : "waiting";
    this.#end = end;
    if (!isQueued) this.startedAt = startsAt;
    this.endedAt = endedAt;
  }

  /** Takes in an addition that is committed. */
  merge(addition: Additions): void {
    this.calls.take(addition);
    this.#journal.add(addition.entries);
    this.#grows();
    this.#changes.notify();
  }

  get state(): RunState {
    const performs = this.#state === "waiting" && this.#wait !== undefined &&
      !this.#asks(this.#wait);
    return performs ? "running" : this.#state;
  }

  /** The answers, and the ends of times, in the order in which they came. */
  get entries(): readonly Entry[] {
    return this.#journal.entries;
  }

  /** Whether a wait is for its caller, or for time; otherwise the service performs calls. */
  #asks(wait: ProgramWait): boolean {
    return isSleep(wait) || wait.prompt !== undefined ||
      this.calls.open().some(({ number }) => wait.calls.includes(number));
  }

  /** Undefined while it has not ended. */
  get end(): RunEnd | undefined {
    return this.#end;
  }

  /** Whether its caller has seen it wait: then it needs its caller no more. */
  get hasWaited(): boolean {
    return this.#hasWaited;
  }

  /** Fuel and linear memory, as of the last wait. */
  get use(): RunUse {
    return this.#use;
  }

  /** Milliseconds that the program has computed, in all attempts. */
  get computedMs(): number {
    return this.#computing.ms;
  }

  /** Whether the program waits until its caller answers or a time is over. */
  get isStopped(): boolean {
    if (this.#end !== undefined) return true;
    return this.#isShown && this.#wait !== undefined && this.#asks(this.#wait) &&
      !this.#journal.fits(this.#wait, this.#parts.clock());
  }

  /** Why it waits. */
  waiting(): Waiting {
    const state = this.calls.waiting(this.question);
    return { ...state, ...(this.#until === undefined ? {} : { until: this.#until }) };
  }

  /** Calls once with the next change of state. */
  onChange(call: () => void): void {
    this.#changes.onNext(call);
  }

  /** About the bytes of memory that it takes. */
  get bytes(): number {
    const result = this.#end !== undefined && "body" in this.#end ? this.#end.body.length : 0;
    return RUN_BYTES + this.terms.code.length + this.events.bytes + this.calls.bytes +
      this.answerBytes + result;
  }

  /** Counts its memory from now on. Without room for more, the run ends. */
  countMemory(account: MemoryAccount): void {
    this.#memory = account;
    this.#grows();
  }

  /** Whether there is room for so many more bytes. */
  hasRoom(bytes: number): boolean {
    return this.#memory?.hasRoom(bytes) ?? true;
  }

  #grows(): void {
    this.#memory?.set(this.bytes);
    if (this.#end === undefined && !this.hasRoom(0)) this.cancel(memoryUsedUp());
  }

  /** Ends the run with the reason of its caller. */
  cancel(reason: unknown): void {
    this.#ending.abort(reason);
    this.#changes.notify();
  }

  /** The number of the open question. */
  get question(): number | undefined {
    return this.#hasStood ? this.#journal.question : this.#knownQuestion;
  }

  /** Bytes of all answers so far. */
  get answerBytes(): number {
    return this.#journal.bytes;
  }

  /** Commits an addition. False when the run does not accept it; nothing is done then. */
  async answer(addition: Additions): Promise<boolean> {
    if (Object.values(addition).every((part) => part.length === 0)) return true;
    if (this.storage !== undefined) return await this.storage.append(addition);
    if (!this.calls.accepts(addition)) return false;
    this.merge(addition);
    return true;
  }

  /** Stores the run before it begins. */
  async store(): Promise<void> {
    await this.#show({});
    this.#hasWaited = true;
  }

  async #show({ calls = [], question, until }: Partial<NextShown>): Promise<void> {
    const performs = this.#operator.willPerform(calls);
    await this.storage?.show({ calls, question, until, performs });
  }

  /** Performs attempts until the run ends. Rejects like `ended`. */
  async perform({ attempt, failed, ended }: RunWork): Promise<void> {
    const end = await this.#attempts(attempt).catch((thrown) => failed(this, thrown))
      .catch((thrown) => ({ error: this.storage?.isLeft(thrown) ? new RunOutdated() : thrown }));
    this.#stops();
    this.#operator.end();
    try {
      await ended?.(end, this.signal);
    } finally {
      this.#finish(end);
    }
  }

  async #attempts(attempt: Attempt): Promise<RunEnd> {
    for (;;) {
      await this.storage?.resumes(this.signal);
      const startMs = this.#journal.begins(this.storage?.startsAt ?? this.terms.createdAt);
      await this.#parts.place.enter(this.signal);
      this.#goesOn();
      this.startedAt ??= this.#parts.clock();
      const stop = new AbortController();
      const signal = AbortSignal.any([this.signal, stop.signal]);
      try {
        const end = await attempt(
          attemptCalls(this.terms, startMs, {
            delivered: this.#journal.delivered,
            typed: (delivery) => this.calls.typed(delivery, this.terms.language),
            called: (call) => this.#called(call, stop),
            next: (wait, signal) => this.#next(wait, signal),
            hasDiverged: () => this.#diverged,
            onFailure: (thrown) => this.cancel(thrown),
          }),
          this.events.attempt(),
          signal,
        );
        if (this.#diverged) throw new RunDiverged();
        this.signal.throwIfAborted();
        return end;
      } catch (thrown) {
        this.signal.throwIfAborted();
        if (this.#diverged) throw new RunDiverged();
        await this.#failed.retry(thrown, this, this.#parts.timers);
      }
      this.#replayedFuel += this.#use.fuel;
      if (this.#wait !== undefined) await this.#next(this.#wait, this.signal);
      this.signal.throwIfAborted();
      if (this.#replayedFuel > MOST_REPLAYS * this.terms.fuel) throw new ReplayLimit();
    }
  }

  #called(call: ProgramCall, stop: AbortController): void {
    const failure = this.calls.make(call);
    this.#grows();
    if (failure === undefined) return;
    if (failure !== "other") return this.#journal.fail(call.number, failure);
    this.#diverged = true;
    stop.abort(new RunDiverged());
  }

  /** Waits until something ends the wait, and takes it. Undefined when the signal fires first. */
  async #next(wait: ProgramWait, signal: AbortSignal): Promise<Delivery | undefined> {
    const { clock, place, timers } = this.#parts;
    if (this.#wait !== wait) await this.#stands(wait);
    const shownAt = isSleep(wait) ? clock() + CALL_LIMITS.sleepMs : 0;
    while (!signal.aborted) {
      const delivery = this.#journal.take(wait, clock());
      if (delivery !== undefined) {
        this.#wait = undefined;
        this.#isShown = false;
        await this.storage?.resumes(this.signal);
        await place.enter(this.signal);
        this.#goesOn();
        return delivery;
      }
      this.#hasStood = true;
      this.#stops();
      await this.answer(dueEntries(this.calls, this.#journal, wait, clock()));
      await this.#operator.perform();
      if (this.#journal.fits(wait, clock())) continue;
      const asks = this.#asks(wait);
      if (asks && !this.#isShown && clock() >= shownAt) await this.#shows(wait);
      if (this.#isShown && !this.#operator.isBusy) await this.storage?.rests();
      const wakeAt = Math.min(
        this.#journal.dueMs(wait),
        asks && !this.#isShown ? shownAt : Infinity,
        this.waiting().expiresAt ?? Infinity,
      );
      if (this.#journal.fits(wait, clock())) continue;
      await this.#changes.next(timers, wakeAt - clock(), signal);
    }
    return undefined;
  }

  /**
   * The program began a new wait. Calls and questions are shown at the first wait after them,
   * whatever ends it, so that each attempt has the same events.
   */
  async #stands(wait: ProgramWait): Promise<void> {
    this.#wait = wait;
    this.#failed.reset();
    this.#use = wait;
    this.#journal.stands(wait);
    const now = this.#parts.clock();
    const calls = this.calls.next(now, (call) => this.#operator.settings(call));
    const number = this.#journal.question;
    const question = number === undefined
      ? undefined
      : this.calls.nextQuestion(number, wait.prompt ?? "", now);
    if (calls.length === 0 && question === undefined) return;
    const isKnown = calls.every((call) => this.calls.isKnown(call)) &&
      (question === undefined || this.calls.isKnown(question));
    if (!isKnown) await this.#show({ calls, question });
    this.calls.show(calls, question);
    const visible = calls.filter(({ operator }) => operator?.approval !== "never");
    for (const call of visible) this.events.add({ type: "call", call: pendingCall(call) });
    if (question !== undefined) this.events.add({ type: "input", ...pendingInput(question) });
    this.#hasWaited = true;
    this.#changes.notify(); // another attempt may stand here too
  }

  /** The caller gets to know that the program waits. */
  async #shows(wait: ProgramWait): Promise<void> {
    if (isSleep(wait)) {
      this.#until = this.#journal.dueMs(wait);
      await this.#show({ until: this.#until });
    }
    this.#isShown = true;
    this.#hasWaited = true;
    this.#state = "waiting";
    this.#changes.notify();
  }

  /** The program waits: its place is free for others. */
  #stops(): void {
    this.#computing.stop();
    this.#parts.place.leave();
  }

  #goesOn(): void {
    this.#computing.start();
    this.#isShown = false;
    this.#until = undefined;
    this.#state = "running";
  }

  #finish(end: RunEnd): void {
    this.#end = end;
    this.endedAt = this.#parts.clock();
    this.#state = finalState(end, this.signal);
    this.events.end();
    this.#grows();
    this.#changes.notify();
  }
}
