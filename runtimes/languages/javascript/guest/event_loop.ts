/**
 * The event loop, with Node's phases: ticks, then timers, then immediates, and again. Time is
 * virtual: waiting for a timer advances the clock and takes no time.
 *
 * The host calls {@link EventLoop.fire} whenever all promise jobs are done; each call runs one
 * callback. Timers are ordered on the loop's own clock, which counts the guest's computing only
 * when it takes long. Otherwise a slow moment of the machine could swap two timers.
 *
 * @module
 */
import type { HostFunction } from "./host.ts";
import {
  append,
  createList,
  type List,
  MathCeil,
  MathMax,
  performanceNow,
  queueJob,
  ReflectApply,
} from "./primordials.ts";
import { type Entry, type Timer, TimerQueue } from "./timer_queue.ts";

/** Longest delay; longer ones become 1 ms, as in Node. */
export const MAX_DELAY = 2 ** 31 - 1;
/** Milliseconds: shorter computing does not advance the loop's clock. */
const IGNORED_MS = 50;
/**
 * The time of a round of immediates on the loop's clock, and the number of rounds after which it
 * doubles.
 */
const ROUND_MS = 0.02;
const ROUNDS_TO_DOUBLE = 50;
/** The loop starts this late after the script began, so that a timer of 1 ms is due immediately. */
const START_MS = 1;

/** A callback without a time: a tick or an immediate. */
export interface Task {
  readonly callback: unknown;
  readonly args: ArrayLike<unknown>;
  self: unknown;
  referenced: boolean;
  waiting: boolean;
}

/** How a wait for the caller of the program ended. */
export type WaitEnd =
  /** A call is answered: its promise is settled. */
  | "answered"
  /** Standard input can be read. */
  | "input"
  /** The time is over. */
  | "elapsed"
  /** The run is ending. */
  | "refused";

/** Waits for the caller of the program. */
export interface CallerWaits {
  /** Number of calls without an answer. */
  readonly pending: number;
  /** Waits at most so many milliseconds; undefined: as long as it takes. */
  wait(input: boolean, ms: number | undefined): WaitEnd;
}

/** A read of standard input that may have to wait for the caller. */
export interface InputRead {
  readonly callback: () => void;
  /** Whether somebody still wants the bytes. */
  isWanted(): boolean;
}

/** Called with the value that a callback threw; returns true if the guest handled it. */
export type UncaughtHandler = (error: unknown) => boolean;

/** A first-in, first-out queue. */
class Queue<Item> {
  #items: List<Item> = createList<Item>();
  #from = 0;

  get length(): number {
    return this.#items.length - this.#from;
  }

  add(item: Item): void {
    append(this.#items, item);
  }

  take(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#from++];
    if (this.length === 0) this.clear();
    return item;
  }

  clear(): void {
    this.#items = createList<Item>();
    this.#from = 0;
  }
}

/** The loop of one guest. */
export class EventLoop {
  readonly #host: HostFunction;
  #timers = new TimerQueue();
  #ticks = new Queue<Task>();
  #completions = new Queue<Task>();
  #immediates = new Queue<Task>();
  /** Immediates of the current round. */
  #round = new Queue<Task>();
  #inRound = false;
  /** Rounds since a timer ran, so that programs that poll for a timer do not wait too long. */
  #rounds = 0;
  #started = false;
  /** Number of pending timers and immediates that are referenced. */
  #alive = 0;
  #orders = 0;
  #now = 0;
  /** The guest's clock when the running callback began. */
  #since = 0;
  #onUncaught: UncaughtHandler = () => false;
  #onIdle: () => boolean = () => false;
  #caller: CallerWaits | undefined;
  #read: InputRead | undefined;

  constructor(host: HostFunction) {
    this.#host = host;
  }

  /**
   * Sets the handler of errors that callbacks throw, and the function to call when nothing is left
   * to do.
   */
  use(handlers: { onUncaught: UncaughtHandler; onIdle: () => boolean }): void {
    this.#onUncaught = handlers.onUncaught;
    this.#onIdle = handlers.onIdle;
  }

