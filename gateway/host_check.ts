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

/**
 * Accepts a `Host` that is loopback, on any port, or the host of an allowed origin (a reverse
 * proxy in front); and an `Origin` that is absent, the service's own, or allowed.
 */
export function createHostCheck(allowedOrigins: readonly string[]): HostCheck {
  const allowedHosts = allowedOrigins.map((origin) => new URL(origin).host);
  return (request) => {
    const host = hostOf(request);
    if (
      host === undefined ||
      !(isLoopback(host.hostname) || allowedHosts.includes(host.host))
    ) {
      throw new ServiceError("FORBIDDEN", "This Host is not served");
    }
    const origin = request.headers.get("origin");
    if (origin === null || allowedOrigins.includes(origin)) return;
    if (origin !== `http://${host.host}` && origin !== `https://${host.host}`) {
      throw new ServiceError("FORBIDDEN", "This Origin is not allowed");
    }
  };
}

/** The `Host` header; a request made inside the process has none, and its URL tells instead. */
function hostOf(request: Request): URL | undefined {
  const header = request.headers.get("host") ?? new URL(request.url).host;
  return URL.parse(`http://${header}`) ?? undefined;
}
