/**
 * The sandboxes as this process knows them: as it read or wrote them last. Others may have changed
 * them since, so whatever is decided from here is checked by a read or a commit.
 *
 * @module
 */
import { BoundedCache } from "../store/bounded_cache.ts";
import type { Clock } from "../shared/clock.ts";
import type { SandboxAddress, SandboxState } from "./root_record.ts";

const CACHE_BYTES = 8 * 1024 * 1024;
/** About the memory of a state, in bytes. */
const BYTES_PER_STATE = 4 * 1024;
/** About the memory of each shard that its record names, in bytes. */
const BYTES_PER_SHARD = 512;
/** How long a process relies on the counters of a tenant that it has read, in milliseconds. */
const STEADY_MS = 60_000;

interface StateFlags {
  /** Whether this process wrote it. */
  readonly isOwn: boolean;
  /** A read has found what this process wrote before, so that it seems to be alone. */
  readonly isSteady: boolean;
}

interface CachedState extends StateFlags {
  readonly state: SandboxState;
  /** When it, and with it the counters of the tenant, was read. Epoch milliseconds. */
  readonly at: number;
}

/** The states that one process knows. */
export class StateCache {
  readonly #states = new BoundedCache<CachedState>(CACHE_BYTES);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The state as last known. */
  last(address: SandboxAddress): SandboxState | undefined {
    return this.#states.get(nameOf(address))?.state;
  }

  /** The state as last known, if most likely it is still that. */
  steady(address: SandboxAddress): SandboxState | undefined {
    const known = this.#states.get(nameOf(address));
    if (known?.isSteady !== true || this.#clock() - known.at > STEADY_MS) return undefined;
    return known.state;
  }

  /** Notes a state that was read. */
  read(state: SandboxState): void {
    if (state.record === undefined) return this.forget(state.address);
    const known = this.#states.get(nameOf(state.address));
    if (known?.state.versionstamp === state.versionstamp) {
      this.#set(state, { isOwn: known.isOwn, isSteady: known.isOwn || known.isSteady });
    } else if (isLater(state, known?.state)) {
      this.#set(state, { isOwn: false, isSteady: false });
    }
  }

  /** Notes a state that this process has committed. */
  wrote(state: SandboxState): void {
    if (state.record === undefined) return this.forget(state.address);
    const known = this.#states.get(nameOf(state.address));
    if (!isLater(state, known?.state)) return;
    const at = known?.at ?? this.#clock(); // a commit does not tell what others have counted
    this.#set(state, { isOwn: true, isSteady: known?.isSteady === true }, at);
  }

  /** Notes that others change the sandbox too. */
  doubt(address: SandboxAddress): void {
    const known = this.#states.get(nameOf(address));
    if (known !== undefined) this.#set(known.state, { isOwn: false, isSteady: false });
  }

  /** Removes a state. */
  forget(address: SandboxAddress): void {
    this.#states.delete(nameOf(address));
  }

  #set(
    state: SandboxState,
    flags: StateFlags,
    at = this.#clock(),
  ): void {
    const shards = state.record?.workspace.shards.length ?? 0;
    const bytes = BYTES_PER_STATE + shards * BYTES_PER_SHARD;
    this.#states.set(nameOf(state.address), { state, at, ...flags }, bytes);
  }
}

/** Versions of the store grow. A read may be answered after a later commit. */
function isLater({ versionstamp }: SandboxState, known: SandboxState | undefined): boolean {
  return versionstamp !== null && versionstamp > (known?.versionstamp ?? "");
}

function nameOf({ tenant, id }: SandboxAddress): string {
  return JSON.stringify([tenant, id]);
}
