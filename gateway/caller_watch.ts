/**
 * Notices callers that leave while their requests are being answered, by looking at their
 * connections from time to time. A request that is answered soon costs no look.
 *
 * @module
 */
import { type PeerKey, peerKey } from "./tcp_peers.ts";

/** Least age of a request at its first look, and the time between two looks, in milliseconds. */
const LOOK_MS = 250;
/**
 * Milliseconds to the second look at a connection that was not open. The table is read in pieces, so one
 * look can miss a connection; and a caller that has closed only its sending half may still read.
 */
const CONFIRM_MS = 100;
const LOOKS_TO_CONFIRM = 2;
/** Looking takes at most this share of the time, however large the tables are. */
const LARGEST_SHARE = 1 / 20;

/** A caller whose request is being answered. */
export interface WatchedCaller extends Disposable {
  /** Fires when the caller is gone. */
  readonly signal: AbortSignal;
  /** Fires the signal. */
  abort(): void;
}

interface Entry {
  readonly address: Deno.NetAddr;
  readonly since: number;
  readonly caller: AbortController;
  /** Looks, one after the other, at which the connection was not open. */
  missed: number;
}

/** Watches the callers of one server. */
export class CallerWatch {
  readonly #readPeers: () => Promise<ReadonlySet<PeerKey>>;
  readonly #entries = new Set<Entry>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The look that is under way. */
  #looking: Promise<void> | undefined;
  #closed = false;

  /** `readPeers` tells which callers are connected. When it rejects, nobody counts as gone. */
  constructor(readPeers: () => Promise<ReadonlySet<PeerKey>>) {
    this.#readPeers = readPeers;
  }

  /** Watches the caller of a request until the result is disposed of. */
  add(address: Deno.NetAddr): WatchedCaller {
    const caller = new AbortController();
    const entry: Entry = { address, since: performance.now(), caller, missed: 0 };
    this.#entries.add(entry);
    if (this.#looking === undefined) this.#lookIn(LOOK_MS);
    return {
      signal: caller.signal,
      abort: () => caller.abort(),
      [Symbol.dispose]: () => void this.#entries.delete(entry),
    };
  }

  /** Like {@linkcode add}, from the moment on at which somebody first asks about the caller. */
  addWhenAsked(call: { readonly remoteAddr: Deno.NetAddr }): WatchedCaller {
    let caller: WatchedCaller | undefined;
    let isOver = false;
    const asked = (): WatchedCaller => {
      caller ??= this.add(call.remoteAddr);
      if (isOver) caller[Symbol.dispose]();
      return caller;
    };
    return {
      get signal() {
        return asked().signal;
      },
      abort: () => asked().abort(),
      [Symbol.dispose]: () => {
        isOver = true;
        caller?.[Symbol.dispose]();
      },
    };
  }

  /** Ends all looking; nobody counts as gone from now on. Resolves when no look is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #lookIn(ms: number): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = performance.now();
      const due = [...this.#entries].filter(({ since }) => now - since >= LOOK_MS);
      if (due.length > 0) this.#looking = this.#look(due);
      else if (this.#entries.size > 0) this.#lookIn(LOOK_MS);
    }, ms);
  }

  /** Never rejects. */
  async #look(due: readonly Entry[]): Promise<void> {
    const began = performance.now();
    const open = await this.#readPeers().catch(() => undefined);
    this.#looking = undefined;
    const isUnsure = open !== undefined && this.#compare(due, open);
    const pause = (performance.now() - began) / LARGEST_SHARE;
    this.#lookIn(Math.max(isUnsure ? CONFIRM_MS : LOOK_MS, pause));
  }

  /** Reports the callers that are gone. Returns whether another one may be. */
  #compare(due: readonly Entry[], open: ReadonlySet<PeerKey>): boolean {
    let isUnsure = false;
    for (const entry of due) {
      if (this.#closed || !this.#entries.has(entry)) continue;
      const key = peerKey(entry.address);
      entry.missed = key === undefined || open.has(key) ? 0 : entry.missed + 1;
      if (entry.missed >= LOOKS_TO_CONFIRM) {
        this.#entries.delete(entry);
        entry.caller.abort();
      } else if (entry.missed > 0) isUnsure = true;
    }
    return isUnsure;
  }
}
