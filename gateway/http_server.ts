/**
 * What the listener asks of a server, and which server it takes.
 *
 * | where | server | a caller that leaves is noticed |
 * |---|---|---|
 * | Deno before 2.8.3 | `Deno.serve` | always |
 * | Deno from 2.8.3 on | `node:http` | always |
 * | a hosting platform | `Deno.serve`, which is what platforms look for | on Deno from 2.8.3 on, over HTTP/1.1, only while its request is shorter than about 0.5 KB or its answer has begun |
 *
 * @module
 */
import type { Handler } from "./app.ts";

/** Where to listen, and what for. */
export interface ServeOptions {
  readonly hostname: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly handler: Handler;
}

/** A server that accepts connections. */
export interface HttpServer {
  /** The address that is bound. */
  readonly addr: Deno.Addr;
  /** Resolves after {@link shutdown}; rejects when no connection can be accepted any more. */
  readonly finished: Promise<void>;
  /**
   * Accepts nothing more and closes the connections on which there is no whole request; resolves
   * when all that had begun is answered.
   */
  shutdown(): Promise<void>;
}

/** Starts a server. Rejects with what the system says when the address cannot be bound. */
export type Serve = (options: ServeOptions) => Promise<HttpServer>;

/** The server of Deno itself. */
export function serveDeno({ hostname, port, handler }: ServeOptions): Promise<HttpServer> {
  return Promise.resolve(Deno.serve({ hostname, port, onListen: () => {} }, handler));
}

/** The first version whose `Deno.serve` does not notice that the caller of a long request left. */
const FIRST_DEAF: readonly number[] = [2, 8, 3];

/** Whether `Deno.serve` of a version aborts each request whose caller leaves. */
export function noticesLeavers(version: string): boolean {
  const parts = version.split(/[.+-]/).map(Number);
  for (const [index, first] of FIRST_DEAF.entries()) {
    const part = parts[index] ?? 0;
    if (part !== first) return part < first;
  }
  return false;
}
