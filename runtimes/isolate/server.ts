/**
 * The isolate's server: one engine, one run at a time, for callers with the token.
 *
 * @module
 */
import { ContextRunner } from "./context_run.ts";
import type { Ending, Engine, OutputSink, RunOutcome, RunRequest } from "../engine/engine.ts";
import { FrameWriter } from "./frame_writer.ts";
import { type LimitedOutput, limitOutput } from "./output.ts";
import { withPathHint } from "./path_hint.ts";
import {
  type CallFrame,
  encodeFrame,
  type EndingHead,
  type EngineHead,
  FRAME_BEGUN,
  FRAME_CALL,
  FRAME_WAIT,
  type IsolateLimits,
  LIMITS_HEADER,
  MAX_LOAD_FAILURE_BYTES,
  type RunAnswerHead,
  type RunHead,
  UNREADABLE_SNAPSHOT,
  type WaitFrame,
} from "./protocol.ts";
import { commandPort } from "./command_messages.ts";
import { readDeliveries } from "./deliveries.ts";
import { filesOf, runProgram } from "./program_run.ts";
import { ProgramCalls } from "../engine/program_calls.ts";
import type { Delivery } from "../../shared/run_calls.ts";
import { decodeMessage, encodeMessage, type Message } from "../../shared/message.ts";
import { SegmentFormatError } from "../engine/snapshot/segment.ts";

/** The options of the server. */
export interface IsolateServerOptions {
  readonly token: string;
  /** Creates the engine that the parent sends, and warms it up. */
  createEngine(
    head: EngineHead,
    parts: Message["parts"],
    limits: IsolateLimits,
  ): Promise<Engine>;
  /** Writes a whole frame to the parent, at once. */
  writeFrame(frame: Uint8Array): void;
  /** Blocks until the parent ends a wait of the program; undefined: it takes the isolate back. */
  nextDelivery(): Delivery | undefined;
  /** Reads exactly so many bytes of standard input; blocks until they are there. */
  readInput(length: number): Uint8Array<ArrayBuffer>;
  /** Fills with secure random bytes. */
  random(target: Uint8Array<ArrayBuffer>): void;
  /** Monotonic milliseconds. */
  monotonic(): number;
  /** Calls back after the answer has been sent. `soon`: at once, else some milliseconds later. */
  defer(task: () => void, soon: boolean): void;
}

/** Runs with less than this between them follow each other without pauses, in milliseconds. */
const SHORT_PAUSE_MS = 20;

function timingSafeEqual(a: string, b: string): boolean {
  const encoder = new TextEncoder();
  const [left, right] = [encoder.encode(a), encoder.encode(b)];
  let different = left.length ^ right.length;
  for (let i = 0; i < left.length; i++) different |= (left[i] ?? 0) ^ (right[i] ?? 0);
  return different === 0;
}

async function readMessage(request: Request): Promise<Message> {
  return decodeMessage(new Uint8Array(await request.arrayBuffer()));
}

/** A thrown value for the operator: one line of visible characters. */
function lineOf(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : typeof thrown;
  return text.replace(/[^\x20-\x7e]+/g, " ").slice(0, MAX_LOAD_FAILURE_BYTES);
}

function runWithHint(engine: Engine, request: RunRequest, sink: OutputSink): RunOutcome {
  const outcome = engine.run(request, sink);
  return { ...outcome, ending: withPathHint(outcome.ending, request) };
}

function endingHead(ending: Ending): EndingHead {
  switch (ending.kind) {
    case "text":
    case "json":
      return ending.repr === undefined
        ? { kind: ending.kind }
        : { kind: ending.kind, repr: ending.repr };
    case "error":
      return { kind: "error", ...ending.error };
    default:
      return ending;
  }
}

/** Text of the value; empty without one. */
function valuePart(ending: Ending): Uint8Array<ArrayBuffer> {
  if (ending.kind === "text") return new TextEncoder().encode(ending.text);
  if (ending.kind === "json") return new TextEncoder().encode(ending.json);
  return new Uint8Array();
}

/** The parts of an answer other than the ending. */
type AnswerRest = Pick<
  RunAnswerHead,
  "resetMs" | "outputBytes" | "displayBytes" | "calls" | "healthy" | "context"
>;

function countsOf(
  output: LimitedOutput,
  { calls }: RunRequest,
): Pick<RunAnswerHead, "outputBytes" | "displayBytes" | "calls"> {
  return {
    outputBytes: output.bytes(),
    displayBytes: output.displayBytes(),
    ...(calls === undefined ? {} : { calls: calls.counts }),
  };
}

