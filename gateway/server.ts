/**
 * The listening side of the service: binds, checks the bound address, serves, and stops.
 *
 * @module
 */
import { STOP_GRACE_MS } from "../shared/limits.ts";
import { CLOSING } from "./admitted_call.ts";
import type { Handler } from "./app.ts";
import { type Serve, serverFor } from "./http_server.ts";
import { Listener } from "./listener.ts";
import { isLoopback } from "./host_check.ts";

/** Where to listen. */
export interface ServerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Whether to refuse to serve when the bound address is not loopback. */
  readonly loopbackOnly: boolean;
  /** Whether a platform delivers the requests, to the server that it looks for. @default {false} */
  readonly hosted?: boolean;
  /** Another server than the one that suits this version of Deno; for tests and benchmarks. */
  readonly serve?: Serve | undefined;
  /** Called with whether the bound address is loopback; returns the handler of requests. */
  readonly createHandler: (loopback: boolean) => Handler;
  /** Aborted when the requests in flight must be aborted; {@link CLOSING} comes before. */
  readonly stopping: AbortController;
  /** Called with the reason why no connection could be accepted; listening continues. */
  readonly onFailure: (thrown: unknown) => void;
  /** Called when the body of an answer ends with an error. */
  readonly onBroken?: () => void;
  /** Time for the requests in flight when stopping. The service's default when absent. */
  readonly graceMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** The URL under which this machine can reach it. */
  readonly url: string;
  /** The bound address, which may stand for all addresses of this machine. */
  readonly address: string;
  /** Stops accepting, gives requests in flight their time, aborts the rest. Idempotent. */
  stop(): Promise<void>;
}

/** Time for answers to reach their callers once the requests in flight were aborted. */
const LINGER_MS = 900;

/** Why a service cannot start. The message is written for the person who started it. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/**
 * Binds and serves.
 *
 * No request is answered before the bound address is checked: another address than the one
 * asked for is bound when the environment holds `DENO_SERVE_ADDRESS`.
 *
 * @throws {StartRefused} when the address cannot be bound, or must be loopback and is not.
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
  const { host, port, hosted = false, onFailure, onBroken } = options;
  const serve = options.serve ?? await serverFor(host, hosted);
  try {
    return Listener.open({ hostname: host, port, serve, handler, onFailure, onBroken });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : "unknown reason";
    throw new StartRefused(
      `HOST and PORT cannot be bound (${host}, ${port}): ${reason}`,
    );
  }
}

interface BoundAddress {
  readonly loopback: boolean;
  readonly address: string;
  readonly url: string;
}

/** An address other than TCP (a socket of the hosting platform) is not loopback. */
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

/** A connection that a client holds open with an incomplete request cannot be closed from here. */
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

/** Whether a promise fulfils in time. */
async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
