/**
 * Adapts a connection of `Deno.listen` for `node:http`.
 *
 * The server of `node:http` does not listen itself: under Deno (2.9) it silently stops accepting
 * once the process has run out of file descriptors.
 *
 * @module
 */
import { Duplex } from "node:stream";

type Callback = (error?: Error | null) => void;

const READ_BYTES = 16 * 1024;
/**
 * How long an answer may take for a caller that has closed its sending half. After that the caller
 * counts as disconnected, because the two cannot be distinguished.
 */
const HALF_CLOSED_MS = 100;

/** The part of a connection that `node:http` uses. */
export class NodeSocket extends Duplex {
  /** Local address and port, as in a URL. */
  readonly authority: string;
  readonly #connection: Deno.TcpConn;
  readonly #buffer = new Uint8Array(READ_BYTES);
  #goneTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: Deno.TcpConn) {
    super({ highWaterMark: READ_BYTES, emitClose: true });
    this.#connection = connection;
    const { hostname, port } = connection.localAddr;
    this.authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
    connection.setNoDelay(true);
  }

  override _read(): void {
    this.#connection.read(this.#buffer).then((count) => {
      if (this.destroyed) return;
      if (count !== null) this.push(this.#buffer.slice(0, count));
      else this.#goneTimer = setTimeout(() => this.destroy(), HALF_CLOSED_MS);
    }).catch(() => this.destroy());
  }

  override _write(chunk: Uint8Array, _encoding: string, done: Callback): void {
    this.#writeAll([chunk]).then(() => done(), () => this.#broken(done));
  }

  override _writev(chunks: { readonly chunk: Uint8Array }[], done: Callback): void {
    this.#writeAll(chunks.map(({ chunk }) => chunk)).then(() => done(), () => this.#broken(done));
  }

  override _final(done: Callback): void {
    this.#connection.closeWrite().then(() => done(), () => done());
  }

  override _destroy(error: Error | null, done: Callback): void {
    clearTimeout(this.#goneTimer);
    try {
      this.#connection.close();
    } catch (thrown) {
      if (!(thrown instanceof Deno.errors.BadResource)) throw thrown;
    }
    done(error);
  }

  /** Sends what is pending, then closes. */
  destroySoon(): void {
    if (this.writableFinished) return void this.destroy();
    this.once("finish", () => this.destroy());
    this.end();
  }

  /** The peer is gone, which is not an error. */
  #broken(done: Callback): void {
    this.destroy();
    done();
  }

  async #writeAll(chunks: readonly Uint8Array[]): Promise<void> {
    const bytes = joined(chunks);
    for (let sent = 0; sent < bytes.length;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
