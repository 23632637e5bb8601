/**
 * A server over `node:http`. It notices a disconnect for requests of any length: when the
 * connection ends, each unanswered request on it is aborted.
 *
 * A caller that closes only its sending half looks the same as one that disconnected, so it counts
 * as disconnected a moment later. The requests of a connection are answered one after another, in
 * order.
 *
 * @module
 */
import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { endRequestSpan, inRequestSpan } from "../telemetry/node_spans.ts";
import type { Handler } from "./app.ts";
import type { HttpServer, ServeOptions } from "./http_server.ts";
import { requestOf } from "./node_request.ts";
import { send } from "./node_response.ts";
import { NodeSocket } from "./node_socket.ts";

const OPTIONS: ServerOptions = {
  // the same limit as `Deno.serve`
  maxHeaderSize: 64 * 1024,
  // the bound address replaces a missing header
  requireHostHeader: false,
  // a client or proxy may reuse a connection at any time
  keepAliveTimeout: 0,
};
/** Maximum number of pipelined requests on one connection. No serious client sends so many. */
const MAX_PIPELINED = 1_000;
/**
 * How long to keep receiving a body that is not read: a caller that is cut off may not see the
 * answer.
 */
const LINGER_MS = 500;

/** Starts a server. Rejects with the system's error when the address cannot be bound. */
export function serveNode(
  { hostname, port, handler, onBroken }: ServeOptions,
): Promise<HttpServer> {
  const listener = Deno.listen({ hostname, port });
  let isShut = false;
  const connections = new Map<unknown, Connection>();
  const server = createServer(OPTIONS, (incoming, outgoing) => {
    connections.get(incoming.socket)?.add(incoming, outgoing);
  });
  // makes `node:http` close connections once they are answered
  Object.defineProperty(server, "listening", { get: () => !isShut });
  const open = Promise.withResolvers<void>();
  const endWhenIdle = () => {
    if (isShut && connections.size === 0) open.resolve();
  };
  const accept = (accepted: Deno.TcpConn) => {
    const socket = new NodeSocket(accepted);
    connections.set(socket, new Connection(socket, handler, onBroken));
    socket.once("close", () => {
      connections.get(socket)?.end();
      connections.delete(socket);
      endWhenIdle();
    });
    server.emit("connection", socket);
  };
  const accepting = acceptAll(listener, accept).catch((thrown) => {
    if (!isShut) throw thrown;
  });
  return Promise.resolve({
    addr: listener.addr,
    finished: accepting,
    shutdown: async () => {
      isShut = true;
      listener.close();
      for (const connection of connections.values()) connection.finish();
      endWhenIdle();
      await open.promise;
    },
  });
}

/** Ends when the listener is closed or cannot accept. */
async function acceptAll(
  listener: Deno.TcpListener,
  accept: (connection: Deno.TcpConn) => void,
): Promise<void> {
  for (;;) accept(await listener.accept());
}

/** A request that is not answered yet. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly caller: AbortController;
}

/** The requests of one connection. */
class Connection {
  readonly #socket: NodeSocket;
  readonly #handler: Handler;
  readonly #onBroken: ServeOptions["onBroken"];
  /** In order of arrival; the first one is being answered. */
  readonly #exchanges: Exchange[] = [];
  #finishing = false;
  #stopLingering: () => void = () => {};

  constructor(socket: NodeSocket, handler: Handler, onBroken: ServeOptions["onBroken"]) {
    this.#socket = socket;
    this.#handler = handler;
    this.#onBroken = onBroken;
  }

  /** Called when the head of a request has arrived. */
  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#exchanges.length >= MAX_PIPELINED) return void this.#socket.destroy();
    this.#exchanges.push({ incoming, outgoing, caller: new AbortController() });
    if (this.#exchanges.length === 1) this.#answerAll();
  }

  /** Called when the connection is gone. */
  end(): void {
    this.#stopLingering();
    for (const { caller, outgoing } of this.#exchanges) {
      caller.abort();
      if (!outgoing.writableFinished) endRequestSpan(outgoing);
    }
  }

  /** Closes the connection once the current request is answered. */
  finish(): void {
    this.#finishing = true;
    this.#stopLingering();
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
      const request = requestOf(incoming, this.#socket.authority, caller.signal);
      const answer = request === undefined
        ? new Response(null, { status: 400 })
        : await inRequestSpan(outgoing, () => this.#handler(request));
      const isWhole = incoming.complete;
      if (this.#finishing || !isWhole) outgoing.shouldKeepAlive = false;
      await send(answer, outgoing);
      if (!isWhole) await this.#linger(incoming);
      outgoing.end();
      await flushed(outgoing);
    } catch {
      this.#onBroken?.();
      this.#socket.destroy();
    }
  }

  /** Takes more of a body that the caller may still be sending. */
  async #linger(incoming: IncomingMessage): Promise<void> {
    if (this.#socket.destroyed || this.#finishing) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LINGER_MS);
    this.#stopLingering = resolve;
    incoming.once("end", resolve);
    incoming.resume();
    await promise;
    clearTimeout(timer);
  }
}

/** Resolves when an answer was sent or the connection is gone. */
async function flushed(outgoing: ServerResponse): Promise<void> {
  if (outgoing.writableFinished || outgoing.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once("finish", resolve);
  outgoing.once("close", resolve);
  await promise;
}
