/**
 * The child process of an isolate: start, communication and end.
 *
 * @module
 */
import { ISOLATE_START_MS, REPR_BYTES } from "../../shared/limits.ts";
import { messageChunks, ProtocolError } from "../../shared/message.ts";
import type { RunRequest } from "../engine/engine.ts";
import { encodeDeliveries } from "../isolate/deliveries.ts";
import {
  FRAME_READY,
  type IsolateLimits,
  LIMITS_HEADER,
  type RunHead,
  UNREADABLE_SNAPSHOT,
} from "../isolate/protocol.ts";
import { type Frame, FrameReader } from "./frame_reader.ts";
import { type CallMonitor, callsHead } from "./call_monitor.ts";
import type { ContextRun, Isolate, IsolateRun, RunObservers } from "./isolate.ts";
import { type IsolateAnswer, IsolateConnection } from "./isolate_connection.ts";
import { faultText, loadFailure, startFailure, startTimeout } from "./isolate_process_fault.ts";
import type { StackNeed } from "./native_stack.ts";
import { OutputCollector } from "./output_collector.ts";
import { readRunAnswer, type RunAnswer } from "./run_answer.ts";
import { spawnSealed } from "./sealed_process.ts";

/** Dependencies of the start of a process. */
export interface IsolateProcessOptions {
  /** Path of the bundled isolate program. */
  readonly program: string;
  /** A process that runs it already. @default {a new one} */
  readonly child?: Deno.ChildProcess | undefined;
  /** Opens the engine: a message whose head is an EngineHead. */
  openEngine(): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>>;
  readonly limits: IsolateLimits;
  /** Native stack of a new process. @default {"usual"} */
  readonly stack?: StackNeed;
  /**
   * Called when the process misbehaves, with a text of our own that contains no byte from a guest.
   */
  readonly onFault: (fault: string) => void;
  /** Time until the engine is loaded, in milliseconds. @default {45_000} */
  readonly startDeadlineMs?: number;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
}

/** Time for remaining output to arrive after the process has ended, in milliseconds. */
const OUTPUT_GRACE_MS = 500;
/** Room in an answer besides value and traceback: the value's own form as JSON is the largest part. */
const ANSWER_SLACK_BYTES = 64 * 1024 + 6 * REPR_BYTES;
/** Room in the answer of a run in a context for the names of all files of a workspace. */
const NAMES_BYTES = 16 * 1024 * 1024;

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Parses the port that an isolate listens on. Throws a ProtocolError. */
function portIn(payload: Uint8Array): number {
  const [, digits = "0"] =
    /^\{"port":(\d{1,5})\}$/.exec(new TextDecoder().decode(payload.subarray(0, 32))) ?? [];
  const port = Number(digits);
  if (port === 0 || port > 65_535) throw new ProtocolError("no port");
  return port;
}

/** One isolate in a child process. */
export class IsolateProcess implements Isolate {
  readonly ended: Promise<void>;
  readonly #child: Deno.ChildProcess;
  readonly #token = randomToken();
  readonly #onFault: (fault: string) => void;
  readonly #limits: IsolateLimits;
  readonly #ready = Promise.withResolvers<number>();
  readonly #stdout: ReadableStreamDefaultReader<Uint8Array>;
  readonly #outputEnded: Promise<void>;
  #isReady = false;
  #usable = true;
  #holdsContext = false;
  #preloaded = false;
  /** Whether this side killed it. */
  #killed = false;
  #connection: IsolateConnection | undefined;
  #runs = 0;
  #output: OutputCollector | undefined;

  private constructor(options: IsolateProcessOptions) {
    this.#onFault = options.onFault;
    this.#limits = options.limits;
    this.#child = options.child ??
      spawnSealed(options.program, options.limits.memoryBytes, options.stack);
    this.#ready.promise.catch(() => undefined);
    this.#stdout = this.#child.stdout.getReader();
    this.#outputEnded = this.#readFrames();
    this.ended = this.#end();
  }

