/**
 * Services on one PostgreSQL, and callers that repeat their runs until they are answered, while
 * the database fails. At the end each context says what happened to it.
 *
 * @module
 */
import type { ExecutionResult } from "../../client/protocol/types.ts";
import { jsonPost } from "./json_post.ts";
import type { Proxy } from "./caddy.ts";
import { type Service, startService } from "./service.ts";
import { pause } from "./wait.ts";

/** The services of a storm. */
export interface StormServices {
  readonly count: number;
  /** Ends a service at once. */
  kill(at: number): Promise<void>;
  /** Starts a service in place of one that was killed; only without a proxy. */
  replace(at: number): Promise<void>;
}

/** How the storm runs. */
export interface PostgresStorm {
  /** `KV_PATH` of all services. */
  readonly url: string;
  /** @default {2} */
  readonly services?: number;
  /** Starts a proxy in front of the services. Callers go to each service in turn when absent. */
  readonly proxy?: (urls: readonly string[]) => Promise<Proxy>;
  readonly below: (end: number) => number;
  /** What happens to the database and to the services, one after the other. */
  readonly events: readonly ((services: StormServices) => Promise<unknown>)[];
  /** Whether callers send an `Idempotency-Key` and repeat, or give up at an unknown outcome. */
  readonly repeats: boolean;
}

/** The outcome. */
export interface PostgresStormReport {
  /** Runs that were answered with 200. */
  readonly answered: number;
  /** Runs without a key whose outcome is unknown. */
  readonly unknown: number;
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  /** Violations, in words. */
  readonly wrong: readonly string[];
}

const SANDBOXES = 4;
const CALLERS_PER_SANDBOX = 2;
/** Between two events. */
const GAP_MS = 1_500;
const CALL_MS = 60_000;
const TRIES = 600;

/** One sandbox and what its callers know of it. */
class Box {
  readonly name: string;
  readonly results: number[] = [];
  unknown = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/** Runs the storm. */
export async function postgresStorm(
  { url, services: count = 2, proxy, below, events, repeats }: PostgresStorm,
): Promise<PostgresStormReport> {
  const env = { KV_PATH: url, LANGUAGES: "javascript", PAGE: "0", MAX_WAIT_MS: "5000" };
  await using running = new AsyncDisposableStack();
  const services: Service[] = [];
  for (let n = 0; n < count; n++) services.push(running.use(await startService(env)));
  const front = proxy && running.use(await proxy(services.map((service) => service.url)));
  const urls = () => front === undefined ? services.map((service) => service.url) : [front.url];
  const callers = new Callers(urls, below, repeats);
  const controls: StormServices = {
    count,
    kill: async (at) => void await services[at]?.end("SIGKILL"),
    replace: async (at) => void (services[at] = running.use(await startService(env))),
  };
  const boxes = Array.from({ length: SANDBOXES }, (_, n) => new Box(`storm-${n}`));
  for (const box of boxes) await callers.untilDone(box, "var n = 0; var seen = {}; 0");
  const stop = new AbortController();
  const work = boxes.flatMap((box) =>
    Array.from({ length: CALLERS_PER_SANDBOX }, () => callers.work(box, stop.signal))
  );
  try {
    for (const event of events) {
      await pause(GAP_MS / 2 + below(GAP_MS));
      await event(controls);
    }
    await pause(GAP_MS);
  } finally {
    stop.abort();
    await Promise.all(work);
  }
  const wrong = (await Promise.all(boxes.map((box) => callers.violations(box)))).flat();
  return {
    answered: boxes.reduce((sum, { results }) => sum + results.length, 0),
    unknown: boxes.reduce((sum, { unknown }) => sum + unknown, 0),
    statuses: callers.statuses,
    slowestMs: callers.slowestMs,
    wrong,
  };
}

class Callers {
  readonly statuses: Record<string, number> = {};
  slowestMs = 0;
  readonly #urls: () => readonly string[];
  readonly #below: (end: number) => number;
  readonly #repeats: boolean;
  #turn = 0;

  constructor(urls: () => readonly string[], below: (end: number) => number, repeats: boolean) {
    this.#urls = urls;
    this.#below = below;
    this.#repeats = repeats;
  }

  /** Counts runs in a context and a file until the signal fires. */
  async work(box: Box, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const key = crypto.randomUUID();
      const code = `seen["${key}"] = (seen["${key}"] ?? 0) + 1; n = n + 1;` +
        ` require("fs").writeFileSync("n.txt", String(n)); n`;
      const began = performance.now();
      if (this.#repeats) box.results.push(Number(await this.untilDone(box, code, key)));
      else await this.#once(box, code);
      this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - began));
    }
  }

  /** Repeats a run until it is answered; gives the text of its result. */
  async untilDone(box: Box, code: string, key?: string): Promise<string> {
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await this.#call(box, code, key);
      if (answer.text !== undefined) return answer.text;
      await pause(50 + this.#below(100));
    }
    throw new Error(`${box.name} was not answered`);
  }

  async #once(box: Box, code: string): Promise<void> {
    const { text, status } = await this.#call(box, code);
    if (text !== undefined) box.results.push(Number(text));
    else {
      if (status !== 429 && status !== 503) box.unknown++;
      await pause(100);
    }
  }

  async #call(
    box: Box,
    code: string,
    key?: string,
  ): Promise<{ readonly status: number; readonly text?: string }> {
    const urls = this.#urls();
    const base = urls[this.#turn++ % urls.length] ?? "";
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    const init = { ...jsonPost({ code }, headers), signal: AbortSignal.timeout(CALL_MS) };
    const path = `/languages/javascript/sandboxes/${box.name}/execute`;
    const { status, result } = await answerTo(`${base}${path}`, init);
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (result === undefined) return { status };
    if (result.error) throw new Error(`${box.name}: ${result.error.name}`);
    return { status: 200, text: String(result.results[0]?.text) };
  }

  /** Compares a context and its file with the answers of its runs. */
  async violations(box: Box): Promise<readonly string[]> {
    const code = `[n, Object.keys(seen).length, Math.max(0, ...Object.values(seen)),` +
      ` require("fs").readFileSync("n.txt", "utf8")].join()`;
    const text = (await this.untilDone(box, code)).replaceAll("'", "");
    const [n = NaN, keys, most, file] = text.split(",").map(Number);
    const wrong: string[] = [];
    const answered = box.results.length;
    if (n < answered || n > answered + box.unknown) wrong.push(`${n} runs, ${answered} answered`);
    if (keys !== n || file !== n) wrong.push(`${keys} keys and ${file} in the file of ${n} runs`);
    if (most !== 1) wrong.push(`a run happened ${most} times`);
    if (new Set(box.results).size !== answered) wrong.push("two runs had one result");
    if (box.results.some((result) => !(result <= n))) wrong.push("an answered run is lost");
    return wrong.map((text) => `${box.name}: ${text}`);
  }
}

/** The status and result of a run; status 0 when its service is gone. */
async function answerTo(
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly result?: ExecutionResult }> {
  try {
    const response = await fetch(url, init);
    const { status } = response;
    if (status === 200) return { status, result: await response.json() };
    await response.body?.cancel();
    return { status };
  } catch (thrown) {
    if (thrown instanceof TypeError) return { status: 0 };
    throw thrown;
  }
}
