/**
 * Changing a sandbox: read, plan, one commit; again when somebody else was faster. Changes of one
 * sandbox made in this process take turns, so that only those of other processes can be faster.
 *
 * @module
 */
import type { KvStore } from "../store/kv.ts";
import { presentPatience } from "../store/patience.ts";
import { type GiveBack, TurnQueue } from "../store/turn_queue.ts";
import type { Clock } from "../wire/clock.ts";
import { overload, type ServiceError } from "../wire/errors.ts";
import type { SandboxQuotas } from "../wire/limits.ts";
import { decidingNothing, FateUnknown, StoreUnavailable } from "../wire/store_errors.ts";
import { pause, type Timers } from "../wire/timers.ts";
import { Draft, expiryAfterUse } from "./draft.ts";
import { emptyRecord, type SandboxAddress, type SandboxRecord } from "./root_record.ts";
import type { SandboxState, StoredSandboxes } from "./stored_sandbox.ts";

/** What changes are made with. */
export interface ChangeOptions {
  readonly kv: KvStore;
  readonly stored: StoredSandboxes;
  readonly clock: Clock;
  /** Gives ids that are never given again. */
  readonly ids: () => string;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly timers: Timers;
  readonly quotas: SandboxQuotas;
  /** Deletes a sandbox that has expired, unless a run keeps it. */
  readonly expire: (state: SandboxState) => Promise<void>;
}

/**
 * Decides on a change, given what is there. It may be asked again with another state, so it does
 * nothing but read and draft; what it throws ends the change.
 */
export type Plan<T> = (state: SandboxState, draft: Draft) => Promise<T>;

const ATTEMPTS = 100;
const LONGEST_PAUSE_MS = 40;

/** Changes sandboxes. */
export class SandboxChanges {
  readonly #deps: ChangeOptions;
  readonly #turns = new TurnQueue();

  constructor(deps: ChangeOptions) {
    this.#deps = deps;
  }

  /** The sandbox as it is now; one that has expired is deleted first. */
  async current(address: SandboxAddress): Promise<SandboxState> {
    const state = await this.#deps.stored.read(address);
    if (!this.hasExpired(state)) return state;
    await decidingNothing(() => this.#deps.expire(state));
    return await this.#deps.stored.read(address);
  }

  /**
   * Commits what `plan` drafts; nothing when it drafts nothing. `known`: a state to begin with.
   * Gives what `plan` gave.
   *
   * @throws {ServiceError} `NO_SPACE` when a quota is used up, `OVERLOADED` when others were
   * faster again and again.
   */
  async change<T>(address: SandboxAddress, plan: Plan<T>, known?: SandboxState): Promise<T> {
    const name = JSON.stringify([address.tenant, address.id]);
    const giveBack = await this.#turn(name);
    try {
      let state = known;
      let refused: Attempt<T> | undefined;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        state ??= await this.#again(address, refused);
        if (refused?.draft.isDoneIn(state)) return this.#done(refused);
        const made = await this.#deps.stored.steady(state, (at) => this.#attempt(at, plan));
        if (made.committed) return this.#done(made);
        refused = made;
        state = undefined;
        const longest = Math.min(LONGEST_PAUSE_MS, attempt);
        await pause(this.#deps.timers, this.#deps.random() * longest);
      }
    } finally {
      giveBack();
    }
    throw tooManyChanges();
  }

  /** What a try begins with. A commit that was refused may be one of which the answer was lost. */
  async #again(address: SandboxAddress, refused: unknown): Promise<SandboxState> {
    try {
      return await this.current(address);
    } catch (thrown) {
      const isDoubtful = refused !== undefined && thrown instanceof StoreUnavailable;
      throw isDoubtful ? new FateUnknown() : thrown;
    }
  }

  /** The turn, for which nobody waits longer than for the store. */
  async #turn(name: string): Promise<GiveBack> {
    const left = presentPatience();
    if (left === undefined || !this.#turns.isTaken(name)) {
      return await this.#turns.take(name, NEVER);
    }
    const late = new AbortController();
    const cancel = this.#deps.timers.after(left, () => late.abort(new StoreUnavailable(false)));
    try {
      return await this.#turns.take(name, late.signal);
    } finally {
      cancel();
    }
  }

  /** Notes a use that changes nothing else, if it is long since one was noted. */
  async use(state: SandboxState): Promise<void> {
    const { record } = state;
    if (record === undefined || !this.isUseWorthNoting(record)) return;
    const noted = () =>
      this.change(state.address, (now, draft) => {
        const due = now.record !== undefined && this.isUseWorthNoting(now.record);
        if (due && now.record?.lifetime === record.lifetime) draft.update(now.record);
        return Promise.resolve();
      });
    await decidingNothing(noted);
  }

  /** Whether a use now would move the time of expiry. */
  isUseWorthNoting({ expiresAt }: SandboxRecord): boolean {
    const { clock, quotas } = this.#deps;
    return expiryAfterUse(expiresAt, clock(), quotas.idleTtlMs) !== expiresAt;
  }

  /** The sandbox's record, or that of a new sandbox. */
  recordOrNew({ record }: SandboxState): SandboxRecord {
    return record ?? emptyRecord(this.#deps.ids(), this.#deps.clock());
  }

  /** Whether its time is over, so that it is as good as deleted. */
  hasExpired({ record }: SandboxState): boolean {
    const expiresAt = record?.expiresAt ?? null;
    return expiresAt !== null && expiresAt <= this.#deps.clock();
  }

  async #attempt<T>(state: SandboxState, plan: Plan<T>): Promise<Attempt<T>> {
    const { kv, clock, ids, quotas } = this.#deps;
    const draft = new Draft(state, { kv, writeId: ids(), now: clock() });
    const result = await plan(state, draft);
    const attempt = { draft, result, before: state.record };
    if (!draft.changed) return { ...attempt, committed: true };
    draft.seal(quotas);
    return { ...attempt, committed: await draft.transaction.commit() };
  }

  #done<T>({ draft: { changed, record, tree }, result, before }: Attempt<T>): T {
    const isNew = changed && record !== undefined && tree !== undefined;
    if (isNew) this.#deps.stored.remember(record, tree, before);
    return result;
  }
}

/** What came of one try. */
interface Attempt<T> {
  readonly draft: Draft;
  readonly result: T;
  /** What it began with. */
  readonly before: SandboxRecord | undefined;
  /** False: somebody else was faster, or the answer that it is done was lost. */
  readonly committed: boolean;
}

/** Others were faster, again and again. */
export function tooManyChanges(): ServiceError {
  return overload("OVERLOADED", "Too many change this sandbox at the same time", "changes");
}

const NEVER: AbortSignal = new AbortController().signal;
