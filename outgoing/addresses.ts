/**
 * Which addresses a request may go to: public ones, and those that the operator names.
 *
 * @module
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** An address or a range that an operator allows, on all ports or on one. */
export interface AllowedAddress {
  readonly range: Range;
  readonly port: number | undefined;
}

/** The end of a connection. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
  readonly isEncrypted: boolean;
}

/** Global unicast of IPv6, which the internet's registries give out (RFC 4291). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR("2000::/3");
/** Ranges within it that are not public: protocols (RFC 2928), documentation (RFC 9637). */
const NOT_PUBLIC: readonly [ipaddr.IPv6, number][] = ["2001::/23", "3fff::/20"].map((range) =>
  ipaddr.IPv6.parseCIDR(range)
);

const PORT = /^[1-9][0-9]{0,4}$/;
const MAX_PORT = 65_535;
/** `[range]:port`, `[range]`, an IPv4 range with `:port`, or a range alone. */
const ENTRY = /^(?:\[([0-9a-f:./]+)\](?::([0-9]+))?|([0-9./]+):([0-9]+)|([0-9a-f:./]+))$/i;
const MAX_ENTRY_CHARS = 64;

/**
 * Reads an entry such as `10.1.2.0/24`, `127.0.0.1:9001`, `fd00::/8` or `[fd00::7]:443`. Undefined
 * for everything else: names, ports out of range, and other spellings of IPv4 than four decimals.
 */
export function parseAllowedAddress(text: string): AllowedAddress | undefined {
  if (text.length > MAX_ENTRY_CHARS) return undefined;
  const [, bracketed, port6, range4, port4, alone] = ENTRY.exec(text) ?? [];
  const port = port6 ?? port4;
  if (port !== undefined && !(PORT.test(port) && Number(port) <= MAX_PORT)) return undefined;
  const range = parseRange(bracketed ?? range4 ?? alone ?? "");
  if (range === undefined || (bracketed !== undefined && range[0].kind() !== "ipv6")) {
    return undefined;
  }
  return { range, port: port === undefined ? undefined : Number(port) };
}

function parseRange(text: string): Range | undefined {
  const [start = "", length, ...more] = text.split("/");
  const address = parseAddress(start);
  if (address === undefined || more.length > 0) return undefined;
  const bits = address.kind() === "ipv4" ? 32 : 128;
  if (length === undefined) return [address, bits];
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(length) || Number(length) > bits) return undefined;
  // The length of a range of mapped addresses counts the bits of IPv6.
  if (address.kind() === "ipv4" && start.includes(":")) return undefined;
  return [address, Number(length)];
}

/** An address; one that IPv6 maps is the IPv4 address itself. Undefined with a zone. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(":") || !hasPlainEnd(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Whether an IPv6 address ends without a zone, and with an IPv4 address only where one is mapped.
 * ipaddr.js takes `::10.0.0.1` for `::ffff:10.0.0.1`, and octal numbers within.
 */
function hasPlainEnd(text: string): boolean {
  if (text.includes("%")) return false;
  const end = text.slice(text.lastIndexOf(":") + 1);
  if (!end.includes(".")) return true;
  return /:ffff:[0-9.]+$/i.test(text) && ipaddr.IPv4.isValidFourPartDecimal(end);
}

/**
 * The address to connect to, in its plain spelling, if a request may go there. Public unicast is
 * allowed over TLS; everything else only if an entry covers it.
 */
export function judgeAddress(
  { address: text, port, isEncrypted }: Endpoint,
  allowed: readonly AllowedAddress[],
): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  const isCovered = allowed.some((entry) => covers(entry, address, port));
  return isCovered || (isEncrypted && isPublic(address)) ? address.toString() : undefined;
}

/** Whether an entry covers an address. */
export function coversAddress(
  allowed: readonly AllowedAddress[],
  text: string,
  port: number,
): boolean {
  const address = parseAddress(text);
  return address !== undefined && allowed.some((entry) => covers(entry, address, port));
}

function covers(entry: AllowedAddress, address: Address, port: number): boolean {
  if (entry.port !== undefined && entry.port !== port) return false;
  return isWithin(address, entry.range);
}

function isWithin(address: Address, [start, bits]: Range): boolean {
  // `match` throws for an address of the other kind.
  return address.kind() === start.kind() && address.match(start, bits);
}

/** Of IPv6, whatever is not known to be public is not: tunnels carry IPv4 addresses. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (address.kind() === "ipv4") return true;
  return isWithin(address, GLOBAL_UNICAST) && !NOT_PUBLIC.some((range) => isWithin(address, range));
}

/**
 * A fault of a URL that is known before its name is looked up. `invalid`: another scheme than
 * `http:` and `https:`, or user info; `refused`: its host is an address that is not allowed.
 */
export function judgeUrl(
  url: URL,
  allowed: readonly AllowedAddress[],
): "invalid" | "refused" | undefined {
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  if (!isWeb || url.username !== "" || url.password !== "") return "invalid";
  const address = literalAddress(url);
  if (address === undefined) return undefined;
  const judged = judgeAddress({ address, ...endpointOf(url) }, allowed);
  return judged === undefined ? "refused" : undefined;
}

/** The port of a URL, also where it is the scheme's, and whether connections to it have TLS. */
export function endpointOf({ protocol, port }: URL): Omit<Endpoint, "address"> {
  const isEncrypted = protocol === "https:";
  return { isEncrypted, port: port === "" ? (isEncrypted ? 443 : 80) : Number(port) };
}

/** The address that a URL's host is, without brackets; undefined for a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : undefined;
}
