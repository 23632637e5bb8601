/**
 * The connection to one MCP server, made when it is needed. A connection that failed is closed after
 * its last use, so that no call ends another one; the next use makes a new connection.
 *
 * @module
 */
import { type Client, SdkHttpError } from "@modelcontextprotocol/client";

/** The server does not know the session. It has not performed the request. */
const NOT_FOUND = 404;

/** One use of a connection. */
export interface ConnectionUse<T> {
  /** Repeated if the session is over. */
  readonly work: (client: Client) => Promise<T>;
  /** Whether an error means that the connection cannot be used again. */
  readonly isBroken: (thrown: unknown) => boolean;
  /** Ends the wait for a connection. */
  readonly signal: AbortSignal;
}

/** A connection and its users. */
interface Session {
  readonly client: Promise<Client>;
  users: number;
  isRetired: boolean;
}

/** The connection to a server. */
export class McpConnection {
  readonly #connect: () => Promise<Client>;
  #session: Session | undefined;

  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  /** Works with the connection. Rejects like `connect` and `work`, and with the reason of the signal. */
  async use<T>(use: ConnectionUse<T>): Promise<T> {
    try {
      return await this.#attempt(use);
    } catch (thrown) {
      if (!isOver(thrown) || use.signal.aborted) throw thrown;
      return await this.#attempt(use);
    }
  }

  async #attempt<T>({ work, isBroken, signal }: ConnectionUse<T>): Promise<T> {
    const session = this.#session ?? this.#open();
    session.users++;
    try {
      return await work(await unlessAborted(session.client, signal));
    } catch (thrown) {
      if (isOver(thrown) || isBroken(thrown)) this.#retire(session);
      throw thrown;
    } finally {
      session.users--;
      if (session.isRetired && session.users === 0) await close(session);
    }
  }

  #open(): Session {
    const session: Session = { client: this.#connect(), users: 0, isRetired: false };
    this.#session = session;
    session.client.catch(() => this.#retire(session));
    return session;
  }

  #retire(session: Session): void {
    session.isRetired = true;
    if (this.#session === session) this.#session = undefined;
  }

  /** Closes the connection, also for those that use it. */
  async close(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#retire(session);
    await close(session);
  }
}

/** Settles like the promise, or rejects with the reason of the signal. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function isOver(thrown: unknown): boolean {
  return thrown instanceof SdkHttpError && thrown.status === NOT_FOUND;
}

async function close({ client }: Session): Promise<void> {
  await client.then((made) => made.close()).catch(() => undefined);
}
