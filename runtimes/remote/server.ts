/**
 * The server of runs in contexts for gateways on other machines. It gives out tickets for runs that
 * wait for files.
 *
 * @module
 */
import type { Hono } from "hono";
import type { RuntimeBinding } from "../../wire/binding.ts";
import type { Clock } from "../../wire/clock.ts";
import { internalError, serviceStopping, validationFailed } from "../../wire/errors.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
  WorkspaceFile,
} from "../../wire/run_in_context.ts";
import { RPC_MESSAGE_BYTES, TICKET_MS } from "../../wire/limits.ts";
import { ProtocolError } from "../../wire/message.ts";
import type { RunAudience, RunListener } from "../../wire/run_listener.ts";
import { streamRun } from "../../wire/streamed_run.ts";
import { INTERPRETERS_PATH } from "../../client/protocol/paths.ts";
import type { Display } from "../../client/protocol/types.ts";
import { systemTimers, type Timers } from "../../wire/timers.ts";
import {
  decodeRequest,
  encodeNeed,
  encodeOutcome,
  MESSAGE_TYPE,
  type RemoteFile,
  type RemoteRequest,
  TICKET_LOST,
} from "./protocol.ts";
import { asksForFrames, framesFor } from "./run_frames.ts";

/** What the routes need. */
export interface RemoteRunsOptions {
  readonly binding: RuntimeBinding;
  /** Admits a tenant's run, or throws the error to answer with. */
  readonly admit: (tenant: string) => void;
  /** Fires when the runs in flight must be aborted. */
  readonly stopping: AbortSignal;
  /** Called with anything unexpected that a run throws after it has begun. */
  readonly onUnexpected: (thrown: unknown) => void;
  readonly clock: Clock;
  /** Creates a ticket that cannot be guessed. */
  readonly newTicket: () => string;
  /** @default {TICKET_MS} */
  readonly ticketMs?: number;
  /** The system's timers when absent. */
  readonly timers?: Timers;
}

type RunRequest = Extract<RemoteRequest, { readonly kind: "run" }>;
type Step =
  | { readonly need: readonly string[]; readonly ticket: string }
  | { readonly outcome: InterpreterExecuteRpcResult };

/** A run that waits for files. */
interface Waiting {
  readonly key: string;
  give(files: readonly RemoteFile[]): void;
  /** Aborts the run when its caller disconnects. */
  readonly call: AbortController;
  readonly relay: Relay;
  readonly outcome: Promise<InterpreterExecuteRpcResult>;
}

/** Passes a run on to the current listener: each request of a run has its own answer. */
class Relay implements RunListener {
  to: RunListener | undefined;

  start(): void {
    this.to?.start();
  }

  output(...output: Parameters<RunListener["output"]>): void {
    this.to?.output(...output);
  }

  display(display: Display): void {
    this.to?.display(display);
  }
}

