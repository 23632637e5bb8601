/**
 * Protects a service on loopback from web pages of other sites.
 *
 * A page can make a browser send requests to 127.0.0.1: across origins, or through a name of its
 * own that resolves to it (DNS rebinding). The `Host` and `Origin` headers show both. The browser
 * sends them and the page cannot choose them.
 *
 * @module
 */
import { ServiceError } from "../shared/errors.ts";

/** Lets a request pass, or throws `FORBIDDEN`. */
export type HostCheck = (request: Request) => void;

/** `host[:port]`: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(\[[\da-f:.]{2,45}\]|[a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_])?)(?::([1-9]\d{0,4}))?$/;
/** A URL up to its path. What precedes the path need not be a valid authority. */
const AUTHORITY = /^https?:\/\/([^/?]*)(?:[/?]|$)/i;
const MAX_PORT = 65_535;
/** The port that a browser omits. */
const DEFAULT_PORT = "80";

/** A host as the client wrote it, in lower case. */
interface WrittenHost {
  readonly name: string;
  /** With its port, unless that is the default. */
  readonly host: string;
}

/**
 * Accepts a `Host` that is loopback, on any port, or the host of an allowed origin (a reverse proxy
 * in front); and an `Origin` that is absent, the service's own, or allowed. The host of the
 * request's URL must be acceptable too, because a request line can name another one.
 *
 * `onRefusedOrigin` is called with each `Origin` that is refused.
 *
 * A `Host` is compared as written. It is not parsed as a URL, which would accept more than an
 * address: users, paths, numbers that stand for an address.
 */
export function createHostCheck(
  allowedOrigins: readonly string[],
  onRefusedOrigin: (origin: string) => void = () => undefined,
): HostCheck {
  const allowedHosts = allowedOrigins.map((origin) => new URL(origin).host);
  const served = (text: string): WrittenHost => {
    const host = readHost(text);
    if (host !== undefined && (isLoopback(host.name) || allowedHosts.includes(host.host))) {
      return host;
    }
    throw new ServiceError("FORBIDDEN", "This Host is not served");
  };
  return (request) => {
    const { host } = served(request.headers.get("host") ?? "");
    served(AUTHORITY.exec(request.url)?.[1] ?? "");
    const origin = request.headers.get("origin");
    if (origin === null || allowedOrigins.includes(origin)) return;
    if (origin !== `http://${host}` && origin !== `https://${host}`) {
      onRefusedOrigin(origin);
      throw new ServiceError("FORBIDDEN", "This Origin is not allowed");
    }
  };
}

/** Parses `host[:port]`; undefined for any other text. */
function readHost(text: string): WrittenHost | undefined {
  const [, name, port = DEFAULT_PORT] = HOST.exec(text.toLowerCase()) ?? [];
  if (name === undefined || Number(port) > MAX_PORT) return undefined;
  return { name, host: port === DEFAULT_PORT ? name : `${name}:${port}` };
}

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
