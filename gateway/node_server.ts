/**
 * A server over `node:http`. It notices that a caller has gone whatever the length of the request:
 * at the end of the connection, each request on it that is not answered is aborted.
 *
 * A caller that closes its sending half only cannot be told from one that has gone: it counts as
 * gone. The requests of a connection are answered one after the other, in their order.
 *
 * @module
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Handler } from "./app.ts";
import type { HttpServer, ServeOptions } from "./http_server.ts";
import { requestOf } from "./node_request.ts";
import { send } from "./node_response.ts";

const OPTIONS: ServerOptions = {
  // as long as those of `Deno.serve`
  maxHeaderSize: 64 * 1024,
  // without the header, the bound address stands for it
  requireHostHeader: false,
  // time for a head; bodies have their own deadline, which answers
  headersTimeout: 60_000,
  requestTimeout: 0,
  // a client, or a proxy, may send on a connection again whenever it likes
  keepAliveTimeout: 0,
  noDelay: true,
};
/** Requests of one connection that wait for the one before. Nobody in earnest sends so many. */
const MAX_PIPELINED = 1_000;
/** How long more is taken of a body that nobody reads: who is cut off may not see the answer. */
const LINGER_MS = 500;

/** Starts a server. Rejects with what the system says when the address cannot be bound. */
export async function serveNode(options: ServeOptions): Promise<HttpServer> {
  const connections = new Map<Socket, Connection>();
  const server = createServer(OPTIONS, (incoming, outgoing) => {
    connections.get(incoming.socket)?.add(incoming, outgoing);
  });
  server.on("connection", (socket: Socket) => {
    connections.set(socket, new Connection(socket, options.handler));
    socket.once("close", () => {
      connections.get(socket)?.end();
      connections.delete(socket);
    });
  });
  await listening(server, options);
  const finished = Promise.withResolvers<void>();
  server.once("error", (thrown) => finished.reject(thrown));
  const closed = Promise.withResolvers<void>();
  return {
    addr: addressOf(server),
    finished: finished.promise,
    shutdown: async () => {
      server.close(() => closed.resolve());
      for (const connection of connections.values()) connection.finish();
      await closed.promise;
      finished.resolve();
    },
  };
}

async function listening(server: Server, { hostname, port }: ServeOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, hostname, resolve);
  await promise;
  server.off("error", reject);
}

function addressOf(server: Server): Deno.Addr {
  const bound = server.address();
  if (bound === null || typeof bound === "string") return { transport: "unix", path: bound ?? "" };
  return { transport: "tcp", hostname: bound.address, port: bound.port };
}

/** A request that is not answered yet. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly caller: AbortController;
}

/** What comes over one connection. */
class Connection {
  readonly #socket: Socket;
  readonly #handler: Handler;
  /** In the order in which they came; the first one is being answered. */
  readonly #exchanges: Exchange[] = [];
  #finishing = false;

  constructor(socket: Socket, handler: Handler) {
    this.#socket = socket;
    this.#handler = handler;
  }

  /** A request has come, as far as its head. */
  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#exchanges.length >= MAX_PIPELINED) return void this.#socket.destroy();
    this.#exchanges.push({ incoming, outgoing, caller: new AbortController() });
    if (this.#exchanges.length === 1) this.#answerAll();
  }

  /** The connection is gone. */
  end(): void {
    for (const { caller } of this.#exchanges) caller.abort();
  }

  /** Closes it once the request is answered on which it is at work. */
  finish(): void {
    this.#finishing = true;
    if (this.#exchanges.length === 0) this.#socket.destroy();
  }

  async #answerAll(): Promise<void> {
    for (let next = this.#exchanges[0]; next !== undefined; next = this.#exchanges[0]) {
      await this.#answer(next);
      this.#exchanges.shift();
      if (this.#finishing && this.#exchanges.length === 0) this.#socket.destroySoon();
    }
  }

  /** Never rejects. */
  async #answer({ incoming, outgoing, caller }: Exchange): Promise<void> {
    try {
      const request = requestOf(incoming, caller.signal);
      const answer = request === undefined
        ? new Response(null, { status: 400 })
        : await this.#handler(request);
      const isWhole = incoming.complete;
      if (this.#finishing || !isWhole) outgoing.shouldKeepAlive = false;
      await send(answer, outgoing);
      await flushed(outgoing);
      if (!isWhole) await this.#linger(incoming);
    } catch {
      this.#socket.destroy();
    }
  }

  /** Takes some more of a body, and closes the connection. */
  async #linger(incoming: IncomingMessage): Promise<void> {
    if (this.#socket.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LINGER_MS);
    incoming.once("close", resolve);
    incoming.resume();
    await promise;
    clearTimeout(timer);
    incoming.off("close", resolve);
    this.#socket.destroy();
  }
}

/** Resolves when an answer is on its way, or has nowhere to go. */
async function flushed(outgoing: ServerResponse): Promise<void> {
  if (outgoing.writableFinished || outgoing.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once("finish", resolve);
  outgoing.once("close", resolve);
  await promise;
}
