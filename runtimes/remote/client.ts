/**
 * The client of a runtime on another machine: a binding like any other, over HTTP.
 *
 * @module
 */
import {
  DEFAULT_TENANT,
  type LanguageHealth,
  type LanguageRuntime,
  type RunCaller,
  TENANT_HEADER,
  WAIT_HEADER,
} from "../../wire/binding.ts";
import type { Clock } from "../../wire/clock.ts";
import { ERROR_STATUSES } from "../../client/protocol/error_codes.ts";
import { conflict, errorResponse, internalError, ServiceError } from "../../wire/errors.ts";
import { type ExecuteReader, executeReader } from "../../wire/execute_request.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
} from "../../wire/run_in_context.ts";
import { replayOf } from "../../wire/replay.ts";
import { languageListing } from "../../wire/language_listing.ts";
import { LANGUAGE_INFO } from "../../wire/languages.ts";
import { type AdmissionLimits, type LanguageLimits, RPC_MESSAGE_BYTES } from "../../wire/limits.ts";
import { describeCause, type Log } from "../../wire/log.ts";
import {
  EXECUTE_PATH,
  INTERPRETER_PATH,
  INTERPRETERS_PATH,
  RUNTIME_ORIGIN,
} from "../../client/protocol/paths.ts";
import {
  bindingName,
  type ExecuteRequest,
  type Language,
  type RunLimits,
} from "../../client/protocol/types.ts";
import { checkedNeed, checkedOutcome } from "./checked_outcome.ts";
import { type RemoteCall, RemoteConnection, type RemoteReply } from "./connection.ts";
import { forwarded, maxAnswerBytes } from "./forwarded.ts";
import { HeardRun } from "./heard_run.ts";
import { KnownFields } from "./known_fields.ts";
import {
  decodeAnswer,
  encodeFiles,
  encodeRun,
  MESSAGE_TYPE,
  type RemoteAnswer,
  TICKET_LOST,
} from "./protocol.ts";
import { RemoteFailure } from "./remote_failure.ts";
import { errorBodySchema, probeSchema } from "./shapes.ts";

/** The address of a runtime, and its configuration. */
export interface RemoteRuntimeOptions {
  readonly language: Language;
  /** Origin and base path of the runtime's routes. */
  readonly url: string;
  readonly token: string;
  readonly limits: LanguageLimits;
  readonly admission: Pick<AdmissionLimits, "maxWaitMs">;
  /** Whether to go without contexts, even if the runtime has them. */
  readonly stateless: boolean;
  /** Whether the language has contexts, as far as this service knows. */
  readonly hasContexts: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** The platform's `fetch`, or a test's. */
  readonly fetch: typeof fetch;
}

/** A run in a context, and what its listener has heard. */
interface AskedRun {
  readonly args: ExecuteInContextArgs;
  readonly heard: HeardRun | undefined;
}

/** Number of attempts of a run whose ticket is lost. */
const ATTEMPTS = 2;
const JSON_TYPE = "application/json";
/** Time for an answer in addition to waiting and running: a cold start, snapshots, the network. */
const SLACK_MS = 30_000;
/** Pause between checks whether a runtime is back, in milliseconds. */
const PROBE_PAUSE_MS = 1_000;

/** A runtime on another machine. */
export class RemoteRuntime {
  readonly #options: RemoteRuntimeOptions;
  readonly #connection: RemoteConnection;
  readonly #known: KnownFields;
  readonly #reader: ExecuteReader;
  #probed = -Infinity;
  /** What the runtime's last probe said of contexts. */
  #told: boolean | undefined;

  constructor(options: RemoteRuntimeOptions) {
    this.#options = options;
    const answerMs = options.admission.maxWaitMs + options.limits.wallMs + SLACK_MS;
    this.#connection = new RemoteConnection({ ...options, answerMs });
    this.#reader = executeReader(options);
    this.#known = new KnownFields({ ...options, probe: () => this.#forward(probeRequest()) });
  }

