/**
 * A way between a service and a server that can be stalled, cut, or moved to another server.
 *
 * @module
 */
import type { Outages } from "./outage_store.ts";

const KINDS = ["stall", "stall answers", "cut", "cut answers"] as const;
type Kind = typeof KINDS[number];

/** Passes bytes on, or does not. */
export class TcpProxy implements Outages, AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #url: URL;
  #target: Deno.ConnectOptions;
  readonly #below: (end: number) => number;
  readonly #connections = new Set<Deno.TcpConn>();
  #kind: Kind | undefined;
  #back: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #accepting: Promise<void>;

  constructor(target: URL, below: (end: number) => number) {
    this.#url = target;
    this.#target = { hostname: target.hostname, port: Number(target.port || 80) };
    this.#below = below;
    this.#accepting = this.#accept();
  }

  /** Where to call in place of the server. */
  get url(): string {
    const url = new URL(this.#url);
    url.hostname = "127.0.0.1";
    url.port = String(this.#listener.addr.port);
    return url.href.replace(/^(https?:\/\/[^/]*)\/$/, "$1");
  }

  /** From now on leads to another port, also those who are connected. */
  move(port: number): void {
    this.#target = { hostname: "127.0.0.1", port };
    this.#cut();
  }

  begin(kind: Kind = KINDS[this.#below(KINDS.length)] ?? "stall"): void {
    this.#kind = kind;
    this.#back = Promise.withResolvers();
    if (kind === "cut") this.#cut();
  }

  end(): void {
    this.#kind = undefined;
    this.#back.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    this.#listener.close();
    this.#cut();
    await this.#accepting;
  }

  #cut(): void {
    for (const connection of this.#connections) close(connection);
    this.#connections.clear();
  }

  async #accept(): Promise<void> {
    const passing: Promise<void>[] = [];
    for await (const near of this.#listener) {
      if (this.#kind === "cut") close(near);
      else passing.push(this.#connect(near));
    }
    await Promise.all(passing);
  }

  async #connect(near: Deno.TcpConn): Promise<void> {
    this.#connections.add(near);
    try {
      const far = await Deno.connect(this.#target);
      this.#connections.add(far);
      await Promise.all([
        this.#pass(near, far, (kind) => kind === "stall"),
        this.#pass(far, near, (kind) => kind !== undefined, true),
      ]);
    } catch {
      close(near);
    }
  }

  /** `isHeld`: whether bytes this way wait while there is an outage of that kind. */
  async #pass(
    from: Deno.TcpConn,
    to: Deno.TcpConn,
    isHeld: (kind: Kind | undefined) => boolean,
    isAnswer = false,
  ): Promise<void> {
    const bytes = new Uint8Array(65_536);
    try {
      for (;;) {
        const count = await from.read(bytes);
        if (count === null) break;
        if (isAnswer && this.#kind === "cut answers") break;
        if (isHeld(this.#kind)) await this.#back.promise;
        for (let at = 0; at < count;) at += await to.write(bytes.subarray(at, count));
      }
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown; // it was cut, from one side or the other
    }
    for (const connection of [from, to]) {
      close(connection);
      this.#connections.delete(connection);
    }
  }
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.BadResource)) throw thrown;
  }
}
