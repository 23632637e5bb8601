/**
 * Listening for as long as the service runs.
 *
 * Deno's server ends when it cannot accept a connection, as when the process has no file
 * descriptor left: whoever opens enough connections would end the service. Here another server
 * takes its place. The one that failed answers what it has begun; connections on which there is
 * no whole request are closed, which frees what they held.
 *
 * @module
 */
import type { Handler } from "./app.ts";

/** Where to listen, and what for. */
export interface ListenerOptions {
  readonly hostname: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly handler: Handler;
  /** Is told why a server could not go on; another one follows. */
  readonly onFailure: (thrown: unknown) => void;
}

/** Before another server takes the place of one that failed, and between attempts to bind. */
const PAUSE_MS = 100;

/** A server that is replaced when it fails. */
export class Listener {
  /** The address that is bound. */
  readonly address: Deno.Addr;
  readonly #options: ListenerOptions;
  /** The server that accepts, and those that only finish what they began. */
  readonly #servers = new Set<Deno.HttpServer>();
  #nextAttempt: ReturnType<typeof setTimeout> | undefined;
  #closing = false;

  /** Throws what Deno does when the address cannot be bound. */
  constructor(options: ListenerOptions) {
    this.#options = options;
    this.address = this.#serve(options.port).addr;
  }

  /** Accepts nothing more; resolves when all that had begun is answered. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#nextAttempt);
    await Promise.all([...this.#servers].map((server) => server.shutdown()));
  }

  #serve(port: number): Deno.HttpServer {
    const { hostname, handler } = this.#options;
    const server = Deno.serve({ hostname, port, onListen: () => {} }, handler);
    this.#servers.add(server);
    server.finished.then(
      () => this.#servers.delete(server),
      (thrown) => this.#replace(server, thrown),
    );
    return server;
  }

  #replace(failed: Deno.HttpServer, thrown: unknown): void {
    this.#options.onFailure(thrown);
    const forget = () => this.#servers.delete(failed);
    failed.shutdown().then(forget, forget);
    if (!this.#closing) this.#serveSoon();
  }

  #serveSoon(): void {
    const port = this.address.transport === "tcp" ? this.address.port : this.#options.port;
    this.#nextAttempt = setTimeout(() => {
      try {
        this.#serve(port);
      } catch (thrown) {
        this.#options.onFailure(thrown);
        this.#serveSoon();
      }
    }, PAUSE_MS);
  }
}
