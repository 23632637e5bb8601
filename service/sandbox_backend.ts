/**
 * The sandboxes of a process on top of its backend: their leases, the admission of their runs, and
 * the janitor that removes what nothing refers to.
 *
 * @module
 */
import { bindingName, type Language } from "../client/protocol/types.ts";
import type { AllowedHost } from "../outgoing/allowed_hosts.ts";
import { Admission, callPlaces, messagePlaces } from "../gateway/admission.ts";
import { BodyBudget } from "../gateway/body_budget.ts";
import { sandboxAdmission } from "../gateway/sandbox_path.ts";
import type { RunStep } from "../sandbox/operation_options.ts";
import { createSandboxes, type Sandboxes } from "../sandbox/sandboxes.ts";
import type { Janitor } from "../store/janitor.ts";
import type { LanguageRuntime, RuntimeBinding } from "../shared/binding.ts";
import type { Tenants } from "../shared/tenants.ts";
import type { AdmissionLimits, LimitsByLanguage, SandboxQuotas } from "../shared/limits.ts";
import { bodyBudget, sandboxLimits } from "../shared/limit_rules.ts";
import type { Log } from "../shared/log.ts";
import type { OperatorTools } from "../shared/operator_tools.ts";
import type { RecordUsage } from "../shared/run_account.ts";
import { type Backend, CLOSE_MS } from "./backend.ts";
import { notificationsOf } from "./notifications.ts";
import { housekeepingOf, type HousekeepingOptions, maintenanceOf } from "./housekeeping.ts";

/** Options of the sandboxes. */
export interface SandboxBackendOptions {
  readonly limits: LimitsByLanguage;
  readonly admission: AdmissionLimits;
  readonly quotas: SandboxQuotas;
  /** Quotas and limits of single tenants. */
  readonly tenants?: Tenants;
  /** Milliseconds that a call waits for its answer. The service's default when absent. */
  readonly waitMs?: number;
  /** Hosts that callers may name for notifications. None when absent. */
  readonly notifyHosts?: readonly AllowedHost[];
  /** The operator's tools. None when absent. */
  readonly tools?: OperatorTools;
  /** Counts the fuel of runs that go on without a request. */
  readonly recordUsage?: RecordUsage;
  readonly housekeeping?: HousekeepingOptions;
  /** Observes the steps of runs; for tests. */
  readonly onStep?: (step: RunStep) => void;
}

/** A backend with sandboxes. */
export interface SandboxBackend extends Backend {
  /** The places for runs. Stateless runs and runs in sandboxes share them. */
  readonly admission: Admission;
  /** The places for calls that run no code. */
  readonly calls: Admission;
  /** The places for messages of `/mcp` and `/e2b`. */
  readonly messages: Admission;
  /** The bytes of all requests and answers in flight. */
  readonly bodies: BodyBudget;
  readonly sandboxes: Sandboxes;
  readonly janitor: Janitor;
}

/** Adds sandboxes to a backend. Its `close` then stops their janitor first. */
export function withSandboxes(
  backend: Backend,
  options: SandboxBackendOptions,
  log: Log,
): SandboxBackend {
  const { store, kills, runtimes } = backend;
  const { limits, quotas, tenants, waitMs, tools, recordUsage, housekeeping, onStep } = options;
  const { notifyHosts = [] } = options;
  const admission = new Admission(options.admission);
  const calls = callPlaces(options.admission);
  const messages = messagePlaces(options.admission);
  const bodies = new BodyBudget(bodyBudget(limits));
  const { leases, janitor } = housekeepingOf(store, log, housekeeping);
  const notifications = notificationsOf(notifyHosts, {
    kv: store,
    log,
    periodMs: housekeeping?.noticePeriodMs,
  });
  const sandboxes = createSandboxes({
    store,
    leases,
    bindings: bindingsOf(runtimes),
    admission: sandboxAdmission({ admission, bodies, kills }),
    clock: Date.now,
    log,
    limits: {
      ...sandboxLimits(limits.javascript),
      codeBytes: limits.javascript.codeBytes,
      requestBytes: limits.javascript.requestBytes,
      stdinBytes: limits.javascript.stdinBytes,
      maxWaitMs: options.admission.maxWaitMs,
    },
    quotas,
    tenants,
    waitMs,
    notify: notifications?.options,
    tools,
    recordUsage,
    ...(onStep === undefined ? {} : { onStep }),
  });
  for (const task of [...sandboxes.janitorTasks, ...maintenanceOf(backend)]) janitor.register(task);
  janitor.start();
  notifications?.start();
  const close = async () => {
    backend.store.hurry(CLOSE_MS);
    await sandboxes.runs.close();
    await notifications?.close();
    await janitor.close();
    await backend.close();
  };
  return { ...backend, admission, calls, messages, bodies, sandboxes, janitor, close };
}

/** The runtimes by the names of their bindings (docs/contract.md#gateway-routes). */
export function bindingsOf(
  runtimes: ReadonlyMap<Language, LanguageRuntime>,
): ReadonlyMap<string, RuntimeBinding> {
  return new Map([...runtimes].map(([id, { binding }]) => [bindingName(id), binding]));
}
