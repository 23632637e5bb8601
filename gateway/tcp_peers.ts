/**
 * The callers that are connected to a port, as Linux's tables of TCP connections list them.
 *
 * @module
 */

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
export async function seesPeers(hostname: string): Promise<boolean> {
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
