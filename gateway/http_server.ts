/**
 * The HTTP server of the service: `Deno.serve`, which on Linux also notices callers that disconnect
 * ({@link ./disconnects.ts}). Elsewhere and on a hosting platform, from Deno 2.8.3 on, the run of a
 * caller that disconnects may go on to its limits.
 *
 * @module
 */
import { isWhole } from "../shared/responses.ts";
import type { Handler } from "./app.ts";
import { canReadPeers, DisconnectWatch, readPeers, type WatchedCaller } from "./disconnects.ts";
import { PLAIN_HOST, withUrl } from "./forwarded_request.ts";

/** Where to listen, and what answers requests. */
export interface ServeOptions {
  readonly hostname: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly handler: Handler;
  /** Called when the body of an answer ends with an error. Its connection is closed. */
  readonly onBroken?: (() => void) | undefined;
}

/** A server that accepts connections. */
export interface HttpServer {
  /** The bound address. */
  readonly addr: Deno.Addr;
  /** Resolves after {@link shutdown}; rejects when no more connections can be accepted. */
  readonly finished: Promise<void>;
  /**
   * Stops accepting and closes the connections that have no complete request. Resolves when every
   * request that had begun is answered.
   */
  shutdown(): Promise<void>;
}

/** Starts a server. Throws the system's error when the address cannot be bound. */
export type Serve = (options: ServeOptions) => HttpServer;

/** `Deno.serve` as it is. */
export function serveDeno(options: ServeOptions): HttpServer {
  return Deno.serve(denoOptions(options), options.handler);
}

/** `Deno.serve`, whose requests are aborted when their callers disconnect. */
export function serveWithDisconnects(options: ServeOptions): HttpServer {
  const { handler } = options;
  const watch = new DisconnectWatch(() => readPeers(server.addr));
  const server = Deno.serve(denoOptions(options), async (request, info) => {
    const caller = watch.addWhenAsked(info);
    let isOver = true;
    try {
      const answer = await handler(asSent(request, caller));
      isOver = isWhole(answer) || answer.body === null;
      return answer;
    } finally {
      const end = () => caller[Symbol.dispose]();
      if (isOver) end();
      else info.completed.then(end, end);
    }
  });
  return {
    addr: server.addr,
    finished: server.finished,
    shutdown: async () => {
      await server.shutdown();
      await watch.close();
    },
  };
}

/**
 * The server for an address. `isHosted`: a platform delivers the requests, to the server that it
 * looks for.
 */
export async function serverFor(hostname: string, isHosted: boolean): Promise<Serve> {
  if (isHosted || abortsRequests(Deno.version.deno)) return serveDeno;
  return await canReadPeers(hostname) ? serveWithDisconnects : serveDeno;
}

/** The options of Deno's server, which prints by itself when it listens and when an answer breaks. */
function denoOptions(
  { hostname, port, onBroken }: ServeOptions,
): Deno.ServeTcpOptions & { readonly onError: () => Response } {
  return {
    hostname,
    port,
    onListen: () => {},
    // a handler never rejects, so this is about bodies; the answer is not sent
    onError: () => {
      onBroken?.();
      return new Response(null, { status: 500 });
    },
  };
}

/**
 * Gives a request the signal of its caller, and its path as sent when Deno made the URL with a Host
 * that has a path of its own.
 */
function asSent(request: Request, caller: WatchedCaller): Request {
  const host = request.headers.get("host");
  if (host === null) {
    // HTTP/2 has another header; there a caller can drop a request and keep its connection, and Deno
    // notices
    request.signal.addEventListener("abort", () => caller.abort(), { once: true });
  }
  Object.defineProperty(request, "signal", { get: () => caller.signal });
  const origin = `http://${host}`;
  if (host === null || PLAIN_HOST.test(host) || !request.url.startsWith(origin)) return request;
  return withUrl(request, `http://localhost${request.url.slice(origin.length)}`);
}

/** The first version that does not abort a request whose caller disconnects. */
const FIRST_WITHOUT_ABORTS: readonly number[] = [2, 8, 3];

/** Whether `Deno.serve` of a version aborts each request whose caller disconnects. */
export function abortsRequests(version: string): boolean {
  const parts = version.split(/[.+-]/).map(Number);
  for (const [index, limit] of FIRST_WITHOUT_ABORTS.entries()) {
    const part = parts[index] ?? 0;
    if (part !== limit) return part < limit;
  }
  return false;
}
