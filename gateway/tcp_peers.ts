/**
 * The callers that are connected to a port, as Linux's tables of TCP connections list them.
 *
 * @module
 */

/** IPv4, and IPv6 with the IPv4 callers of a socket for both. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"] as const;
/** State of a connection that neither side has closed. */
const ESTABLISHED = "01";
const LISTENING = "0A";
/** An IPv4 address in a field for IPv6: `::ffff:1.2.3.4`. */
const MAPPED = "0000000000000000FFFF0000";
const IPV6_GROUPS = 8;

/** Address and port in the form of the tables, the address of IPv4 always without its mapping. */
export type PeerKey = string;

/**
 * The key of an address; undefined for what is not an IP address. The tables print an address as
 * words of four bytes in the order of this machine's memory, which is little-endian wherever Deno
 * runs.
 */
export function peerKey({ hostname, port }: Pick<Deno.NetAddr, "hostname" | "port">):
  | PeerKey
  | undefined {
  const bytes = hostname.includes(":") ? ipv6Bytes(hostname) : ipv4Bytes(hostname);
  return bytes && withoutMapping(`${wordsOf(bytes)}:${hex(port, 4)}`);
}

/** The callers whose connections to a local port are open in both directions. */
export async function readPeers(port: number): Promise<ReadonlySet<PeerKey>> {
  return new Set(await inState(ESTABLISHED, port));
}

/** Whether the tables exist here, may be read, and show this process's sockets. */
export async function seesPeers(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  using probe = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    return (await inState(LISTENING, (probe.addr as Deno.NetAddr).port)).length > 0;
  } catch {
    return false;
  }
}

async function inState(state: string, port: number): Promise<PeerKey[]> {
  const line = new RegExp(`: [0-9A-F]+:${hex(port, 4)} ([0-9A-F]+:[0-9A-F]{4}) ${state} `, "g");
  const tables = await Promise.all(TABLES.map(readTable));
  return tables.flatMap((text) => [...text.matchAll(line)].map(([, peer = ""]) => peer))
    .map(withoutMapping);
}

/** A table's text; none when this machine lacks the protocol. */
async function readTable(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return "";
    throw thrown;
  }
}

function withoutMapping(peer: PeerKey): PeerKey {
  return peer.startsWith(MAPPED) ? peer.slice(MAPPED.length) : peer;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

function wordsOf(bytes: readonly number[]): string {
  return bytes.map((_, at) => hex(bytes[at - at % 4 + 3 - at % 4] ?? 0, 2)).join("");
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