/** The runs between their first request and their outcome. */
class RemoteRuns {
  readonly #options: RemoteRunsOptions;
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: RemoteRunsOptions) {
    this.#options = options;
  }

  /** Starts a run. Resolves with its outcome, or when it needs files. */
  async begin(
    key: string,
    { args }: RunRequest,
    { signal, listener }: RunAudience,
  ): Promise<Step> {
    const call = new AbortController();
    const relay = new Relay();
    relay.to = listener;
    const needed = Promise.withResolvers<Step>();
    const release = follow([signal, this.#options.stopping], call);
    const outcome: Promise<InterpreterExecuteRpcResult> = this.#execute(
      key,
      { ...args, signal: call.signal, ...(listener === undefined ? {} : { listener: relay }) },
      async (paths) => {
        const { ticket, files } = this.#wait({ key, call, relay, outcome });
        needed.resolve({ need: paths, ticket });
        return await files;
      },
    );
    try {
      return await Promise.race([needed.promise, outcome.then((ended) => ({ outcome: ended }))]);
    } finally {
      release();
    }
  }

  /** Passes the files to the run with that ticket. Undefined when there is no such run. */
  async goOn(
    key: string,
    { ticket, files }: Extract<RemoteRequest, { readonly kind: "files" }>,
    { signal, listener }: RunAudience,
  ): Promise<InterpreterExecuteRpcResult | undefined> {
    const waiting = this.#waiting.get(ticket);
    if (waiting === undefined || waiting.key !== key) return undefined;
    this.#waiting.delete(ticket);
    const release = follow([signal, this.#options.stopping], waiting.call);
    waiting.relay.to = listener;
    waiting.give(files);
    try {
      return await waiting.outcome;
    } finally {
      release();
    }
  }

  /** A run that is aborted because the process stops was not cancelled by its caller. */
  async #execute(
    key: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult> {
    const { binding, stopping, clock } = this.#options;
    const outcome = await binding.executeInContext(key, args, getFiles);
    if (outcome.ok || !stopping.aborted) return outcome;
    const error = serviceStopping();
    return { ok: false, status: error.status, body: error.toBody(clock) };
  }

  #wait(run: Omit<Waiting, "give">): { ticket: string; files: Promise<readonly WorkspaceFile[]> } {
    const ticket = this.#options.newTicket();
    const { promise, resolve, reject } = Promise.withResolvers<readonly WorkspaceFile[]>();
    const { timers = systemTimers, ticketMs = TICKET_MS } = this.#options;
    const cancelExpiry = timers.after(ticketMs, () => {
      this.#waiting.delete(ticket);
      run.call.abort(); // its caller disconnected between the phases, or is too late
      reject(internalError());
    });
    const give = (files: readonly RemoteFile[]) => {
      cancelExpiry();
      resolve(files);
    };
    this.#waiting.set(ticket, { ...run, give });
    return { ticket, files: promise };
  }
}

/** Aborts a call with the first of several signals, until it is released. */
function follow(signals: readonly AbortSignal[], call: AbortController): () => void {
  const abort = () => call.abort();
  if (signals.some((signal) => signal.aborted)) abort();
  for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
  return () => signals.forEach((signal) => signal.removeEventListener("abort", abort));
}

/** Adds the route to the app of a runtime that is served alone. */
export function installRemoteRuns(app: Hono, options: RemoteRunsOptions): void {
  const runs = new RemoteRuns(options);
  app.post(`${INTERPRETERS_PATH}/:key/run`, async (context) => {
    const key = context.req.param("key");
    const { raw } = context.req;
    const request = await readRequest(raw);
    if (request.kind === "run") options.admit(request.args.tenant);
    const run = (audience: RunAudience) => answerStep(runs, key, request, audience);
    return asksForFrames(raw)
      ? await streamRun(framesFor(raw), raw.signal, options, run)
      : await run({ signal: raw.signal });
  });
}

async function answerStep(
  runs: RemoteRuns,
  key: string,
  request: RemoteRequest,
  audience: RunAudience,
): Promise<Response> {
  if (request.kind === "files") {
    const outcome = await runs.goOn(key, request, audience);
    return outcome === undefined
      ? new Response(null, { status: TICKET_LOST })
      : answer(encodeOutcome(outcome));
  }
  const step = await runs.begin(key, request, audience);
  return answer(
    "outcome" in step ? encodeOutcome(step.outcome) : encodeNeed(step.need, step.ticket),
  );
}

function answer(body: Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { "content-type": MESSAGE_TYPE } });
}

async function readRequest(request: Request): Promise<RemoteRequest> {
  if (!(Number(request.headers.get("content-length") ?? NaN) <= RPC_MESSAGE_BYTES)) {
    throw validationFailed("The message has no length, or is too large", 413);
  }
  try {
    return decodeRequest(await bytesOf(request));
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw validationFailed("The message cannot be read");
    throw thrown;
  }
}

/** A message is truncated when its sender disconnects, which is not a failure of the service. */
async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch {
    throw validationFailed("The message is incomplete");
  }
}
