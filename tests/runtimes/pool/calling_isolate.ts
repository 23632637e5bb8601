/** An isolate without a process whose programs wait for their callers, for the pool's tests. */
import type { RunRequest } from "../../../runtimes/engine/engine.ts";
import { readDelivery } from "../../../runtimes/isolate/deliveries.ts";
import type {
  ContextRun,
  Isolate,
  IsolateRun,
  RunObservers,
} from "../../../runtimes/pool/isolate.ts";
import { plainAnswer } from "./fake_isolate.ts";

const EMPTY = { stdout: new Uint8Array(), stderr: new Uint8Array(), displays: [] };
const encoder = new TextEncoder();

/** Bytes of the frame of a call. */
export function callFrame(number: number, name = "echo", json = "{}"): Uint8Array {
  return encoder.encode(`${JSON.stringify({ number, name, fuel: number })}\n${json}`);
}

/** Bytes of the frame of a wait. */
export function waitFrame(fields: object = {}): Uint8Array {
  const use = { fuel: 1, memoryBytes: 65_536 };
  const wait = { calls: [], input: false, maxMs: null, ...use, recorded: false, ...fields };
  return encoder.encode(JSON.stringify(wait));
}

/**
 * Does what the lines of the code say: `call` makes the next call, `wait` waits for it, `sleep MS`
 * sleeps, `compute` goes on when {@link CallingIsolate.compute} is called, `die` ends the process.
 */
export class CallingIsolate implements Isolate {
  usable = true;
  holdsContext = false;
  runs = 0;
  readonly #ended = Promise.withResolvers<void>();
  readonly ended: Promise<void> = this.#ended.promise;
  #computing = Promise.withResolvers<void>();
  #delivered = Promise.withResolvers<Uint8Array>();

  kill(): void {
    this.usable = false;
    this.#ended.resolve();
  }

  /** Lets the program go on. */
  compute(): void {
    this.#computing.resolve();
    this.#computing = Promise.withResolvers<void>();
  }

  async run(
    { code }: RunRequest,
    _context: ContextRun | undefined,
    { monitor }: RunObservers,
  ): Promise<IsolateRun> {
    this.runs++;
    monitor?.attach({
      prompt: () => "? ",
      send: (bytes) => this.#delivered.resolve(bytes),
    });
    const recorded = [...monitor?.calls.recorded ?? []];
    let calls = 0;
    for (const line of code.split("\n")) {
      const [verb, ms] = line.split(" ");
      if (verb === "die") this.kill();
      if (verb === "compute") await Promise.race([this.#computing.promise, this.ended]);
      if (verb === "call") monitor?.call(callFrame(++calls));
      if (verb === "wait" || verb === "sleep") {
        const known = recorded.shift();
        this.#delivered = Promise.withResolvers<Uint8Array>();
        monitor?.wait(waitFrame({
          calls: verb === "wait" ? [calls] : [],
          maxMs: ms === undefined ? null : Number(ms),
          recorded: known !== undefined,
        }));
        if (known === undefined && !await this.#isDelivered()) break;
      }
      if (!this.usable) break;
    }
    const answer = this.usable ? plainAnswer(this.runs) : undefined;
    return { answer, unreadable: false, output: EMPTY };
  }

  /** False when the isolate is taken back or has ended. */
  async #isDelivered(): Promise<boolean> {
    const bytes = await Promise.race([this.#delivered.promise, this.ended]);
    if (bytes === undefined) return false;
    let at = 0;
    return readDelivery((length) => bytes.subarray(at, at += length)) !== undefined;
  }
}