/** Serves the two routes; see `protocol.ts`. */
export class IsolateServer {
  readonly #options: IsolateServerOptions;
  readonly #frames: FrameWriter;
  #engine: Engine | undefined;
  #contexts: ContextRunner | undefined;
  /** Of the present run. */
  #output: LimitedOutput | undefined;
  /** Runs so far. */
  #runs = 0;
  /** When the last run ended, in monotonic milliseconds. */
  #ended = -Infinity;

  constructor(options: IsolateServerOptions) {
    this.#options = options;
    this.#frames = new FrameWriter(options.writeFrame);
  }

  /** Answers a request. */
  async handle(request: Request): Promise<Response> {
    const authorization = request.headers.get("authorization") ?? "";
    if (!timingSafeEqual(authorization, `Bearer ${this.#options.token}`)) {
      return new Response(null, { status: 401 });
    }
    switch (new URL(request.url).pathname) {
      case "/engine":
        return await this.#load(request);
      case "/run":
        return this.#run(await readMessage(request));
      default:
        return new Response(null, { status: 404 });
    }
  }

  async #load(request: Request): Promise<Response> {
    try {
      const limits: IsolateLimits = JSON.parse(request.headers.get(LIMITS_HEADER) ?? "");
      await this.#takeEngine(await readMessage(request), limits);
      return new Response(null, { status: 204 });
    } catch (thrown) {
      if (this.#runs > 0) throw thrown; // after a run, a guest could have made the message
      return new Response(lineOf(thrown), { status: 500 });
    }
  }

  async #takeEngine(message: Message, limits: IsolateLimits): Promise<void> {
    const head = message.head as EngineHead;
    const engine = await this.#options.createEngine(head, message.parts, limits);
    engine.reset();
    this.#engine = engine;
    const { memoryBytes } = limits;
    const { state } = engine;
    this.#contexts = state === undefined
      ? undefined
      : new ContextRunner({ ...this.#options, engine, state, memoryBytes });
  }

  #run(message: Message): Response {
    const engine = this.#engine;
    const [code, stdin, ...rest] = message.parts;
    if (engine === undefined || code === undefined || stdin === undefined) {
      return new Response(null, { status: 409 });
    }
    this.#runs++;
    const head = message.head as RunHead;
    const parts = head.calls === undefined ? rest : rest.slice(1);
    const calls = this.#calls(head, stdin, rest[0]);
    const request: RunRequest = {
      code: new TextDecoder().decode(code),
      env: new Map(head.env),
      typescript: head.typescript,
      ...(head.notebook === undefined ? {} : { notebook: head.notebook }),
      ...(stdin.length === 0 ? {} : { stdin }),
      ...(head.seed === undefined ? {} : { seed: head.seed }),
      ...(head.clock === undefined ? {} : { clock: head.clock }),
      ...(head.repr === undefined ? {} : { repr: head.repr }),
      ...(calls === undefined ? {} : { calls }),
      ...(head.commands === true ? { commands: this.#commands(head) } : {}),
      limits: head.limits,
    };
    if (head.context === undefined) return this.#runFresh(engine, head, request);
    return head.context.isProgram === true
      ? this.#runProgram(engine, head, { request, parts })
      : this.#runInContext(engine, head, { request, parts });
  }

  #runFresh(engine: Engine, head: RunHead, request: RunRequest): Response {
    const asked = this.#options.monotonic();
    this.#reset(engine, head.preloaded ?? false);
    const resetMs = this.#options.monotonic() - asked;
    const output = this.#begin(head);
    const outcome = output.outcome(runWithHint(engine, request, output.sink));
    this.#resetAfterwards(engine, asked);
    const rest = { resetMs, ...countsOf(output, request), healthy: engine.healthy };
    return this.#answer(head.run, outcome, { rest, parts: [] });
  }

  #commands({ run }: RunHead) {
    const { readInput } = this.#options;
    return commandPort(run, { write: (frame) => this.#frames.write(frame), read: readInput });
  }

  /** Runs a program of the shell. */
  #runProgram(
    engine: Engine,
    head: RunHead,
    { request, parts: contents }: {
      readonly request: RunRequest;
      readonly parts: readonly Uint8Array<ArrayBuffer>[];
    },
  ): Response {
    const files = filesOf(engine);
    const { run, context } = head;
    if (files === undefined || context === undefined) return new Response(null, { status: 409 });
    const asked = this.#options.monotonic();
    this.#reset(engine, head.preloaded ?? false);
    const resetMs = this.#options.monotonic() - asked;
    const output = this.#begin(head);
    const { outcome, state } = runProgram(files, context, {
      contents,
      execute: () => output.outcome(runWithHint(engine, request, output.sink)),
    });
    const rest = {
      resetMs,
      ...countsOf(output, request),
      healthy: engine.healthy,
      context: state?.head,
    };
    const answer = this.#answer(run, outcome, { rest, parts: state?.parts ?? [] });
    this.#resetAfterwards(engine, asked);
    return answer;
  }

  /** The calls of a run, which become frames of it. */
  #calls(
    { run, calls }: RunHead,
    input: Uint8Array<ArrayBuffer>,
    deliveries: Uint8Array<ArrayBuffer> = new Uint8Array(),
  ): ProgramCalls | undefined {
    if (calls === undefined) return undefined;
    const { nextDelivery } = this.#options;
    const { tools, interactive, startMs, seed } = calls;
    const recorded = readDeliveries(deliveries);
    const head = { tools, interactive, startMs, seed: Uint8Array.fromHex(seed) };
    let waits = 0;
    // until it comes to where it stood, the program waits for nobody
    const send = (kind: number, text: string, isKnown: boolean) => {
      const frame = encodeFrame(kind, run, new TextEncoder().encode(text));
      if (isKnown) this.#frames.hold(frame);
      else this.#frames.write(frame);
    };
    return new ProgramCalls(head, {
      call: ({ arguments: json, ...frame }) => {
        const text = `${JSON.stringify(frame satisfies CallFrame)}\n${json}`;
        send(FRAME_CALL, text, waits < recorded.length);
      },
      wait: (wait) => {
        const frame: WaitFrame = { ...wait, recorded: waits++ < recorded.length };
        send(FRAME_WAIT, JSON.stringify(frame), frame.recorded);
      },
      next: nextDelivery,
      display: (json) => this.#output?.offer(json),
    }, { recorded, input });
  }

