/**
 * The isolate's server: one engine, one run at a time, for whoever knows the token.
 *
 * @module
 */
import type { Ending, Engine, RunOutcome, Stream } from "./engine.ts";
import { limitOutput } from "./output.ts";
import {
  decodeMessage,
  encodeFrame,
  encodeMessage,
  type EndingHead,
  type EngineHead,
  type Message,
  type RunAnswerHead,
  type RunHead,
} from "./protocol.ts";

/** An engine that may ask for its process to be replaced. */
export interface HostedEngine extends Engine {
  readonly healthy: boolean;
}

/** What the server needs. */
export interface ServerParts {
  readonly token: string;
  /** Makes the engine that the parent hands over, and warms it up. */
  createEngine(head: EngineHead, parts: Message["parts"]): Promise<HostedEngine>;
  /** Writes a whole frame to the parent, at once. */
  writeFrame(frame: Uint8Array): void;
  /** Monotonic milliseconds. */
  monotonic(): number;
  /** Calls back once the answer is on its way. */
  defer(task: () => void): void;
}

function timingSafeEqual(a: string, b: string): boolean {
  const encoder = new TextEncoder();
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  let different = left.length ^ right.length;
  for (let i = 0; i < left.length; i++) different |= (left[i] ?? 0) ^ (right[i] ?? 0);
  return different === 0;
}

function endingHead(ending: Ending): EndingHead {
  switch (ending.kind) {
    case "text":
    case "json":
      return { kind: ending.kind };
    case "error":
      return { kind: "error", ...ending.error };
    default:
      return ending;
  }
}

function endingPart(ending: Ending): readonly Uint8Array[] {
  if (ending.kind === "text") return [new TextEncoder().encode(ending.text)];
  if (ending.kind === "json") return [new TextEncoder().encode(ending.json)];
  return [];
}

/** Serves the two routes; see `protocol.ts`. */
export class IsolateServer {
  readonly #parts: ServerParts;
  #engine: HostedEngine | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  /** Answers a request. */
  async handle(request: Request): Promise<Response> {
    const authorization = request.headers.get("authorization") ?? "";
    if (!timingSafeEqual(authorization, `Bearer ${this.#parts.token}`)) {
      return new Response(null, { status: 401 });
    }
    const message = decodeMessage(new Uint8Array(await request.arrayBuffer()));
    switch (new URL(request.url).pathname) {
      case "/engine":
        return await this.#load(message);
      case "/run":
        return this.#run(message);
      default:
        return new Response(null, { status: 404 });
    }
  }

  async #load(message: Message): Promise<Response> {
    const engine = await this.#parts.createEngine(message.head as EngineHead, message.parts);
    engine.reset();
    this.#engine = engine;
    return new Response(null, { status: 204 });
  }

  #run(message: Message): Response {
    const engine = this.#engine;
    const [code] = message.parts;
    if (engine === undefined || code === undefined) return new Response(null, { status: 409 });
    const head = message.head as RunHead;
    const asked = this.#parts.monotonic();
    engine.reset();
    const resetMs = this.#parts.monotonic() - asked;
    const output = limitOutput(
      head.limits,
      (stream: Stream, bytes) => this.#parts.writeFrame(encodeFrame(stream, head.run, bytes)),
    );
    const outcome = engine.run({
      code: new TextDecoder().decode(code),
      env: new Map(head.env),
      typescript: head.typescript,
      limits: head.limits,
    }, output.sink);
    this.#parts.defer(() => engine.reset());
    return this.#answer(head.run, outcome, {
      resetMs,
      outputBytes: output.bytes(),
      healthy: engine.healthy,
    });
  }

  #answer(
    run: number,
    outcome: RunOutcome,
    rest: Pick<RunAnswerHead, "resetMs" | "outputBytes" | "healthy">,
  ): Response {
    const head: RunAnswerHead = {
      run,
      ending: endingHead(outcome.ending),
      fuelConsumed: outcome.fuelConsumed,
      memoryBytes: outcome.memoryBytes,
      durationMs: outcome.durationMs,
      ...rest,
    };
    return new Response(encodeMessage(head, endingPart(outcome.ending)));
  }
}
