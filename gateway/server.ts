/**
 * The listening side of the service: binds, makes sure of what was bound, serves, and stops.
 *
 * @module
 */
import { STOP_GRACE_MS } from "../wire/limits.ts";
import { CLOSING } from "./admitted_call.ts";
import type { Handler } from "./app.ts";
import { noticesLeavers, type Serve, serveDeno } from "./http_server.ts";
import { Listener } from "./listener.ts";
import { isLoopback } from "./loopback.ts";
import { serveNode } from "./node_server.ts";

/** Where to listen. */
export interface ServerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Refuse to serve when the address turns out not to be loopback. */
  readonly loopbackOnly: boolean;
  /** A platform brings the requests, to the server that it looks for. @default {false} */
  readonly hosted?: boolean;
  /** Another server than the one that suits this version of Deno; tests and benchmarks have both. */
  readonly serve?: Serve | undefined;
  /** Called with whether the bound address is loopback; gives what answers requests. */
  readonly createHandler: (loopback: boolean) => Handler;
  /** Is aborted when the requests in flight are to be given up; {@link CLOSING} comes before. */
  readonly stopping: AbortController;
  /** Is told why no connection could be accepted; listening goes on. */
  readonly onFailure: (thrown: unknown) => void;
  /** Time for the requests in flight when stopping; the service's own when absent. */
  readonly graceMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** The address as bound, which may be all of this machine's. */
  readonly address: string;
  /** Stops accepting, gives requests in flight their time, gives up the rest. Idempotent. */
  stop(): Promise<void>;
}

/** Time for answers to reach their callers once the requests in flight were given up. */
const LINGER_MS = 400;

/** Why a service cannot start: told to whoever started it, so written for them. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/**
 * Binds and serves.
 *
 * No request is answered before the bound address is checked: another address than the one
 * asked for is bound when the environment holds `DENO_SERVE_ADDRESS`.
 *
 * @throws {StartRefused} when the address cannot be bound, or is not loopback and has to be.
 */
export async function startServer(
  options: ServerOptions,
): Promise<RunningServer> {
  const { stopping, graceMs = STOP_GRACE_MS } = options;
  let handler: Handler = () => Promise.resolve(new Response(null, { status: 503 }));
  const listener = await bind(options, (request) => handler(request));
  const bound = describe(listener.address);
  if (options.loopbackOnly && !bound.loopback) {
    await listener.close();
    throw new StartRefused(
      `${bound.address} was bound, which is not a loopback address`,
    );
  }
  handler = options.createHandler(bound.loopback);
  let stopped: Promise<void> | undefined;
  return {
    url: bound.url,
    address: bound.address,
    stop: () => stopped ??= shutDown(listener, stopping, graceMs),
  };
}

async function bind(options: ServerOptions, handler: Handler): Promise<Listener> {
  const { host, port, hosted = false, onFailure } = options;
  const { serve = serverFor(hosted) } = options;
  try {
    return await Listener.open({ hostname: host, port, serve, handler, onFailure });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : "unknown reason";
    throw new StartRefused(
      `HOST and PORT cannot be bound (${host}, ${port}): ${reason}`,
    );
  }
}

/** The cheapest server that notices its callers leave, except where a platform looks for its own. */
function serverFor(hosted: boolean): Serve {
  return hosted || noticesLeavers(Deno.version.deno) ? serveDeno : serveNode;
}

interface BoundAddress {
  readonly loopback: boolean;
  readonly address: string;
  readonly url: string;
}

/** An address that is no TCP address (a socket of the hosting platform) is not loopback. */
function describe(addr: Deno.Addr): BoundAddress {
  if (addr.transport !== "tcp") {
    return {
      loopback: false,
      address: addr.transport,
      url: `${addr.transport}:`,
    };
  }
  const address = `${bracketed(addr.hostname)}:${addr.port}`;
  const everywhere = addr.hostname === "0.0.0.0" || addr.hostname === "::";
  return {
    loopback: isLoopback(addr.hostname),
    address,
    url: `http://${everywhere ? `127.0.0.1:${addr.port}` : address}`,
  };
}

function bracketed(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

/** A connection that its client holds open with half a request cannot be closed from here. */
async function shutDown(
  listener: Listener,
  stopping: AbortController,
  graceMs: number,
): Promise<void> {
  stopping.signal.dispatchEvent(new Event(CLOSING));
  const shut = listener.close();
  if (await within(shut, graceMs)) return;
  stopping.abort();
  await within(shut, LINGER_MS);
}

/** Whether a promise is fulfilled in time. */
async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
