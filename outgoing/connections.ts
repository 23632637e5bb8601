/**
 * The connections to one target, by undici: HTTP/1.1, no redirects, certificates verified with the
 * name of the target. Node's own client is not used, because Deno adds `traceparent` to its requests
 * and exports a span with their URL, which holds arguments.
 *
 * @module
 */
import { DecoratorHandler, type Dispatcher, Pool } from "undici";
import { type AddressRules, judgedLookUp, type LookUp } from "./look_up.ts";
import { CONNECT_MS, IDLE_MS, MAX_CONNECTIONS, MAX_HEAD_BYTES } from "./limits.ts";

/** A request on a connection. */
export interface ConnectionRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly signal: AbortSignal;
  /** Called when a connection is there, right before the request is written to it. */
  readonly started: () => void;
}

/** Where connections go, and whom they trust. */
export interface Target {
  readonly origin: string;
  readonly rules: AddressRules;
  readonly lookUp: LookUp;
  /** Certificates of authorities, in PEM, in place of the system's. */
  readonly authorities: string | undefined;
}

/** Tells when a request is written. */
class StartHandler extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #started: () => void;

  constructor(handler: Dispatcher.DispatchHandler, started: () => void) {
    super(handler);
    this.#started = started;
  }

  onRequestStart(...given: Parameters<NonNullable<Dispatcher.DispatchHandler["onRequestStart"]>>) {
    this.#started();
    const base: Dispatcher.DispatchHandler = DecoratorHandler.prototype;
    base.onRequestStart?.call(this, ...given);
  }
}

/** The connections to one target. */
export class Connections {
  readonly #pool: Pool;

  constructor({ origin, rules, lookUp, authorities }: Target) {
    this.#pool = new Pool(origin, {
      allowH2: false,
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: 0, // The signal of a request ends it.
      bodyTimeout: 0,
      connect: {
        timeout: CONNECT_MS,
        rejectUnauthorized: true, // Whatever the environment says.
        lookup: judgedLookUp(lookUp, rules),
        ...(authorities === undefined ? {} : { ca: authorities }),
      },
    });
  }

  /** Rejects with an error of undici, of a socket, or the reason of the signal. */
  async request(request: ConnectionRequest): Promise<Dispatcher.ResponseData> {
    const { started, ...options } = request;
    const watched = this.#pool.compose((dispatch) => (dispatched, handler) =>
      dispatch(dispatched, new StartHandler(handler, started))
    );
    return await watched.request(options);
  }

  /** Closes the connections when their requests have ended. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}
