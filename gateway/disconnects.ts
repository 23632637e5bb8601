/**
 * Notices callers that disconnect while their requests are being answered: looks at their
 * connections in Linux's tables from time to time. A request that is answered soon costs no look.
 *
 * From 2.8.3 on, `Deno.serve` does not abort a request whose caller disconnects, unless the request
 * is shorter than about 0.5 KB or its answer has begun (denoland/deno#36809). This file goes when
 * Deno does.
 *
 * @module
 */

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
export class DisconnectWatch {
  readonly #readPeers: () => Promise<ReadonlySet<PeerKey>>;
  readonly #entries = new Set<Entry>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The look that is under way. */
  #looking: Promise<void> | undefined;
  #closed = false;

  /** `readPeers` reads which callers are connected. When it rejects, all count as connected. */
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

  /** Like {@linkcode add}. The watch starts when `signal` is first read. */
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

  /** Stops the watch: from now on all count as connected. Resolves when no read is in progress. */
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

const IPV4_TABLE = "/proc/net/tcp";
/** Has the IPv4 callers of sockets for both, too. */
const IPV6_TABLE = "/proc/net/tcp6";
/** State of a connection that neither side has closed. */
const ESTABLISHED = "01";
/** An IPv4 address in a field for IPv6: `::ffff:1.2.3.4`. */
const MAPPED = "0000000000000000FFFF0000";
const IPV6_GROUPS = 8;
const WORD_BYTES = 4;

/** Address and port in the form of the tables, the address of IPv4 always without its mapping. */
export type PeerKey = string;
/** An IP address and a port. */
export type Place = Pick<Deno.NetAddr, "hostname" | "port">;

/**
 * The key of an address; undefined for what is not an IP address. The tables print an address as
 * words of four bytes in the order of this machine's memory, which is little-endian wherever Deno
 * runs.
 */
export function peerKey({ hostname, port }: Place): PeerKey | undefined {
  const bytes = hostname.includes(":") ? ipv6Bytes(hostname) : ipv4Bytes(hostname);
  return bytes && withoutMapping(`${wordsOf(bytes)}:${hex(port, 4)}`);
}

/** The callers whose connections to a bound address are open in both directions. */
export async function readPeers({ hostname, port }: Place): Promise<ReadonlySet<PeerKey>> {
  const line = `: [0-9A-F]+:${hex(port, 4)} ([0-9A-F]+:[0-9A-F]{4}) ${ESTABLISHED} `;
  const text = await Deno.readTextFile(hostname.includes(":") ? IPV6_TABLE : IPV4_TABLE);
  const found = text.matchAll(new RegExp(line, "g"));
  return new Set([...found].map(([, peer = ""]) => withoutMapping(peer)));
}

/** Whether the callers of an address of this kind can be read here: tried with one. */
export async function canReadPeers(hostname: string): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    const own = hostname.includes(":") ? "::1" : "127.0.0.1";
    using listener = Deno.listen({ hostname: own, port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    using _caller = await Deno.connect({ hostname: own, port });
    using connection = await listener.accept();
    const key = peerKey(connection.remoteAddr);
    return key !== undefined && (await readPeers({ hostname: own, port })).has(key);
  } catch {
    return false;
  }
}

function withoutMapping(peer: PeerKey): PeerKey {
  return peer.startsWith(MAPPED) ? peer.slice(MAPPED.length) : peer;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

function wordsOf(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / WORD_BYTES }, (_, word) => {
    return bytes.slice(WORD_BYTES * word, WORD_BYTES * (word + 1)).toReversed();
  });
  return words.flat().map((byte) => hex(byte, 2)).join("");
}

function ipv4Bytes(text: string): number[] | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined;
  return text.split(".").map(Number);
}

function ipv6Bytes(text: string): number[] | undefined {
  const [address = ""] = text.split("%"); // a scope is not part of it
  const tail = /^(.*:)([^:]*\..*)$/.exec(address);
  const last = tail === null ? [] : ipv4Bytes(tail[2] ?? "");
  if (last === undefined) return undefined;
  const [head = "", rest] = (tail?.[1] ?? address).split("::");
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const before = groups(head);
  const after = groups(rest ?? "");
  const missing = IPV6_GROUPS - before.length - after.length - last.length / 2;
  if (missing < 0) return undefined;
  const all = [...before, ...Array<string>(missing).fill("0"), ...after];
  const bytes = all.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return [...bytes, ...last];
}
