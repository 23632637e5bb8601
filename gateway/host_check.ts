/**
 * Guards a service on loopback against web pages of other sites.
 *
 * A page can make a browser send requests to 127.0.0.1: across origins, or through a name of
 * its own that it lets point there (DNS rebinding). Both are told by the `Host` and `Origin`
 * which the browser sends and the page cannot choose.
 *
 * @module
 */
import { ServiceError } from "../wire/errors.ts";
import { isLoopback } from "./loopback.ts";

/** Lets a request pass, or throws `FORBIDDEN`. */
export type HostCheck = (request: Request) => void;

/** `host[:port]`: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(\[[\da-f:.]{2,45}\]|[a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_])?)(?::([1-9]\d{0,4}))?$/;
/** A URL up to its path; what stands before that may be no authority at all. */
const AUTHORITY = /^https?:\/\/([^/?]*)(?:[/?]|$)/i;
const MAX_PORT = 65_535;
/** The port that a browser leaves out. */
const DEFAULT_PORT = "80";

/** A host as a client wrote it, in small letters. */
interface WrittenHost {
  readonly name: string;
  /** With its port, but for the default one. */
  readonly host: string;
}

/**
 * Accepts a `Host` that is loopback, on any port, or the host of an allowed origin (a reverse
 * proxy in front); and an `Origin` that is absent, the service's own, or allowed. The host of the
 * request's URL must be acceptable too: a request line can name another one.
 *
 * A `Host` counts as it is written. It is not made a URL first, which would read more into it than
 * an address: users, paths, numbers that stand for an address.
 */
export function createHostCheck(allowedOrigins: readonly string[]): HostCheck {
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
      throw new ServiceError("FORBIDDEN", "This Origin is not allowed");
    }
  };
}

/** The parts of `host[:port]`; undefined for any other text. */
function readHost(text: string): WrittenHost | undefined {
  const [, name, port = DEFAULT_PORT] = HOST.exec(text.toLowerCase()) ?? [];
  if (name === undefined || Number(port) > MAX_PORT) return undefined;
  return { name, host: port === DEFAULT_PORT ? name : `${name}:${port}` };
}
