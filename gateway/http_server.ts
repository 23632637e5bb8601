/**
 * What the listener requires of a server, and which server it uses.
 *
 * | where | server | notices a caller that disconnects |
 * |---|---|---|
 * | Deno before 2.8.3 | `Deno.serve` | always |
 * | Deno 2.9.6 and later, where Linux shows its connections | `Deno.serve`, which takes less time than `node:http` | within a second |
 * | any other Deno | `node:http` | always |
 * | a hosting platform | `Deno.serve`, which platforms look for | on Deno 2.8.3 and later over HTTP/1.1: only if its request is shorter than about 0.5 KB or its answer has begun |
 *
 * @module
 */
import type { Handler } from "./app.ts";

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

/** Starts a server. Rejects with the system's error when the address cannot be bound. */
export type Serve = (options: ServeOptions) => Promise<HttpServer>;

/** Deno's own server. */
export function serveDeno(options: ServeOptions): Promise<HttpServer> {
  return Promise.resolve(Deno.serve(denoOptions(options), options.handler));
}

/** The options of Deno's server, which prints by itself when it listens and when an answer breaks. */
export function denoOptions(
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
 * The first version whose `Deno.serve` does not notice when the caller of a long request
 * disconnects.
 */
const FIRST_DEAF: readonly number[] = [2, 8, 3];

/**
 * The first version after that one whose `Deno.serve` keeps connections open and bodies readable.
 */
const FIRST_MENDED: readonly number[] = [2, 9, 6];

/** Whether `Deno.serve` of a version aborts each request whose caller disconnects. */
export function noticesLeavers(version: string): boolean {
  return isBefore(version, FIRST_DEAF);
}

/** Whether `Deno.serve` of a version lacks nothing except that it {@link noticesLeavers}. */
export function servesWell(version: string): boolean {
  return !isBefore(version, FIRST_MENDED);
}

function isBefore(version: string, first: readonly number[]): boolean {
  const parts = version.split(/[.+-]/).map(Number);
  for (const [index, limit] of first.entries()) {
    const part = parts[index] ?? 0;
    if (part !== limit) return part < limit;
  }
  return false;
}
