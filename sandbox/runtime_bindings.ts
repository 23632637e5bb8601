/**
 * The runtimes that a sandbox can reach, by the names of their bindings: the probe, and the calls
 * that create and remove a context at a runtime (docs/contract.md#runtime-routes).
 *
 * @module
 */
import { z } from "zod";
import { type RunCaller, type RuntimeBinding, TENANT_HEADER } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import {
  internalError,
  runtimeUnavailable,
  ServiceError,
  validationFailed,
} from "../shared/errors.ts";
import { BINDING_CALL_MS } from "../shared/limits.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { INTERPRETER_PATH, INTERPRETERS_PATH, RUNTIME_ORIGIN } from "../client/protocol/paths.ts";
import { checkRunLimits } from "../shared/run_limits.ts";
import { quoted } from "../client/protocol/text.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import type { Timers } from "../shared/timers.ts";
import type { ExecuteRequest, RunLimits } from "../client/protocol/types.ts";

/** The result of a probe. */
export interface Probe {
  readonly language: string;
  readonly engine: string;
  readonly contexts: boolean;
}

/** A context at a runtime. */
export interface RuntimeContext {
  /** Name of the binding. */
  readonly binding: string;
  /** The sandbox key. */
  readonly key: string;
  readonly tenant: string;
  readonly contextId: string;
}

/** A sandbox at a runtime. */
export type RuntimeSandbox = Omit<RuntimeContext, "contextId">;

/** The state that a fork gets. */
export interface ForkedState {
  /** The runtime's reference to it. */
  readonly snapshot: string;
  /** Whether it may be a state before the last one: that of a run that is not committed here. */
  readonly behind: boolean;
}

/** What {@link RuntimeBindings} needs. */
export interface RuntimeBindingsOptions {
  readonly bindings: ReadonlyMap<string, RuntimeBinding>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

interface KnownProbe {
  readonly probe: Probe;
  readonly until: number;
}

/** How long a probe is valid, in milliseconds. */
const PROBE_MS = 60_000;
/** Status when a runtime already has a context. */
const CONFLICT = 409;
/**
 * Status when a runtime's store does not answer. Its routes without runs use it for nothing else.
 */
const OVERLOADED = 503;

const probeSchema: z.ZodType<Probe, unknown> = z.object({
  language: z.string(),
  engine: z.string(),
  contexts: z.boolean(),
});

const errorSchema: z.ZodType<{ readonly message: string }, unknown> = z.object({
  message: z.string(),
});

/** The runtimes by name. */
export class RuntimeBindings {
  readonly #options: RuntimeBindingsOptions;
  readonly #probes = new Map<string, KnownProbe>();

  constructor(options: RuntimeBindingsOptions) {
    this.#options = options;
  }

  /** Whether this service has the binding. Others on the same store may enable other languages. */
  has(name: string): boolean {
    return this.#options.bindings.has(name);
  }

  /**
   * A binding by its name.
   *
   * @throws {ServiceError} `VALIDATION_FAILED`
   */
  get(name: string): RuntimeBinding {
    const binding = this.#options.bindings.get(name);
    if (binding === undefined) throw validationFailed(`Unknown binding ${quoted(name)}`);
    return binding;
  }

  /**
   * Checks the limits of a run, if the maxima of its binding are known. The runtime checks them
   * too.
   *
   * @throws {ServiceError} `VALIDATION_FAILED`
   */
  checkLimits(name: string, limits: RunLimits | undefined): void {
    if (limits === undefined) return;
    const most = this.get(name).mostRunLimits;
    if (most !== undefined) checkRunLimits(limits, most);
  }

