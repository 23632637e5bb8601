/** Isolates without a process, for the pool's tests. */
import type { RunRequest } from "../../../runtimes/engine/engine.ts";
import type { Isolate, IsolateRun } from "../../../runtimes/pool/isolate.ts";
import type { RunAnswer } from "../../../runtimes/pool/run_answer.ts";
import { encodeMessage } from "../../../shared/message.ts";

const EMPTY = { stdout: new Uint8Array(), stderr: new Uint8Array(), displays: [] };

/** The answer of a run without a value. */
export function plainAnswer(run: number, healthy = true): RunAnswer {
  return {
    head: {
      run,
      ending: { kind: "none" },
      fuelConsumed: 1,
      memoryBytes: 65_536,
      durationMs: 1,
      resetMs: 0,
      outputBytes: 0,
      displayBytes: 0,
      healthy,
    },
    value: "",
    parts: [],
  };
}

/**
 * Acts on the code: `hang` until killed, `die` immediately, anything else is answered; `hold` is
 * answered when {@link FakeIsolate.letGo} is called.
 */
export class FakeIsolate implements Isolate {
  usable = true;
  holdsContext = false;
  runs = 0;
  readonly #ended = Promise.withResolvers<void>();
  readonly #held = Promise.withResolvers<void>();
  readonly ended: Promise<void> = this.#ended.promise;

  kill(): void {
    this.usable = false;
    this.#ended.resolve();
  }

  letGo(): void {
    this.#held.resolve();
  }

  async run(request: RunRequest): Promise<IsolateRun> {
    this.runs++;
    if (request.code === "die") this.kill();
    if (request.code === "hang") await this.ended;
    if (request.code === "hold") await Promise.race([this.#held.promise, this.ended]);
    const answer = this.usable ? plainAnswer(this.runs) : undefined;
    return { answer, unreadable: false, output: EMPTY };
  }
}

/** A run of the given code that may take `wallMs`. */
export function requestOf(code: string, wallMs = 10_000): RunRequest {
  return {
    code,
    env: new Map(),
    typescript: false,
    limits: {
      fuel: 1000,
      outputBytes: 1000,
      outputLines: 100,
      resultBytes: 1000,
      tracebackBytes: 1000,
      displayBytes: 1 << 20,
      wallMs,
    },
  };
}

/** A body of `POST /engine` for an isolate that reads only the build's name. */
export function engineBody(build: string): ReadableStream<Uint8Array> {
  const message = encodeMessage({ language: "javascript", build, memoryBytes: 1 << 26 });
  return new Blob([message]).stream();
}
