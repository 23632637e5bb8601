/**
 * A way to a server that counts round trips: how often the caller sends after the server has
 * answered.
 *
 * @module
 */

/** Passes bytes on, and counts. */
export class FlightCounter implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #port: number;
  readonly #accepting: Promise<void>;
  /** Round trips so far, of all connections. */
  flights = 0;

  constructor(port: number) {
    this.#port = port;
    this.#accepting = this.#accept();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
  }

  async #accept(): Promise<void> {
    const passing: Promise<void>[] = [];
    for await (const near of this.#listener) passing.push(this.#pass(near));
    await Promise.all(passing);
  }

  async #pass(near: Deno.TcpConn): Promise<void> {
    using far = await Deno.connect({ hostname: "127.0.0.1", port: this.#port });
    using closing = near;
    let isAnswered = true;
    const ways = [
      copy(closing, far, () => {
        if (isAnswered) this.flights++;
        isAnswered = false;
      }),
      copy(far, closing, () => isAnswered = true),
    ];
    await Promise.all(ways.map((way) => way.catch(ignoreReset)));
  }
}

/** A peer may end a connection without a farewell. */
function ignoreReset(thrown: unknown): void {
  const { ConnectionReset, BrokenPipe, NotConnected } = Deno.errors;
  if (![ConnectionReset, BrokenPipe, NotConnected].some((kind) => thrown instanceof kind)) {
    throw thrown;
  }
}

/** Copies until the end of the source, and ends the target. */
async function copy(from: Deno.TcpConn, to: Deno.TcpConn, onBytes: () => void): Promise<void> {
  const bytes = new Uint8Array(65_536);
  for (;;) {
    const count = await from.read(bytes);
    if (count === null) break;
    onBytes();
    for (let at = 0; at < count;) at += await to.write(bytes.subarray(at, count));
  }
  await to.closeWrite();
}