  /**
   * Returns the runtime as the gateway knows it. Requests the probe once, so that its health is
   * known soon.
   */
  asLanguageRuntime(): LanguageRuntime {
    const { language, limits } = this.#options;
    const listing = () =>
      languageListing(language, { enabled: true, contexts: this.#contexts(), limits });
    this.#probe();
    return {
      binding: {
        fetch: (request) => this.#forward(request),
        execute: (request, caller) => this.#run(request, caller),
        executeInContext: (key, args, getFiles) => this.#execute(key, args, getFiles),
        mostRunLimits: limits,
      },
      get listing() {
        return listing();
      },
      health: () => this.#health(),
      close: () => Promise.resolve(this.#connection.close()),
    };
  }

  /** Where a language need not have contexts, its runtime's last probe says whether it has. */
  #contexts(): boolean {
    const { language, stateless, hasContexts } = this.#options;
    const isOptional = LANGUAGE_INFO[language].contexts === "optional";
    return !stateless && ((isOptional ? this.#told : undefined) ?? hasContexts);
  }

  /**
   * The state after the last call. If that failed, reading it starts another one for the next
   * reader.
   */
  #health(): LanguageHealth {
    const { state } = this.#connection;
    const now = this.#options.clock();
    if (state !== "ready" && now - this.#probed >= PROBE_PAUSE_MS) this.#probe();
    return { state, isolates: 0, build: null };
  }

  #probe(): void {
    this.#probed = this.#options.clock();
    this.#forward(probeRequest()).catch(() => undefined); // the connection records the failure
  }

  /** Forwards a request to the same path of the runtime. 502 when that fails. */
  async #forward(request: Request): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    const { method, signal, headers } = request;
    if (path === EXECUTE_PATH && method === "POST") return await this.#read(request);
    const tenant = headers.get(TENANT_HEADER);
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    const kept = tenant === null ? {} : { [TENANT_HEADER]: tenant };
    const answer = await this.#send({ method, path, headers: kept, body, signal });
    if (path === INTERPRETER_PATH && answer.ok) {
      this.#told = probeSchema.safeParse(await answer.clone().json()).data?.contexts;
    }
    return answer;
  }

  /** `POST /execute` of a caller that has only the binding. */
  async #read(request: Request): Promise<Response> {
    try {
      const run = await this.#reader.read(request);
      return await this.#run(run, { tenant: DEFAULT_TENANT, signal: request.signal });
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.code !== "VALIDATION_FAILED") throw thrown;
      return errorResponse(thrown, this.#options.clock);
    }
  }

  /** A stateless run. */
  async #run(request: ExecuteRequest, caller: RunCaller): Promise<Response> {
    const { limits } = request;
    await this.#known.ensure(givenFields(request));
    const { tenant, maxWaitMs, signal, listener } = caller;
    const headers = {
      [TENANT_HEADER]: tenant,
      ...(maxWaitMs === undefined ? {} : { [WAIT_HEADER]: String(maxWaitMs) }),
    };
    const body = new TextEncoder().encode(JSON.stringify(bodyOf(request)));
    const heard = listener === undefined ? undefined : new HeardRun(listener);
    const call = { method: "POST", path: EXECUTE_PATH, headers, body, signal, heard };
    return await this.#send(call, limits);
  }

  async #send(call: RemoteCall, limits?: RunLimits): Promise<Response> {
    const { language } = this.#options;
    const headers = { "content-type": JSON_TYPE, ...call.headers };
    const { path, heard } = call;
    const read = (reply: RemoteReply) => forwarded({ path, language, limits, heard }, reply);
    const most = maxAnswerBytes(this.#options.limits);
    try {
      return await this.#connection.call({ ...call, headers }, most, read);
    } catch (thrown) {
      throw thrown instanceof RemoteFailure ? this.#unreachable() : thrown;
    }
  }