  /** Starts a process and loads the engine into it. */
  static async start(options: IsolateProcessOptions): Promise<IsolateProcess> {
    const isolate = new IsolateProcess(options);
    const deadlineMs = options.startDeadlineMs ?? ISOLATE_START_MS;
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      isolate.kill();
    }, deadlineMs);
    const onAbort = () => isolate.kill();
    options.signal?.addEventListener("abort", onAbort, { once: true });
    if (options.signal?.aborted) onAbort();
    try {
      await isolate.#sendToken();
      await isolate.#load(await isolate.#ready.promise, options);
      if (!isolate.#usable) throw new Error("The isolate ended as soon as it was loaded");
      return isolate;
    } catch (cause) {
      isolate.kill();
      await isolate.ended;
      isolate.#connection?.close();
      throw late ? startTimeout(deadlineMs, cause) : startFailure(cause);
    } finally {
      clearTimeout(deadline);
      options.signal?.removeEventListener("abort", onAbort);
    }
  }

  get usable(): boolean {
    return this.#usable;
  }

  /** Process id, for tests and benchmarks. */
  get pid(): number {
    return this.#child.pid;
  }

  kill(): void {
    this.#killed = true;
    this.#usable = false;
    this.#connection?.close();
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
      // the process has ended already
    }
  }

  get holdsContext(): boolean {
    return this.#holdsContext;
  }

  get preloaded(): boolean {
    return this.#preloaded;
  }

  async run(
    request: RunRequest,
    context?: ContextRun,
    { listener, monitor, commands }: RunObservers = {},
  ): Promise<IsolateRun> {
    const run = ++this.#runs;
    const output = new OutputCollector(run, request.limits, listener, monitor, commands);
    this.#output = output;
    monitor?.attach({ send: (bytes) => this.#send(bytes), prompt: () => output.prompt() });
    commands?.attach((bytes) => this.#send(bytes));
    this.#holdsContext = false;
    this.#preloaded = request.preloaded ?? false;
    const announced = listener === undefined ? undefined : true;
    const hasCommands = commands === undefined ? undefined : true;
    const head = { run, announced, commands: hasCommands };
    const answer = await this.#ask(request, context, head, monitor);
    if (answer === "unreadable") {
      this.#output = undefined;
      return { answer: undefined, unreadable: true, output: output.take() };
    }
    this.#holdsContext = answer?.head.context !== undefined;
    if (answer === undefined) {
      this.kill();
      await this.#outputEnded;
    } else {
      await output.reached(answer.head, this.#outputEnded);
      if (!answer.head.healthy) this.kill();
    }
    this.#output = undefined;
    if (monitor?.isWaiting !== true || answer === undefined) {
      return { answer, unreadable: false, output: output.take() };
    }
    // the frame of the wait came after the answer
    this.#onFault("an isolate answered while its program waits");
    this.kill();
    return { answer: undefined, unreadable: false, output: output.take() };
  }

  async #ask(
    request: RunRequest,
    context: ContextRun | undefined,
    { run, announced, commands }: Pick<RunHead, "run" | "announced" | "commands">,
    monitor: CallMonitor | undefined,
  ): Promise<RunAnswer | "unreadable" | undefined> {
    const { limits } = request;
    const calls = monitor?.calls;
    const head: RunHead = {
      run,
      env: [...request.env],
      typescript: request.typescript,
      notebook: request.notebook,
      preloaded: request.preloaded,
      limits,
      seed: request.seed,
      clock: request.clock,
      repr: request.repr,
      announced,
      calls: calls === undefined ? undefined : callsHead(calls),
      commands,
      context: context?.head,
    };
    const code = new TextEncoder().encode(request.code);
    const stdin = request.stdin ?? new Uint8Array();
    const deliveries = calls === undefined ? [] : [encodeDeliveries(calls.recorded)];
    const message = messageChunks(head, [code, stdin, ...deliveries, ...context?.parts ?? []]);
    const contextBytes = context === undefined
      ? 0
      : context.head.snapshotBytes + this.#limits.workspaceBytes + NAMES_BYTES;
    const cap = 2 * (limits.resultBytes + 6 * limits.tracebackBytes) + ANSWER_SLACK_BYTES +
      contextBytes;
    try {
      const { status, body } = await this.#post("/run", message, cap);
      if (status === UNREADABLE_SNAPSHOT && context !== undefined) return "unreadable";
      if (status !== 200) throw new ProtocolError(`the answer's status is ${status}`);
      const answer = readRunAnswer(body, run, limits.tracebackBytes);
      const { outputBytes, displayBytes } = answer.head;
      if (monitor?.isWaiting || (answer.head.calls === undefined) !== (calls === undefined)) {
        throw new ProtocolError("the answer does not fit the calls");
      }
      if (outputBytes <= limits.outputBytes && displayBytes <= limits.displayBytes) return answer;
      this.#onFault("an isolate answered out of bounds");
    } catch (thrown) {
      if (!this.#killed) this.#onFault(faultText("an isolate gave no valid answer", thrown));
    }
    return undefined;
  }

  async #post(
    path: string,
    body: readonly Uint8Array<ArrayBuffer>[],
    limit: number,
  ): Promise<IsolateAnswer> {
    if (this.#connection === undefined) throw new Error("The isolate is not loaded");
    return await this.#connection.post(path, body, limit);
  }

  /** Streams the engine from disk to the isolate, and opens the connection for runs. */
  async #load(port: number, { openEngine }: IsolateProcessOptions): Promise<void> {
    const hostname = "127.0.0.1";
    // a separate client: a proxy named in the environment must not see the traffic
    using client = Deno.createHttpClient({ proxy: { transport: "tcp", hostname, port } });
    const response = await fetch(`http://${hostname}:${port}/engine`, {
      client,
      method: "POST",
      headers: {
        authorization: `Bearer ${this.#token}`,
        [LIMITS_HEADER]: JSON.stringify(this.#limits),
      },
      body: await openEngine(),
      redirect: "error",
    });
    if (!response.ok) throw await loadFailure(response);
    await response.body?.cancel();
    this.#connection = await IsolateConnection.open({ port, token: this.#token });
  }

  /** The pipe stays open, because the child ends when it closes. */
  async #sendToken(): Promise<void> {
    await this.#write(new TextEncoder().encode(`${this.#token}\n`));
  }

  async #write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const writer = this.#child.stdin.getWriter();
    try {
      await writer.write(bytes);
    } finally {
      writer.releaseLock();
    }
  }

  /** Sends bytes that the child waits for. One call at a time. */
  async #send(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#write(bytes).catch(() => this.kill()); // it has ended, or closed the pipe
  }

  async #readFrames(): Promise<void> {
    const frames = new FrameReader();
    try {
      for (;;) {
        const { done, value } = await this.#stdout.read();
        if (done) break;
        for (const frame of frames.push(value)) this.#onFrame(frame);
        this.#output?.tell();
      }
    } catch (thrown) {
      this.#onFault(faultText("an isolate wrote something other than frames", thrown));
      this.kill();
      await this.#cancelOutput();
    }
    this.#ready.reject(new Error("The isolate ended before it was ready"));
  }

  async #cancelOutput(): Promise<void> {
    await this.#stdout.cancel().catch(() => undefined); // it has ended or failed already
  }

  /**
   * Throws a ProtocolError for a frame that is not allowed now, for example output while nothing
   * runs.
   */
  #onFrame(frame: Frame): void {
    if (this.#output !== undefined) return this.#output.push(frame);
    if (this.#isReady || frame.kind !== FRAME_READY) {
      throw new ProtocolError("there are more frames than expected");
    }
    this.#isReady = true;
    this.#ready.resolve(portIn(frame.payload));
  }

  async #end(): Promise<void> {
    await this.#child.status;
    this.#usable = false;
    this.#connection?.close();
    // another process that holds the pipe could keep it open forever
    const giveUp = setTimeout(() => this.#cancelOutput(), OUTPUT_GRACE_MS);
    await this.#outputEnded;
    clearTimeout(giveUp);
    await this.#child.stdin.close().catch(() => undefined);
  }
}
