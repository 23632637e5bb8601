/**
 * Listens for as long as the service runs.
 *
 * A server ends when it cannot accept a connection, for example when the process has no file
 * descriptor left. A client that opens enough connections could therefore end the service. Here
 * another server takes over. The failed one answers the requests that it has begun and closes
 * connections without a complete request, which frees their descriptors.
 *
 * @module
 */
import type { HttpServer, Serve, ServeOptions } from "./http_server.ts";

/** Where to listen, what answers requests, and with which server. */
export interface ListenerOptions extends ServeOptions {
  readonly serve: Serve;
  /** Called with the reason why a server failed; another one follows. */
  readonly onFailure: (thrown: unknown) => void;
}

/** Pause before another server replaces a failed one, and between attempts to bind. */
const PAUSE_MS = 100;

/** A server that is replaced when it fails. */
export class Listener {
  /** The bound address. */
  readonly address: Deno.Addr;
  readonly #options: ListenerOptions;
  /** The server that accepts, and those that only finish their requests. */
  readonly #servers = new Set<HttpServer>();
  #nextAttempt: ReturnType<typeof setTimeout> | undefined;
  #closing = false;

  private constructor(options: ListenerOptions, first: HttpServer) {
    this.#options = options;
    this.address = first.addr;
    this.#watch(first);
  }

  /** Listens. Throws the system's error when the address cannot be bound. */
  static open(options: ListenerOptions): Listener {
    return new Listener(options, options.serve(options));
  }

  /** Stops accepting; resolves when every request that had begun is answered. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#nextAttempt);
    await Promise.all([...this.#servers].map((server) => server.shutdown()));
  }

  #watch(server: HttpServer): void {
    this.#servers.add(server);
    server.finished.then(
      () => this.#servers.delete(server),
      (thrown) => this.#replace(server, thrown),
    );
  }

  #replace(failed: HttpServer, thrown: unknown): void {
    this.#options.onFailure(thrown);
    const forget = () => this.#servers.delete(failed);
    failed.shutdown().then(forget, forget);
    if (!this.#closing) this.#serveSoon();
  }

  #serveSoon(): void {
    this.#nextAttempt = setTimeout(() => this.#serveAgain(), PAUSE_MS);
  }

  #serveAgain(): void {
    const port = this.address.transport === "tcp" ? this.address.port : this.#options.port;
    try {
      this.#watch(this.#options.serve({ ...this.#options, port }));
    } catch (thrown) {
      this.#options.onFailure(thrown);
      if (!this.#closing) this.#serveSoon();
    }
  }
}
