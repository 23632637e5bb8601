/**
 * A worker in a process of its own, which is started anew when it ends without an answer.
 *
 * @module
 */
import type { Line, Order, Side } from "./suite.ts";

/** Longest time of an order, in milliseconds. Then its worker is killed. */
const ORDER_MS = 1_800_000;
/** As isolates have it (`runtimes/pool/sealed_process.ts`). */
const FLAGS = "--stack-size=4000,--expose-gc";

function isLine(value: unknown): value is Line {
  return typeof value === "object" && value !== null &&
    ("started" in value || "test" in value || "finished" in value || "ended" in value);
}

/** A line of what the guest wrote; undefined for other output of pytest. */
function parsedLine(text: string): Line | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** How a {@link WorkerProcess} is started. */
export interface WorkerOptions {
  readonly side: Side;
  /** Folder of wheels. */
  readonly wheels: string;
  /** Modules that are imported before a test. */
  readonly preload: readonly string[];
}

/** Carries out one order at a time. */
export class WorkerProcess implements AsyncDisposable {
  readonly #options: WorkerOptions;
  #child: Deno.ChildProcess | undefined;
  #reader: ReadableStreamDefaultReader<string> | undefined;
  #text = "";

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** The lines of an order. The last one has `ended`, also when the worker has died. */
  async *lines(order: Order): AsyncGenerator<Line, void> {
    const child = this.#child ??= this.#start();
    const timer = setTimeout(() => child.kill("SIGKILL"), ORDER_MS);
    try {
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(`${JSON.stringify(order)}\n`));
      writer.releaseLock();
      for (;;) {
        const text = await this.#readLine();
        if (text === undefined) {
          await this[Symbol.asyncDispose]();
          return yield { ended: "the process ended" };
        }
        const line = parsedLine(text);
        if (line !== undefined) yield line;
        if (line?.ended !== undefined) return;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    await child.stdin.close().catch(() => undefined);
    await this.#reader?.cancel();
    await child.status;
  }

  #start(): Deno.ChildProcess {
    const { side, wheels, preload } = this.#options;
    const program = new URL("./worker.ts", import.meta.url).href;
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--allow-all", "--unstable-kv", `--config=${config}`],
        ...[`--v8-flags=${FLAGS}`, program, side, wheels, ...preload],
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#text = "";
    this.#reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    return child;
  }

  async #readLine(): Promise<string | undefined> {
    for (;;) {
      const at = this.#text.indexOf("\n");
      if (at >= 0) {
        const line = this.#text.slice(0, at);
        this.#text = this.#text.slice(at + 1);
        return line;
      }
      const part = await this.#reader?.read();
      if (part?.value === undefined) return undefined;
      this.#text += part.value;
    }
  }
}