  /**
   * Begins a new run: drops everything that is pending. `caller`: that of a run with calls, for whom
   * the loop waits when nothing else is left to do.
   */
  begin(caller?: CallerWaits): void {
    this.#caller = caller;
    this.#read = undefined;
    this.#timers = new TimerQueue();
    this.#ticks.clear();
    this.#completions.clear();
    this.#immediates.clear();
    this.#round.clear();
    this.#inRound = false;
    this.#rounds = 0;
    this.#started = false;
    this.#alive = 0;
    this.#now = 0;
    this.#since = performanceNow();
    // the script's ticks run before its promise jobs, so this job is the first in that queue
    queueJob(() => this.#runTicks());
  }

  /** Restarts a timer with its whole delay, from now. */
  startTimer(timer: Timer): void {
    const clock = performanceNow();
    const order = this.#orders++;
    timer.wakeAt = clock + timer.delay;
    timer.order = order;
    if (!timer.waiting) {
      timer.waiting = true;
      if (timer.referenced) this.#alive++;
    }
    this.#timers.add({ timer, order, due: this.#now + this.#elapsed(clock) + timer.delay });
  }

  /** Number of callbacks that keep the run going. */
  get pending(): number {
    return this.#alive + this.#ticks.length + this.#completions.length;
  }

  cancel(item: Timer | Task): void {
    if (!item.waiting) return;
    item.waiting = false;
    if (item.referenced) this.#alive--;
  }

  /** Sets whether a timer or an immediate keeps the run going. */
  setReferenced(item: Timer | Task, referenced: boolean): void {
    if (item.referenced === referenced) return;
    item.referenced = referenced;
    if (item.waiting) this.#alive += referenced ? 1 : -1;
  }

  addImmediate(task: Task): void {
    task.waiting = true;
    this.#immediates.add(task);
    if (task.referenced) this.#alive++;
  }

  /** Adds a callback for completed work. It runs after timers and before immediates. */
  addCompletion(callback: unknown, args: ArrayLike<unknown>): void {
    this.#completions.add(createTask(callback, args));
  }

  /** Reads standard input: as completed work, or when the caller has answered. */
  addRead(read: InputRead): void {
    if (this.#caller === undefined) this.addCompletion(read.callback, createList<unknown>());
    else this.#read = read;
  }

  /** Adds a callback that runs after the current one, before any other. */
  addTick(callback: unknown, args: ArrayLike<unknown>): void {
    this.#ticks.add(createTask(callback, args));
  }

  /** Runs one due callback, after waiting if necessary. False when there is none. */
  fire(): boolean {
    this.#passTime();
    if (this.runTicks()) return true;
    if (!this.#started) {
      this.#started = true;
      this.#now += START_MS;
    }
    return this.#runNext() || this.#onIdle();
  }

  /** Runs the pending ticks. False when there are none. */
  runTicks(): boolean {
    if (this.#ticks.length === 0) return false;
    this.#runTicks();
    return true;
  }

  /** Costs the same fuel, and returns the same kind of number, however much time has passed. */
  #elapsed(clock: number): number {
    const elapsed = clock - this.#since;
    return elapsed * +(elapsed >= IGNORED_MS);
  }

  #passTime(): void {
    const clock = performanceNow();
    this.#now += this.#elapsed(clock);
    this.#since = clock;
  }

  #runNext(): boolean {
    for (;;) {
      if (!this.#inRound) {
        if (this.#runTimer() || this.#runTask(this.#completions)) return true;
        this.#inRound = true;
        const round = this.#immediates;
        this.#immediates = this.#round;
        this.#round = round;
      }
      if (this.#runTask(this.#round)) return true;
      this.#inRound = false;
      this.#now += ROUND_MS * (1 + this.#rounds++ / ROUNDS_TO_DOUBLE);
      if (this.#immediates.length > 0 || this.#completions.length > 0) continue;
      const read = this.#read?.isWanted() === true ? this.#read : undefined;
      const caller = (this.#caller?.pending ?? 0) > 0 || read !== undefined
        ? this.#caller
        : undefined;
      const isAlive = this.#alive > 0 || caller !== undefined;
      const next = isAlive ? this.#timers.peek() : undefined;
      if (caller !== undefined) {
        const end = this.#await(caller, read, next);
        if (end === "answered") return true;
        if (end === "refused") return false;
        if (end === "input") continue;
      }
      if (next === undefined) return false;
      this.#now = MathMax(this.#now, next.due);
    }
  }

  /** Waits for the caller, or until a timer is due. The loop's clock moves with the guest's. */
  #await(caller: CallerWaits, read: InputRead | undefined, next: Entry | undefined): WaitEnd {
    const ms = next === undefined ? undefined : MathCeil(next.timer.wakeAt - performanceNow());
    if (ms !== undefined && ms <= 0) return "elapsed";
    const end = caller.wait(read !== undefined, ms);
    const clock = performanceNow();
    this.#now += clock - this.#since;
    this.#since = clock;
    if (end === "input" && read !== undefined) {
      this.#read = undefined;
      this.addCompletion(read.callback, createList<unknown>());
    }
    return end;
  }

  #runTimer(): boolean {
    const entry = this.#timers.peek();
    if (entry === undefined || entry.due > this.#now) return false;
    this.#timers.remove();
    this.#rounds = 0;
    const { timer } = entry;
    const pause = timer.wakeAt - performanceNow();
    // whole milliseconds, so that the text has the same length and cost whatever the clock shows
    if (pause > 0) this.#host("advance", `${MathCeil(pause)}`);
    this.#since = performanceNow();
    if (!timer.repeats) this.cancel(timer);
    try {
      this.#call(timer);
    } finally {
      if (timer.repeats && timer.waiting && timer.order === entry.order) this.startTimer(timer);
    }
    this.#runTicks();
    return true;
  }

  /** Runs the next task of a queue; cancelled ones are dropped. */
  #runTask(queue: Queue<Task>): boolean {
    for (;;) {
      const task = queue.take();
      if (task === undefined) return false;
      if (!task.waiting) continue;
      if (queue !== this.#completions) this.cancel(task);
      this.#call(task);
      this.#runTicks();
      return true;
    }
  }

  #runTicks(): void {
    for (let tick = this.#ticks.take(); tick !== undefined; tick = this.#ticks.take()) {
      this.#call(tick);
    }
  }

  #call(item: Timer | Task): void {
    try {
      ReflectApply(item.callback, item.self, item.args);
    } catch (error) {
      if (!this.#onUncaught(error)) throw error;
    }
  }
}

/** A task that waits, with nothing as `this`. */
export function createTask(callback: unknown, args: ArrayLike<unknown>): Task {
  return { callback, args, self: undefined, referenced: true, waiting: true };
}
