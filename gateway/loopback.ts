/**
 * Recognizes loopback hosts and addresses.
 *
 * @module
 */

/**
 * Whether a host name or address, without port, is loopback: `localhost` and its subdomains,
 * 127.0.0.0/8, and ::1 with or without brackets.
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") ||
    name === "::1" || name === "[::1]" ||
    /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}
