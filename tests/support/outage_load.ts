/**
 * Mixed load on a service whose store goes away again and again, with the client as it is, which
 * repeats what it may. In the end everything that was answered must be there, everything that was
 * refused must not, and nothing twice.
 *
 * @module
 */
import { connect, getSandbox, runCode, type Sandbox, SandboxError } from "../../client/mod.ts";
import { pause } from "./wait.ts";

/** The outcomes of calls. */
export interface OutageFigures {
  answered: number;
  refused: number;
  unknown: number;
  conflicts: number;
  stateless: number;
  /** Answers by status, of single requests. */
  readonly statuses: Map<number, number>;
  /** Longest single request, in milliseconds. */
  longestMs: number;
  longestStatelessMs: number;
  /** Broken promises; empty when all is well. */
  readonly wrong: string[];
}

/** The outcome of one request. */
type Fate = "done" | "not done" | "unknown";

const LARGE_BYTES = 300_000;
const CALL_PAUSE_MS = 30;
/** Clients divide their waits by this, because the outages are shorter than real ones. */
const FASTER = 10;

/** The load of one service. */
export class OutageLoad {
  readonly figures: OutageFigures = {
    answered: 0,
    refused: 0,
    unknown: 0,
    conflicts: 0,
    stateless: 0,
    statuses: new Map(),
    longestMs: 0,
    longestStatelessMs: 0,
    wrong: [],
  };
  readonly #env;
  readonly #below: (end: number) => number;

  constructor(url: string, below: (end: number) => number) {
    this.#env = connect(url, { fetch: (request) => this.#timed(request) });
    this.#below = below;
  }

  /** Acts until it is stopped, then checks the state and fills in the figures. */
  async work(actors: number, stop: AbortSignal, back: Promise<void>): Promise<OutageFigures> {
    const run = crypto.randomUUID().slice(0, 8); // a server keeps the sandboxes of earlier runs
    const boxes = Array.from({ length: actors }, (_, n) => new Box(this, `box${n}-${run}`));
    const stateless = this.#stateless(stop);
    await Promise.all(boxes.map((box) => box.work(stop, this.#below)));
    await stateless;
    await back;
    for (const box of boxes) await box.check();
    return this.figures;
  }

  sandbox(name: string): Sandbox {
    return getSandbox(this.#env.Sandbox, name, { retry: { sleep: (ms) => pause(ms / FASTER) } });
  }

  /** Does something, and returns its outcome. */
  async fateOf(work: () => Promise<unknown>): Promise<Fate> {
    try {
      await work();
      this.figures.answered++;
      return "done";
    } catch (thrown) {
      if (!(thrown instanceof SandboxError)) throw thrown;
      if (thrown.retryable) this.figures.refused++;
      else if (thrown.code === "CONFLICT") this.figures.conflicts++;
      else if (thrown.httpStatus === 500) this.figures.unknown++;
      else this.figures.wrong.push(`${thrown.httpStatus} ${thrown.code}: ${thrown.message}`);
      return thrown.httpStatus === 500 ? "unknown" : "not done";
    }
  }

  async #stateless(stop: AbortSignal): Promise<void> {
    for (let n = 0; !stop.aborted; n++) {
      const began = performance.now();
      try {
        const { results } = await runCode(this.#env.JAVASCRIPT, `${n} + 1`, { retry: false });
        if (results[0]?.text !== String(n + 1)) this.figures.wrong.push("a stateless run");
      } catch (thrown) {
        this.figures.wrong.push(`a stateless run: ${thrown}`);
      }
      this.figures.stateless++;
      const ms = performance.now() - began;
      this.figures.longestStatelessMs = Math.max(this.figures.longestStatelessMs, ms);
      await pause(CALL_PAUSE_MS);
    }
  }

  async #timed(request: Request): Promise<Response> {
    const began = performance.now();
    const answer = await fetch(request);
    this.figures.longestMs = Math.max(this.figures.longestMs, performance.now() - began);
    const { statuses } = this.figures;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }
}

/** One sandbox with one context, and what was asked of it. */
class Box {
  readonly #load: OutageLoad;
  readonly #sandbox: Sandbox;
  readonly #name: string;
  /** The required contents of the context's list, in the order of the requests. */
  readonly #runs = new Map<string, Fate>();
  readonly #files = new Map<string, Fate>();
  readonly #variables = new Map<string, Fate>();
  #made = 0;

  constructor(load: OutageLoad, name: string) {
    this.#load = load;
    this.#name = name;
    this.#sandbox = load.sandbox(name);
  }

  async work(stop: AbortSignal, below: (end: number) => number): Promise<void> {
    while (!stop.aborted) {
      const id = `${this.#name}-${this.#made++}`;
      const kind = below(10);
      if (kind < 4) await this.#run(id, "");
      else if (kind < 6) await this.#run(id, large(below));
      else if (kind < 8) await this.#write(id);
      else if (kind < 9) await this.#set(id);
      else await this.#load.fateOf(() => this.#sandbox.info());
      await pause(below(CALL_PAUSE_MS));
    }
  }

  async #run(id: string, more: string): Promise<void> {
    const code = `${more}(globalThis.seen ??= []).push("${id}");
      require("fs").appendFileSync("log", "${id}\\n"); seen.length`;
    const run = () => this.#sandbox.interpreter.runCode(code, { binding: "JAVASCRIPT" });
    this.#runs.set(id, await this.#load.fateOf(run));
  }

  async #write(id: string): Promise<void> {
    this.#files.set(id, await this.#load.fateOf(() => this.#sandbox.files.write(id, id)));
  }

  async #set(id: string): Promise<void> {
    const name = id.replaceAll("-", "_");
    const set = () => this.#sandbox.setEnvVars({ [name]: id });
    this.#variables.set(name, await this.#load.fateOf(set));
  }

