/**
 * Which hosts the URLs of callers may name: names, addresses and ranges that an operator lists.
 *
 * @module
 */
import {
  type AllowedAddress,
  coversAddress,
  endpointOf,
  judgeUrl,
  literalAddress,
  parseAllowedAddress,
} from "./addresses.ts";

/** A host that an operator allows: an address, a range, or a name on all ports or on one. */
export type AllowedHost =
  | { readonly address: AllowedAddress }
  | { readonly name: string; readonly port: number | undefined };

/** A name as a URL has it, and a port. */
const NAME_ENTRY = /^([^:/?#@*\\\s]{1,253})(?::([1-9][0-9]{0,4}))?$/;

/**
 * Reads an entry: an address or a range as {@link parseAllowedAddress} reads it, or a name, with or
 * without a port. Undefined for everything else.
 */
export function parseAllowedHost(text: string): AllowedHost | undefined {
  const address = parseAllowedAddress(text);
  if (address !== undefined) return { address };
  const [, name, port] = NAME_ENTRY.exec(text) ?? [];
  const url = name === undefined ? null : URL.parse(`https://${text}`);
  if (url === null || literalAddress(url) !== undefined) return undefined;
  return { name: url.hostname, port: port === undefined ? undefined : Number(port) };
}

/** The addresses of a list, which names may resolve to even if they are private. */
export function addressesOf(hosts: readonly AllowedHost[]): readonly AllowedAddress[] {
  return hosts.flatMap((host) => "address" in host ? [host.address] : []);
}

/**
 * Whether a URL may be sent to, as far as that is known before its name is looked up: its host is on
 * the list, and without TLS an address on the list must be there for it.
 */
export function mayNameUrl(url: URL, hosts: readonly AllowedHost[]): boolean {
  const addresses = addressesOf(hosts);
  if (judgeUrl(url, addresses) !== undefined) return false;
  const { port, isEncrypted } = endpointOf(url);
  const address = literalAddress(url);
  if (address !== undefined) return coversAddress(addresses, address, port);
  const isListed = hosts.some((host) =>
    "name" in host && host.name === url.hostname && (host.port ?? port) === port
  );
  return isListed && (isEncrypted || addresses.length > 0);
}
