/**
 * Bounds: what no service on this machine can pass, measured on a program that does nothing else. A
 * request is at least a loopback round trip of Deno's own server; a stored one adds a durable
 * commit; one that moves memory adds the copy.
 *
 * @module
 */
import { startProgram } from "../tests/support/program.ts";
import type { Service } from "../tests/support/service.ts";
import { ms, quantile, times } from "./stats.ts";

/** The bytes that a request sends, answers, writes and copies. */
export interface Exchange {
  /** @default {no round trip} */
  readonly sent?: number;
  /** @default {0} */
  readonly answered?: number;
  /** Committed before the answer. @default {none} */
  readonly written?: number;
  /** Copied within memory. @default {none} */
  readonly copied?: number;
}

const SAMPLE = 100;
/** Below the limit of a value in KV. */
const PIECE_BYTES = 60_000;
/** Below the limit of a commit. */
const PIECES_AT_ONCE = 12;
const WARM_UP = 300;
/** Columns of a table beside a time. */
export const BOUND_HEAD = ["bound, ms", "ratio"];

/** Starts a bare server; `args` are those of `bare_server.ts`. */
export function startBareServer(args: readonly string[] = []): Promise<Service> {
  return startProgram({ module: "bench/bare_server.ts", args, stderr: "inherit" });
}

/** Sends bytes to a path of a bare server and reads the answer. */
export async function askBare(url: string, path: string, sent: number): Promise<void> {
  const answer = await fetch(`${url}${path}`, { method: "POST", body: new Uint8Array(sent) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
}

/** The sizes of a request and its answer. */
export async function exchangeOf(url: string, body: string) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body });
  const { byteLength } = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return { sent: body.length, answered: byteLength } satisfies Exchange;
}

/** Bounds of requests. */
export class Bounds implements AsyncDisposable {
  readonly #server: Service;
  readonly #store: Deno.Kv;
  readonly #folder: string;

  private constructor(server: Service, store: Deno.Kv, folder: string) {
    this.#server = server;
    this.#store = store;
    this.#folder = folder;
  }

  /** Starts what is measured. */
  static async start(): Promise<Bounds> {
    const folder = await Deno.makeTempDir({ prefix: "belljar-bench-" });
    const server = await startBareServer();
    await times(WARM_UP, () => askBare(server.url, "/100", 100));
    return new Bounds(server, await Deno.openKv(`${folder}/bare.sqlite3`), folder);
  }

  /** The median time of an exchange, in ms. */
  async p50(
    { sent, answered = 0, written, copied = 0 }: Exchange,
    count = SAMPLE,
  ): Promise<number> {
    const { url } = this.#server;
    const trip = sent === undefined
      ? [0]
      : await times(count, () => askBare(url, `/${answered}`, sent));
    const from = new Uint8Array(copied).fill(1);
    const to = new Uint8Array(copied);
    const copy = await times(count, () => to.set(from));
    const commit = written === undefined ? [0] : await times(count, () => this.#commit(written));
    return quantile(trip, 0.5) + quantile(copy, 0.5) + quantile(commit, 0.5);
  }

  async #commit(bytes: number): Promise<void> {
    const pieces = Math.max(1, Math.ceil(bytes / PIECE_BYTES));
    const piece = new Uint8Array(Math.ceil(bytes / pieces)).fill(1);
    for (let at = 0; at < pieces; at += PIECES_AT_ONCE) {
      const atomic = this.#store.atomic();
      for (let n = at; n < Math.min(pieces, at + PIECES_AT_ONCE); n++) {
        atomic.set(["piece", n], piece);
      }
      await atomic.commit();
    }
  }

  /** Exchanges per second over some connections. */
  async perSecond({ sent = 0, answered = 0 }: Exchange, connections: number): Promise<number> {
    const count = SAMPLE * 10;
    let left = count;
    const began = performance.now();
    await Promise.all(Array.from({ length: connections }, async () => {
      while (left-- > 0) await askBare(this.#server.url, `/${answered}`, sent);
    }));
    return count / (performance.now() - began) * 1000;
  }

  /** A time beside its bound: cells for {@link BOUND_HEAD}. */
  async cells(p50: number, exchange: Exchange): Promise<readonly string[]> {
    return boundCells(p50, await this.p50(exchange));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#store.close();
    await this.#server[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** The bound and how many times it the figure is. */
export function boundCells(value: number, bound: number): readonly string[] {
  return [ms(bound), (value / bound).toFixed(1)];
}