  /** Never rejects for anything that the runtime or an application can cause. */
  async #execute(
    key: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult> {
    try {
      await this.#known.ensure(givenFields(args));
      const heard = args.listener === undefined ? undefined : new HeardRun(args.listener);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const outcome = await this.#attempt(key, { args, heard }, getFiles);
        if (outcome !== undefined) return outcome;
      }
      throw new RemoteFailure("the ticket was lost again");
    } catch (thrown) {
      const error = this.#errorOf(thrown, args);
      return { ok: false, status: error.status, body: error.toBody(this.#options.clock) };
    }
  }

  #errorOf(thrown: unknown, { signal, contextId }: ExecuteInContextArgs): ServiceError {
    if (signal?.aborted) return conflict("The run was cancelled", contextId);
    if (thrown instanceof RemoteFailure) return this.#unreachable();
    if (thrown instanceof ServiceError) return thrown;
    const { language, log } = this.#options;
    log("error", "runtime.unexpected", { language, ...describeCause(thrown) });
    return internalError();
  }

  /** Runs both phases. Undefined when the ticket was lost between them. */
  async #attempt(
    key: string,
    run: AskedRun,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult | undefined> {
    const path = `${INTERPRETERS_PATH}/${encodeURIComponent(key)}/run`;
    const first = await this.#ask(path, encodeRun(run.args), run);
    if (first === undefined) {
      throw new RemoteFailure("a first request was answered as if it had a ticket");
    }
    if (first.kind === "outcome") return first.outcome;
    const files = await getFiles(first.paths);
    const second = await this.#ask(path, encodeFiles(first.ticket, files), run);
    if (second?.kind === "need") throw new RemoteFailure("the runtime requests files twice");
    return second?.outcome;
  }

  /** Sends one message and checks its answer. Undefined when the ticket is unknown. */
  async #ask(
    path: string,
    body: Uint8Array<ArrayBuffer>,
    { args, heard }: AskedRun,
  ): Promise<RemoteAnswer | undefined> {
    const headers = { "content-type": MESSAGE_TYPE };
    const call = { method: "POST", path, headers, body, signal: args.signal, heard };
    return await this.#connection.call(call, RPC_MESSAGE_BYTES, (reply) => {
      if (reply.status === TICKET_LOST) return undefined;
      const answer = reply.status === 200
        ? decodeAnswer(reply.body, this.#options.limits)
        : refusal(reply);
      if (answer.kind === "need") return { ...answer, paths: checkedNeed(answer.paths, args) };
      const outcome = checkedOutcome(answer.outcome, args, this.#options.language);
      if (outcome.ok) heard?.settle(outcome.result);
      return { ...answer, outcome };
    });
  }

  /** Creates the 502 error, which names the binding. */
  #unreachable(): ServiceError<"INTERNAL_ERROR"> {
    const binding = bindingName(this.#options.language);
    const message = `Binding '${binding}' could not be called`;
    return new ServiceError("INTERNAL_ERROR", message, { status: 502 });
  }
}

/** Maps a refusal before the start of a run: the runtime has too much to do. */
function refusal({ status, body }: RemoteReply): RemoteAnswer {
  if (status !== ERROR_STATUSES.RATE_LIMITED[0] && status !== ERROR_STATUSES.OVERLOADED[0]) {
    throw new RemoteFailure("the message was refused");
  }
  const error = errorBodySchema.parse(JSON.parse(new TextDecoder().decode(body)));
  if (error.httpStatus !== status) throw new RemoteFailure("the refusal has another status");
  return { kind: "outcome", outcome: { ok: false, status, body: error } };
}

function probeRequest(): Request {
  return new Request(`${RUNTIME_ORIGIN}${INTERPRETER_PATH}`);
}

/** Empty standard input is sent as absent. */
function givenFields(
  { limits, stdin, ...replay }: Pick<ExecuteRequest, "limits" | "stdin" | "seed" | "clock">,
) {
  return { limits, stdin: stdin === "" ? undefined : stdin, ...replayOf(replay) };
}

/** The body of `POST /execute` for the parsed request. */
function bodyOf({ code, envVars, typescript, limits, stdin, seed, clock }: ExecuteRequest) {
  return {
    code,
    envVars: Object.fromEntries(envVars),
    ...(typescript ? { language: "typescript" } : {}),
    limits,
    stdin,
    seed,
    clock,
  };
}
