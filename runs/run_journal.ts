/**
 * The journal of a run: the answers to its calls and questions in the order in which they came, and
 * the rule by which waits take them.
 *
 * A wait takes the first entry that fits it. Entries only come after others, so the same program
 * takes the same entries again in a later attempt, whatever came after.
 *
 * @module
 */
import {
  type CallFailure,
  type CallImage,
  type Delivery,
  imageBytes,
  type ProgramWait,
} from "../shared/run_calls.ts";

/** A delivery: the answer to a call or to a question, or the end of a timed wait. */
export type Entry =
  & { readonly atMs: number }
  & (
    | {
      readonly call: number;
      readonly value: string;
      readonly images?: readonly CallImage[] | undefined;
    }
    | { readonly call: number; readonly error: CallFailure }
    | { readonly question: number; readonly input: string | null }
    | { readonly elapsed: true }
  );

/** The journal of one run. */
export class RunJournal {
  readonly #entries: Entry[] = [];
  readonly #taken = new Set<number>();
  /** Errors of calls that no caller sees. */
  readonly #automatic: { readonly call: number; readonly error: CallFailure }[] = [];
  readonly #delivered: Delivery[] = [];
  /** The program's clock: the real time of the last delivery. */
  #clockMs: number;
  #questions = 0;
  #bytes = 0;
  #asks = false;

  /** `startMs`: when the program began, in epoch milliseconds. */
  constructor(startMs: number) {
    this.#clockMs = startMs;
  }

  /** The program begins at this time, which is returned, unless it has begun before. */
  begins(startMs: number): number {
    if (this.#delivered.length === 0) this.#clockMs = startMs;
    return startMs;
  }

  /** All entries, in the order in which they came. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Bytes of all answers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The deliveries so far, for another attempt. */
  get delivered(): readonly Delivery[] {
    return this.#delivered;
  }

  /** The number of the open question; undefined: the program asks nothing. */
  get question(): number | undefined {
    return this.#asks ? this.#questions : undefined;
  }

  /** Adds what came. */
  add(entries: readonly Entry[]): void {
    this.#entries.push(...entries);
    for (const entry of entries) this.#bytes += entryBytes(entry);
  }

  /** A call fails by itself. */
  fail(call: number, error: CallFailure): void {
    this.#automatic.push({ call, error });
  }

  /** The program began a new wait. */
  stands(wait: ProgramWait): void {
    const asks = wait.prompt !== undefined;
    if (asks && !this.#asks) this.#questions++;
    this.#asks = asks;
  }

  /** When a timed wait that has just begun is over, in epoch milliseconds. */
  dueMs({ maxMs }: ProgramWait): number {
    return maxMs === null ? Infinity : this.#clockMs + maxMs;
  }

  /** Whether something ends the wait now. */
  fits(wait: ProgramWait, now: number): boolean {
    return this.#automaticOf(wait) !== -1 || this.#entryOf(wait) !== -1 ||
      (isSleep(wait) && now >= this.dueMs(wait));
  }

  /** The delivery that ends the wait now, if there is one. */
  take(wait: ProgramWait, now: number): Delivery | undefined {
    const automatic = this.#automaticOf(wait);
    if (automatic !== -1) {
      const [failed] = this.#automatic.splice(automatic, 1);
      if (failed !== undefined) return this.#deliver({ ...failed, atMs: this.#clockMs });
    }
    const index = this.#entryOf(wait);
    const entry = this.#entries[index];
    if (entry !== undefined) {
      this.#taken.add(index);
      return this.#deliver(deliveryOf(entry));
    }
    // nothing can be answered meanwhile, so the end is a function of the program
    const dueMs = this.dueMs(wait);
    if (!isSleep(wait) || now < dueMs) return undefined;
    return this.#deliver({ elapsed: true, atMs: dueMs });
  }

  #automaticOf({ calls }: ProgramWait): number {
    return this.#automatic.findIndex(({ call }) => calls.includes(call));
  }

  #entryOf(wait: ProgramWait): number {
    if (isSleep(wait)) return -1;
    return this.#entries.findIndex((entry, index) => {
      if (this.#taken.has(index)) return false;
      if ("call" in entry) return wait.calls.includes(entry.call);
      if ("question" in entry) return entry.question === this.question;
      return wait.maxMs !== null;
    });
  }

  #deliver(delivery: Delivery): Delivery {
    const atMs = Math.max(delivery.atMs, this.#clockMs);
    const delivered = { ...delivery, atMs };
    this.#clockMs = atMs;
    if ("input" in delivery) this.#asks = false;
    this.#delivered.push(delivered);
    return delivered;
  }
}

/** Whether a program waits for nothing but time. */
export function isSleep({ calls, prompt }: ProgramWait): boolean {
  return calls.length === 0 && prompt === undefined;
}

function deliveryOf(entry: Entry): Delivery {
  if (!("question" in entry)) return entry;
  const { atMs, input } = entry;
  return { atMs, input };
}

/** About the bytes of an answer. */
export function entryBytes(entry: Entry): number {
  if ("value" in entry) return entry.value.length + imageBytes(entry.images);
  if ("error" in entry) return JSON.stringify(entry.error).length;
  return "input" in entry ? entry.input?.length ?? 0 : 0;
}