  /**
   * The probe of a runtime, at most a minute old.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` when the binding is not a runtime, or 502
   */
  async probe(name: string, tenant: string): Promise<Probe> {
    const known = this.#probes.get(name);
    if (known !== undefined && this.#options.clock() < known.until) return known.probe;
    this.get(name);
    const answer = await this.#call(name, tenant, { method: "GET", path: INTERPRETER_PATH });
    const parsed = probeSchema.safeParse(await jsonOf(answer));
    if (!answer.ok || !parsed.success) {
      if (answer.status >= 500) throw runtimeUnavailable();
      throw validationFailed(`Binding ${quoted(name)} is not a runtime worker`);
    }
    this.#probes.set(name, { probe: parsed.data, until: this.#options.clock() + PROBE_MS });
    return parsed.data;
  }

  /** Whether the first run of a context creates it at its runtime. */
  createsWithRun(name: string, store: object): boolean {
    return this.get(name).keepsContextsIn?.(store) === true;
  }

  /** Creates a context at a runtime, unless it exists. Throws the runtime's error, or 502. */
  async create(context: RuntimeContext, cwd: string): Promise<void> {
    const { binding, key, tenant, contextId } = context;
    const answer = await this.#call(binding, tenant, {
      method: "POST",
      path: `${INTERPRETERS_PATH}/${key}/contexts`,
      body: JSON.stringify({ id: contextId, cwd }),
    });
    const body = await jsonOf(answer);
    if (answer.status === 201 || answer.status === CONFLICT) return;
    throw refusedBy(answer, body);
  }

  /**
   * Adds a context with the state of another one. False when the source has another state by now,
   * or is gone. Throws the runtime's error, or 502.
   */
  async fork(from: RuntimeContext, to: RuntimeContext, state: ForkedState): Promise<boolean> {
    const answer = await this.#call(from.binding, from.tenant, {
      method: "POST",
      path: `${INTERPRETERS_PATH}/${from.key}/contexts/${from.contextId}/fork`,
      body: JSON.stringify({ key: to.key, id: to.contextId, ...state }),
    });
    const body = await jsonOf(answer);
    if (answer.status === 201 || answer.status === CONFLICT) return true;
    if (answer.status === 404 || answer.status === 412) return false;
    throw refusedBy(answer, body);
  }

  /** Removes a context at a runtime. A context that the runtime does not know counts as removed. */
  async remove({ binding, key, tenant, contextId }: RuntimeContext): Promise<void> {
    await this.#remove(binding, tenant, `${INTERPRETERS_PATH}/${key}/contexts/${contextId}`);
  }

  /** Removes everything that a runtime stores for a sandbox. */
  async wipe({ binding, key, tenant }: RuntimeSandbox): Promise<void> {
    await this.#remove(binding, tenant, `${INTERPRETERS_PATH}/${key}`);
  }

  /** Runs code statelessly; the answer is the runtime's own. 502 when it cannot be called. */
  async execute(name: string, request: ExecuteRequest, caller: RunCaller): Promise<Response> {
    const binding = this.get(name);
    return await this.#guarded(() => binding.execute(request, caller), caller.signal);
  }

  async #remove(binding: string, tenant: string, path: string): Promise<void> {
    const answer = await this.#call(binding, tenant, { method: "DELETE", path });
    await answer.body?.cancel();
    if (!answer.ok && answer.status !== 404) throw runtimeUnavailable();
  }

  async #call(
    name: string,
    tenant: string,
    call: { readonly method: string; readonly path: string; readonly body?: string },
  ): Promise<Response> {
    const late = new AbortController();
    const cancelDeadline = this.#options.timers.after(BINDING_CALL_MS, () => late.abort());
    const { method, path, body } = call;
    try {
      return await this.#send(
        name,
        new Request(`${RUNTIME_ORIGIN}${path}`, {
          method,
          headers: { "content-type": "application/json", [TENANT_HEADER]: tenant },
          ...(body === undefined ? {} : { body }),
          signal: late.signal,
        }),
      );
    } finally {
      cancelDeadline();
    }
  }

  async #send(name: string, request: Request): Promise<Response> {
    const binding = this.get(name);
    return await this.#guarded(() => binding.fetch(request), request.signal);
  }

  /** 502 for anything but a service error. An aborted call is not logged. */
  async #guarded(
    call: () => Promise<Response>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    try {
      return await call();
    } catch (thrown) {
      if (thrown instanceof ServiceError) throw thrown;
      if (!signal?.aborted) {
        this.#options.log("error", "runtime call failed", describeCause(thrown));
      }
      throw runtimeUnavailable();
    }
  }
}

/** The error of a runtime that makes no context. */
function refusedBy({ status }: Response, body: unknown): Error {
  if (status === OVERLOADED) return new StoreUnavailable(true);
  const parsed = errorSchema.safeParse(body);
  if (status !== 400 || !parsed.success) return runtimeUnavailable();
  return validationFailed(parsed.data.message);
}

/** The body of an answer; undefined when it is not JSON. */
async function jsonOf(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof TypeError) return undefined;
    throw internalError();
  }
}
