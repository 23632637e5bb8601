/**
 * Sends worst requests, and the short requests of the other tenant beside them.
 *
 * @module
 */
import { pause } from "../support/wait.ts";
import { CALM, tokenHeader } from "./tokens.ts";
import type { WorstRequest } from "./worst_requests.ts";

/**
 * Sends a request over a connection of its own, and reads the answer or waits until `over`. Whatever
 * happens to the connection is allowed.
 */
export async function sendWorst(
  url: string,
  { pieces, then }: WorstRequest,
  over: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  let isOpen = true;
  const close = () => {
    if (isOpen) connection.close();
    isOpen = false;
  };
  over.addEventListener("abort", close, { once: true });
  try {
    const read = then === "read" ? drain(connection) : untilAborted(over);
    await Promise.all([write(connection, pieces()), read]);
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
  } finally {
    over.removeEventListener("abort", close);
    close();
  }
}

async function write(
  connection: Deno.TcpConn,
  pieces: Iterable<Uint8Array<ArrayBuffer>>,
): Promise<void> {
  try {
    for (const piece of pieces) {
      for (let sent = 0; sent < piece.length;) sent += await connection.write(piece.subarray(sent));
    }
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown; // a refused body need not be taken
  }
}

async function drain(connection: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  while (await connection.read(buffer) !== null);
}

function isGone(thrown: unknown): boolean {
  return thrown instanceof Deno.errors.ConnectionReset ||
    thrown instanceof Deno.errors.BrokenPipe || thrown instanceof Deno.errors.NotConnected ||
    thrown instanceof Deno.errors.BadResource || thrown instanceof Deno.errors.Interrupted ||
    thrown instanceof Deno.errors.ConnectionAborted;
}

function untilAborted(over: AbortSignal): Promise<void> {
  if (over.aborted) return Promise.resolve();
  return new Promise((resolve) => over.addEventListener("abort", () => resolve(), { once: true }));
}

/** The answers of the other tenant: their times in milliseconds, and statuses that are not 200. */
export interface CalmAnswers {
  readonly health: readonly number[];
  readonly runs: readonly number[];
  readonly refused: readonly string[];
}

const HEALTH_MS = 20;
const RUN_MS = 100;

/** Asks for health every 20 ms and runs a program every 100 ms, until `over`, at least once each. */
export async function stayCalm(url: string, over: AbortSignal): Promise<CalmAnswers> {
  const refused: string[] = [];
  const repeat = async (milliseconds: number, send: () => Promise<Response>) => {
    const times: number[] = [];
    do {
      const began = performance.now();
      const answer = await send();
      const text = await answer.text();
      times.push(performance.now() - began);
      if (answer.status !== 200) refused.push(`${answer.status} ${text}`);
      await pause(Math.max(0, began + milliseconds - performance.now()));
    } while (!over.aborted);
    return times;
  };
  const [health, runs] = await Promise.all([
    repeat(HEALTH_MS, () => fetch(`${url}/healthz`)),
    repeat(RUN_MS, () =>
      fetch(`${url}/execute/javascript`, {
        method: "POST",
        headers: { "content-type": "application/json", ...tokenHeader(CALM) },
        body: '{"code":"6 * 7"}',
      })),
  ]);
  return { health, runs, refused };
}
