/**
 * Changes a sandbox: read, plan, one commit, with retries when another change came first. Changes
 * of one sandbox in this process take turns, so only those of other processes can come first.
 *
 * @module
 */
import type { KvStore } from "../store/kv.ts";
import { currentPatience } from "../store/patience.ts";
import { type GiveBack, TurnQueue } from "../store/turn_queue.ts";
import type { Clock } from "../shared/clock.ts";
import { overload, type ServiceError } from "../shared/errors.ts";
import {
  emptyRecord,
  hasExpired,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";
import { noSandbox } from "./sandbox_name.ts";
import type { SandboxQuotas } from "../shared/limits.ts";
import { OutcomeUnknown, StoreUnavailable, withoutDecision } from "../shared/store_errors.ts";
import { pause, type Timers } from "../shared/timers.ts";
import { Draft, expiryAfterUse } from "./draft.ts";
import type { SharedBlobs } from "./shared_blobs.ts";
import type { StoredSandboxes } from "./stored_sandbox.ts";

/** Dependencies of changes. */
export interface ChangeOptions {
  readonly kv: KvStore;
  readonly stored: StoredSandboxes;
  readonly clock: Clock;
  /** Returns a unique id with each call. */
  readonly ids: () => string;
  /** Returns a random number from 0 up to 1. */
  readonly random: () => number;
  readonly timers: Timers;
  readonly quotas: (tenant: string) => SandboxQuotas;
  /** Idle time after which a sandbox expires, in milliseconds. 0: never. */
  readonly idleTtlMs: number;
  /** Blobs that several sandboxes share. */
  readonly shared: SharedBlobs;
  /** Deletes a sandbox that has expired, unless a run keeps it. */
  readonly expire: (state: SandboxState) => Promise<void>;
}

/**
 * Decides on a change of a given state. It may be called again with another state, so it only reads
 * and drafts. If it throws, the change ends.
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

  /** The current sandbox. An expired one is deleted first. */
  async current(address: SandboxAddress): Promise<SandboxState> {
    const state = await this.#deps.stored.read(address);
    if (!this.hasExpired(state)) return state;
    await withoutDecision(() => this.#deps.expire(state));
    return await this.#deps.stored.read(address);
  }

  /**
   * Commits what `plan` drafts, if anything. `known`: the state to begin with. Returns the result
   * of `plan`.
   *
   * @throws {ServiceError} `NO_SPACE` when a quota is used up, `OVERLOADED` when other changes came
   * first again and again.
   */
  async change<T>(address: SandboxAddress, plan: Plan<T>, known?: SandboxState): Promise<T> {
    return await this.during(address, async () => {
      let state = known;
      let refused: Attempt<T> | undefined;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        state ??= await this.#again(address, refused);
        if (refused?.draft.isDoneIn(state)) return await this.#done(refused);
        const tried = await this.#deps.stored.steady(state, (at) => this.#attempt(at, plan));
        if (tried.committed) return await this.#done(tried);
        refused = tried;
        state = undefined;
        const longest = Math.min(LONGEST_PAUSE_MS, attempt);
        await pause(this.#deps.timers, this.#deps.random() * longest);
      }
      throw tooManyChanges();
    });
  }

  /** The state for an attempt. A refused commit may be one whose answer was lost. */
  async #again(address: SandboxAddress, refused: unknown): Promise<SandboxState> {
    try {
      return await this.current(address);
    } catch (thrown) {
      const isDoubtful = refused !== undefined && thrown instanceof StoreUnavailable;
      throw isDoubtful ? new OutcomeUnknown() : thrown;
    }
  }

  /** Does work while no other change of a sandbox in this process is committed. */
  async during<T>({ tenant, id }: SandboxAddress, work: () => Promise<T>): Promise<T> {
    const giveBack = await this.#turn(JSON.stringify([tenant, id]));
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Waits for the turn, no longer than for the store. */
  async #turn(name: string): Promise<GiveBack> {
    const left = currentPatience();
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

  /** Records a use without other changes, if the last one was recorded long ago. */
  async use(state: SandboxState): Promise<void> {
    const { record } = state;
    if (record === undefined || !this.isUseWorthNoting(record)) return;
    const noted = () =>
      this.change(state.address, (now, draft) => {
        const due = now.record !== undefined && this.isUseWorthNoting(now.record);
        if (due && now.record?.lifetime === record.lifetime) draft.update(now.record);
        return Promise.resolve();
      });
    await withoutDecision(noted);
  }

  /** Whether a use now would move the time of expiry. */
  isUseWorthNoting({ expiresAt, term }: SandboxRecord): boolean {
    if (term?.endAt !== undefined) return false;
    const { clock, idleTtlMs } = this.#deps;
    return expiryAfterUse(expiresAt, clock(), idleTtlMs) !== expiresAt;
  }

  /** The sandbox's record, or that of a new sandbox. Throws 404 when none may be created. */
  recordOrNew({ record, address: { id, existing } }: SandboxState): SandboxRecord {
    if (record === undefined && existing === true) throw noSandbox(id);
    return record ?? emptyRecord(this.#deps.ids(), this.#deps.clock());
  }

  /** Whether the sandbox has expired, so that it counts as deleted. */
  hasExpired({ record }: SandboxState): boolean {
    return record !== undefined && hasExpired(record, this.#deps.clock());
  }

  async #attempt<T>(state: SandboxState, plan: Plan<T>): Promise<Attempt<T>> {
    const { kv, clock, ids, quotas } = this.#deps;
    const draft = new Draft(state, { kv, writeId: ids(), now: clock() });
    const result = await plan(state, draft);
    const attempt = { draft, result, before: state.record };
    if (!draft.changed) return { ...attempt, committed: true };
    draft.seal(quotas(state.address.tenant));
    draft.transaction.attach({
      committing: () => undefined,
      settled: (_outcome, versionstamp) => {
        if (versionstamp !== undefined) this.#deps.stored.cache.wrote(draft.after(versionstamp));
      },
    });
    return { ...attempt, committed: await draft.transaction.commit() };
  }

  async #done<T>(
    { draft: { changed, record, tree, left }, result, before }: Attempt<T>,
  ): Promise<T> {
    const isNew = changed && record !== undefined && tree !== undefined;
    if (isNew) this.#deps.stored.remember(record, tree, before);
    if (left !== undefined) await this.#deps.shared.left(left.home, left.bytes);
    return result;
  }
}

/** The result of one attempt. */
interface Attempt<T> {
  readonly draft: Draft;
  readonly result: T;
  /** The state before. */
  readonly before: SandboxRecord | undefined;
  /** False: another change came first, or the answer of a successful commit was lost. */
  readonly committed: boolean;
}

/** Other changes came first, again and again. */
export function tooManyChanges(): ServiceError {
  return overload("OVERLOADED", "Too many change this sandbox at the same time", "changes");
}

const NEVER: AbortSignal = new AbortController().signal;
