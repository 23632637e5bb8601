/**
 * A service in a process of its own that can be killed, at a step, at an operation of its store,
 * or from outside.
 *
 * @module
 */
import type { KillMoment } from "./kill_switch.ts";
import { processTree } from "./process.ts";
import { READY_LINE } from "./program.ts";
import { KILLS_WITHOUT_END, SMALL_LIMITS } from "./run_limits.ts";
import { pause } from "./wait.ts";

/** How a service is started that is to be killed. */
export interface KillableOptions {
  /** File of the data. */
  readonly kvPath: string;
  readonly leaseMs: number;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const POLL_MS = 20;

/** A running service. */
export class KillableService implements AsyncDisposable {
  readonly url: string;
  readonly #child: Deno.ChildProcess;
  readonly #lines: LineReader;
  readonly #commands: WritableStreamDefaultWriter<Uint8Array>;

  private constructor(child: Deno.ChildProcess, lines: LineReader, url: string) {
    this.#child = child;
    this.#lines = lines;
    this.#commands = child.stdin.getWriter();
    this.url = url;
  }

  /** Starts one and waits until it listens. */
  static async start({ kvPath, leaseMs, env }: KillableOptions): Promise<KillableService> {
    const project = new URL("../../", import.meta.url);
    const program = new URL("tests/support/kill_program.ts", project);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", program.href, String(leaseMs)],
      cwd: project,
      env: {
        PORT: "0",
        KV_PATH: kvPath,
        ISOLATES: "1",
        RUBY_CONTEXTS: "1",
        ...SMALL_LIMITS,
        ...KILLS_WITHOUT_END,
        ...env,
      },
      stdin: "piped",
      stdout: "piped",
      stderr: Deno.env.has("KILL_LOG") ? "inherit" : "null",
    }).spawn();
    const lines = new LineReader(child.stdout);
    const url = READY_LINE.exec(`${await lines.next()}\n`)?.[1];
    if (url === undefined) {
      killQuietly(child.pid);
      await Promise.all([child.status, lines.close(), child.stdin.abort().catch(() => undefined)]);
      throw new Error("The service did not say where it listens");
    }
    return new KillableService(child, lines, url);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Has it kill itself at that moment. */
  async arm(moment: KillMoment): Promise<void> {
    await this.#commands.write(new TextEncoder().encode(`${JSON.stringify(moment)}\n`));
    if (await this.#lines.next() !== "armed") throw new Error("The service was not armed");
  }

  /** Kills it; with `tree` all its isolates too, at the same time. */
  async kill(tree: boolean): Promise<void> {
    const pids = tree ? await processTree(this.pid) : [this.pid];
    for (const pid of pids.reverse()) killQuietly(pid);
    await this.ended();
  }

  /** Resolves when it was killed, by whomever; gives the signal. */
  async ended(): Promise<Deno.Signal | null> {
    const { signal } = await this.#child.status;
    await this.#lines.close();
    await this.#commands.abort().catch(() => undefined);
    return signal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    killQuietly(this.pid, "SIGTERM");
    await this.ended();
  }
}

class LineReader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next line; undefined at the end. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}

function killQuietly(pid: number, signal: Deno.Signal = "SIGKILL"): void {
  try {
    Deno.kill(pid, signal);
  } catch (thrown) {
    const isGone = thrown instanceof Deno.errors.NotFound || thrown instanceof TypeError;
    if (!isGone) throw thrown;
  }
}

/** A process, distinguishable from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number;
  readonly started: string;
}

/** The processes of a tree, marked. */
export async function marksOfTree(pid: number): Promise<readonly ProcessMark[]> {
  const marks: ProcessMark[] = [];
  for (const below of await processTree(pid)) {
    const started = await startOf(below);
    if (started !== undefined) marks.push({ pid: below, started });
  }
  return marks;
}

/** Those which still run when all have been given that long. */
export async function survivors(
  marks: readonly ProcessMark[],
  ms: number,
): Promise<readonly ProcessMark[]> {
  const until = performance.now() + ms;
  for (;;) {
    const starts = await Promise.all(marks.map(({ pid }) => startOf(pid)));
    const left = marks.filter(({ started }, index) => starts[index] === started);
    if (left.length === 0 || performance.now() > until) return left;
    await pause(POLL_MS);
  }
}

/** When a process was started; undefined when it is gone, or only not yet buried. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/stat`);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
