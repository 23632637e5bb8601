/**
 * Listening for as long as the service runs.
 *
 * A server ends when it cannot accept a connection, as when the process has no file descriptor
 * left: whoever opens enough connections would end the service. Here another server takes its
 * place. The one that failed answers what it has begun; connections on which there is no whole
 * request are closed, which frees what they held.
 *
 * @module
 */
import type { HttpServer, Serve, ServeOptions } from "./http_server.ts";

/** Where to listen, what for, and how. */
export interface ListenerOptions extends ServeOptions {
  readonly serve: Serve;
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
  readonly #servers = new Set<HttpServer>();
  #nextAttempt: ReturnType<typeof setTimeout> | undefined;
  /** A server that is being started. */
  #starting: Promise<void> | undefined;
  #closing = false;

  private constructor(options: ListenerOptions, first: HttpServer) {
    this.#options = options;
    this.address = first.addr;
    this.#watch(first);
  }

  /** Listens. Rejects with what the system says when the address cannot be bound. */
  static async open(options: ListenerOptions): Promise<Listener> {
    return new Listener(options, await options.serve(options));
  }

  /** Accepts nothing more; resolves when all that had begun is answered. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#nextAttempt);
    await this.#starting;
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
    this.#nextAttempt = setTimeout(() => {
      this.#starting = this.#serveAgain();
    }, PAUSE_MS);
  }

  async #serveAgain(): Promise<void> {
    const port = this.address.transport === "tcp" ? this.address.port : this.#options.port;
    try {
      this.#watch(await this.#options.serve({ ...this.#options, port }));
    } catch (thrown) {
      this.#options.onFailure(thrown);
      if (!this.#closing) this.#serveSoon();
    }
  }
}