  /** Compares the state of the sandbox with the answers. */
  async check(): Promise<void> {
    const look = "[globalThis.seen ?? [], require('fs').readdirSync('.')]";
    const { results } = await this.#sandbox.interpreter.runCode(look, { binding: "JAVASCRIPT" });
    const json = results[0]?.json;
    const [seen, files] = Array.isArray(json) ? json : [];
    if (!Array.isArray(seen) || !Array.isArray(files)) throw new Error(`${this.#name}: no lists`);
    this.#compare("run", seen.map(String), this.#runs);
    this.#compare("file", files.map(String).filter((name) => name !== "log"), this.#files);
    const log = files.includes("log") ? await this.#sandbox.files.read("log") : "";
    this.#compare("line", log.split("\n").filter(Boolean), this.#runs);
    if (log !== seen.map((id) => `${id}\n`).join("")) {
      this.#load.figures.wrong.push(`${this.#name}: memory and files are of different runs`);
    }
    const { envVars } = await this.#sandbox.info();
    this.#compare("variable", envVars, this.#variables);
  }

  #compare(kind: string, found: readonly string[], asked: ReadonlyMap<string, Fate>): void {
    const { wrong } = this.#load.figures;
    if (new Set(found).size !== found.length) {
      wrong.push(`${this.#name}: a ${kind} twice: ${found}`);
    }
    for (const [id, fate] of asked) {
      const isThere = found.includes(id);
      if (fate === "done" && !isThere) wrong.push(`${kind} ${id} was answered and is lost`);
      if (fate === "not done" && isThere) wrong.push(`${kind} ${id} was refused and is there`);
    }
    for (const id of found) if (!asked.has(id)) wrong.push(`${kind} ${id} was not asked for`);
  }
}

/** Memory that does not compress, so that its snapshot is written ahead of the commit. */
function large(below: (end: number) => number): string {
  return `globalThis.big = new Uint8Array(${LARGE_BYTES}); var s = ${1 + below(1 << 30)};
    for (let i = 0; i < big.length; i++) { s = (s * 1103515245 + 12345) & 0x7fffffff; big[i] = s >> 16; }
  `;
}
