/**
 * The runtimes that a sandbox can reach, by the names of their bindings.
 *
 * @module
 */
import type { RunCaller, RuntimeBinding, RuntimeContexts } from "../shared/binding.ts";
import { type ServiceError, validationFailed } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { runtimeFailure } from "../runs/stateless_run.ts";
import { checkRunLimits } from "../shared/run_limits.ts";
import { quoted } from "../client/protocol/text.ts";
import type { Tenants } from "../shared/tenants.ts";
import type { ExecuteRequest, Language, RunLimits } from "../client/protocol/types.ts";

/** The runtimes by name. */
export class RuntimeBindings {
  readonly #bindings: ReadonlyMap<string, RuntimeBinding>;
  readonly #tenants: Tenants;
  readonly #log: Log;

  constructor(bindings: ReadonlyMap<string, RuntimeBinding>, tenants: Tenants, log: Log) {
    this.#bindings = bindings;
    this.#tenants = tenants;
    this.#log = log;
  }

  /** Whether this service has the binding. Others on the same store may enable other languages. */
  has(name: string): boolean {
    return this.#bindings.has(name);
  }

  /**
   * A binding by its name.
   *
   * @throws {ServiceError} `VALIDATION_FAILED`
   */
  get(name: string): RuntimeBinding {
    const binding = this.#bindings.get(name);
    if (binding === undefined) throw validationFailed(`Unknown binding ${quoted(name)}`);
    return binding;
  }

  /** A binding of a language; throws `VALIDATION_FAILED` where the service does not have it. */
  ofLanguage(language: Language): RuntimeBinding {
    const binding = this.#bindings.values().find((binding) => binding.language === language);
    if (binding === undefined) throw validationFailed(`This service does not run ${language}`);
    return binding;
  }

  /**
   * The stored contexts of a binding.
   *
   * @throws {ServiceError} `VALIDATION_FAILED`
   */
  contexts(name: string): RuntimeContexts {
    const binding = this.get(name);
    if (binding.contexts === undefined) throw withoutContexts(name, binding);
    return binding.contexts;
  }

  /**
   * A request with the limits of its run: its own, or those of its tenant. They are checked against
   * the maxima of the binding, if those are known. The runtime checks them too.
   *
   * @throws {ServiceError} `VALIDATION_FAILED`
   */
  limited<R extends { readonly limits?: RunLimits | undefined }>(
    tenant: string,
    name: string,
    request: R,
  ): R {
    const binding = this.#bindings.get(name);
    if (request.limits !== undefined) {
      const { mostRunLimits: most } = this.get(name);
      if (most !== undefined) checkRunLimits(request.limits, most);
    }
    if (binding === undefined) return request;
    const limits = this.#tenants.limits(tenant, binding.language, request.limits);
    return limits === request.limits ? request : { ...request, limits };
  }

  /** Runs code statelessly; the answer is the runtime's own. 502 when it fails otherwise. */
  async execute(name: string, request: ExecuteRequest, caller: RunCaller): Promise<Response> {
    try {
      return await this.get(name).execute(request, caller);
    } catch (thrown) {
      throw this.failure(thrown, caller.signal);
    }
  }

  /** The error for the caller of a run whose runtime has thrown. */
  failure(thrown: unknown, caller: AbortSignal | undefined): Error {
    return runtimeFailure(thrown, caller, this.#log);
  }
}

/** The binding has no contexts. */
function withoutContexts(name: string, { language }: RuntimeBinding): ServiceError {
  return validationFailed(
    `Code contexts are not supported by binding ${quoted(name)} (${language})`,
  );
}