  #runInContext(
    engine: Engine,
    head: RunHead,
    { request, parts }: {
      readonly request: RunRequest;
      readonly parts: readonly Uint8Array<ArrayBuffer>[];
    },
  ): Response {
    const contexts = this.#contexts;
    const { run, context } = head;
    if (contexts === undefined || context === undefined) return new Response(null, { status: 409 });
    const asked = this.#options.monotonic();
    try {
      contexts.prepare(context, parts, head.preloaded ?? false);
    } catch (thrown) {
      contexts.reset();
      if (thrown instanceof SegmentFormatError || thrown instanceof RangeError) {
        return new Response(null, { status: UNREADABLE_SNAPSHOT });
      }
      throw thrown;
    }
    const resetMs = this.#options.monotonic() - asked;
    const output = this.#begin(head);
    const cwd = contexts.workingDirectory(context.cwd);
    const { outcome, state } = contexts.run(run, context, {
      fuel: request.limits.fuel,
      execute: () =>
        output.outcome(runWithHint(engine, { ...request, cwd, inContext: true }, output.sink)),
    });
    if (state === undefined) this.#resetAfterwards(engine, asked);
    const rest = {
      resetMs,
      ...countsOf(output, request),
      healthy: engine.healthy,
      context: state?.head,
    };
    return this.#answer(run, outcome, { rest, parts: state?.parts ?? [] });
  }

  /**
   * Puts the memory back after the answer, unless another run has begun. The next program most likely
   * begins on the same baseline. Where runs follow each other
   * without pauses, the next one waits for it, so it begins at once. Elsewhere nobody waits, and work
   * that begins at once would keep the processor from the parent, which the answer has woken.
   */
  #resetAfterwards(engine: Engine, asked: number): void {
    const runs = this.#runs;
    this.#options.defer(() => {
      if (runs === this.#runs) this.#reset(engine);
    }, asked - this.#ended < SHORT_PAUSE_MS);
  }

  #reset(engine: Engine, preloaded?: boolean): void {
    if (this.#contexts === undefined) engine.reset(preloaded);
    else this.#contexts.reset(preloaded);
  }

  /** Announces the run if asked to; returns where its output goes. */
  #begin({ run, limits, announced }: RunHead) {
    const frames = this.#frames;
    if (announced === true) frames.write(encodeFrame(FRAME_BEGUN, run, new Uint8Array()));
    this.#output = limitOutput(
      limits,
      (stream, bytes) => frames.write(encodeFrame(stream, run, bytes)),
    );
    return this.#output;
  }

  #answer(
    run: number,
    outcome: RunOutcome,
    { rest, parts }: {
      readonly rest: AnswerRest;
      readonly parts: readonly Uint8Array<ArrayBuffer>[];
    },
  ): Response {
    this.#frames.flush();
    this.#ended = this.#options.monotonic();
    const head: RunAnswerHead = {
      run,
      ending: endingHead(outcome.ending),
      fuelConsumed: outcome.fuelConsumed,
      memoryBytes: outcome.memoryBytes,
      durationMs: outcome.durationMs,
      ...rest,
    };
    return new Response(encodeMessage(head, [valuePart(outcome.ending), ...parts]));
  }
}
