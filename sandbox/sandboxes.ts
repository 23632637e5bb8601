/**
 * All sandboxes of a process, as namespaces: one for each tenant (docs/contract.md#names-on-deno).
 * State is in the store, so any process serves any sandbox.
 *
 * `sandbox/` owns contexts, files, variables and the commits that keep them consistent. It may
 * import `store/`, `telemetry/` and `shared/`; it must not know how code runs: a runtime is a
 * `RuntimeBinding`.
 *
 * @module
 */
import type { Decider } from "../client/protocol/journal.ts";
import { SANDBOX_ID_HEADER } from "../client/protocol/paths.ts";
import { Tenants } from "../shared/tenants.ts";
import { noticeExpiryTask } from "../runs/notice_expiry.ts";
import type { OnNotice } from "../runs/run_notices.ts";
import type { EnterPlace } from "../runs/run_place.ts";
import { type MayNotify, RunTable } from "../runs/run_table.ts";
import { tenantCounterKey } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { LeaseTable } from "../store/lease.ts";
import { countIn } from "../store/transaction.ts";
import type { Maintenance, RuntimeBinding } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import { errorResponse, type ServiceError, validationFailed } from "../shared/errors.ts";
import {
  ADMISSION_LIMITS,
  SANDBOX_LIMITS,
  SANDBOX_QUOTAS,
  type SandboxQuotas,
  SHARED_LIMITS,
  WAIT_MS,
} from "../shared/limits.ts";
import { describeCause, type Log } from "../shared/log.ts";
import type { OperatorTools } from "../shared/operator_tools.ts";
import type { RunListener } from "../shared/run_listener.ts";
import type { SandboxTerms } from "../shared/sandbox_terms.ts";
import type { SandboxList } from "../shared/sandbox_types.ts";
import type { RecordUsage } from "../shared/run_account.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import { type DeletionOptions, expireSandbox, expiryTask } from "./deletion.ts";
import { uploadExpiryTask } from "./upload_record.ts";
import { answerExpiryTask } from "./stored_answers.ts";
import { runLoader, waitingRunTask } from "./stored_runs.ts";
import { listSandboxes, pageOf, type PageQuery } from "./listing.ts";
import { type BodyOptions, sandboxReaders } from "./requests.ts";
import { objectId } from "./root_record.ts";
import { invalidName, isSandboxName } from "./sandbox_name.ts";
import { QueueChanges } from "./context_queue.ts";
import { RunsInFlight } from "./runs_in_flight.ts";
import { RuntimeBindings } from "./runtime_bindings.ts";
import { RuntimeWipes } from "./runtime_wipes.ts";
import { SandboxChanges } from "./sandbox_changes.ts";
import type {
  OperationOptions,
  RouteLimits,
  RunAdmission,
  RunStep,
  TakePlace,
} from "./operation_options.ts";
import { asRequest } from "./store_waits.ts";
import { SharedBlobs } from "./shared_blobs.ts";
import { StoredSandboxes } from "./stored_sandbox.ts";
import { termsOf } from "./terms.ts";
import { Hono } from "hono";
import { answerWith, installErrorMapping } from "../shared/error_mapping.ts";
import { honoPath } from "../shared/route.ts";
import { routingPath } from "../shared/request_path.ts";
import { answerInSandbox } from "./context_routes.ts";
import type { RequestTarget, RouteOptions, SandboxEnv } from "./route.ts";
import { SANDBOX_ROUTES } from "./routes.ts";

/** Dependencies of sandboxes. */
export interface SandboxesOptions {
  readonly store: KvStore;
  /** The leases of this process, shared by all holders. */
  readonly leases: LeaseTable;
  /** The runtimes by the names of their bindings, for example `PYTHON`. */
  readonly bindings: ReadonlyMap<string, RuntimeBinding>;
  /** Admission of runs. */
  readonly admission: RunAdmission;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a unique id with each call; random UUIDs when absent. */
  readonly ids?: () => string;
  /** Returns a random number from 0 up to 1; `Math.random` when absent. */
  readonly random?: () => number;
  /** The system clock when absent. */
  readonly timers?: Timers;
  /** The service's defaults when absent. */
  readonly limits?: Partial<RouteLimits>;
  /** The service's defaults when absent. */
  readonly quotas?: Partial<SandboxQuotas>;
  /** Quotas and limits of single tenants. */
  readonly tenants?: Tenants | undefined;
  /** Milliseconds that a call waits for its answer. The service's default when absent. */
  readonly waitMs?: number | undefined;
  /** Notifies callers of their runs. Absent: a request with `notify` is refused. */
  readonly notify?: NotifyOptions | undefined;
  /** The operator's tools. None when absent. */
  readonly tools?: OperatorTools | undefined;
  /** Counts the fuel of runs that go on without a request. */
  readonly recordUsage?: RecordUsage | undefined;
  /** Bytes of shared files that may wait to be deleted; 64 MiB when absent. */
  readonly unsweptBytes?: number;
  /** Observes the steps of runs; for tests. */
  readonly onStep?: (step: RunStep) => void | Promise<void>;
}

/** How callers are notified of their runs. */
export interface NotifyOptions {
  readonly mayNotify: MayNotify;
  readonly onNotice: OnNotice;
}

/** A stub of one sandbox. */
export interface SandboxObject {
  /** Sends a request; its host is ignored. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Runs the program of a request with any path and method. Never rejects. */
  run(request: Request, signal: AbortSignal): Promise<Response>;
}

/** How a sandbox is addressed: the binding of every run and every new context, and a meter. */
export interface AddressOptions extends BodyOptions {
  /** Admission of calls that run no code; all are admitted at once when absent. */
  readonly takePlace?: TakePlace;
  /** The sandbox must be there: a call that would create it is 404. */
  readonly existing?: boolean | undefined;
  /** Who decides about calls, if the request does. A caller of the routes when absent. */
  readonly decider?: Decider | undefined;
  /** Listens to a run. */
  readonly listener?: RunListener | undefined;
}

/** The sandboxes of one tenant. */
export interface SandboxNamespace {
  /** The id of the sandbox with a name: 64 hex digits. */
  idFromName(name: string): string;
  /**
   * The stub of a sandbox, by its name or by its id. By id, each request must name the sandbox in
   * `x-sandbox-id`. The sandbox need not exist: its first use creates it.
   */
  get(id: string, options?: AddressOptions): SandboxObject;
  /** The same by name only, which is all that the gateway's paths contain. */
  named(name: string, options?: AddressOptions): SandboxObject;
  /**
   * A page of the listing of sandboxes.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` for a bad parameter, `OVERLOADED` when the store does
   * not answer.
   */
  list(query: PageQuery): Promise<SandboxList>;
  /** The same sandboxes, with their ends and labels. */
  readonly terms: SandboxTerms;
}

/** All sandboxes of a process. */
export interface Sandboxes {
  /** The runs whose programs can wait, with and without a context. */
  readonly runs: RunTable;
  /** The sandboxes of a tenant. */
  forTenant(tenant: string): SandboxNamespace;
  /** The janitor's tasks for sandboxes. */
  readonly janitorTasks: readonly Maintenance[];
}

const OBJECT_ID = /^[0-9a-f]{64}$/;
/** The error of a request to an id without the matching name. */
const UNNAMED = `${SANDBOX_ID_HEADER} must name the sandbox that is addressed`;

/** Creates the sandboxes of a process. */
export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const operationOptions = assemble(options);
  operationOptions.waiting.loadFrom(runLoader(operationOptions));
  const app = createSandboxApp(operationOptions);
  const { stored } = operationOptions;
  return {
    runs: operationOptions.waiting,
    forTenant: (tenant) => namespaceOf(tenant, app, operationOptions),
    janitorTasks: [
      expiryTask(operationOptions, (address) => stored.read(address)),
      answerExpiryTask(operationOptions),
      uploadExpiryTask(operationOptions),
      waitingRunTask(operationOptions),
      noticeExpiryTask(operationOptions),
      { name: "shared files", run: (signal) => operationOptions.shared.sweepAll(signal) },
      { name: "state of runtimes", run: (signal) => operationOptions.wipes.finishAll(signal) },
    ],
  };
}

function assemble(options: SandboxesOptions): OperationOptions {
  const { store: kv, clock, log, leases, timers = systemTimers } = options;
  const ids = options.ids ?? (() => crypto.randomUUID());
  const { tenants = new Tenants() } = options;
  const common = { ...SANDBOX_QUOTAS, ...options.quotas };
  const quotas = (tenant: string) => tenants.quotas(tenant, common);
  const bindings = new RuntimeBindings(options.bindings, tenants, log);
  const wipes = new RuntimeWipes({ kv, bindings, log, clock });
  const runs = new RunsInFlight();
  const queues = new QueueChanges(timers);
  const stored = new StoredSandboxes(kv, clock);
  const shared = new SharedBlobs({ kv, stored, log, unsweptBytes: options.unsweptBytes });
  const deletion: DeletionOptions = { kv, leases, runs, wipes, shared, clock, ids, log, quotas };
  const changes = new SandboxChanges({
    kv,
    stored,
    clock,
    ids,
    random: options.random ?? Math.random,
    timers,
    quotas,
    idleTtlMs: common.idleTtlMs,
    shared,
    expire: (state) => expireSandbox(deletion, state),
  });
  const limits = { ...SHARED_LIMITS, ...ADMISSION_LIMITS, ...SANDBOX_LIMITS, ...options.limits };
  const { admission, waitMs = WAIT_MS, notify } = options;
  const onFault = (thrown: unknown) =>
    log("warn", "a run was not ended yet", describeCause(thrown));
  const enter: EnterPlace = (tenant, signal) => admission.enter(tenant, signal, limits.maxWaitMs);
  return {
    ...deletion,
    queues,
    waiting: new RunTable({
      clock,
      timers,
      waitMs,
      enter,
      onFault,
      tools: options.tools,
      recordUsage: options.recordUsage,
      store: {
        kv,
        leases,
        clock,
        ids,
        countRuns: async (tenant) =>
          countIn(await kv.get(tenantCounterKey(tenant, "waiting_runs"))),
        maxTenantBytes: (tenant) => quotas(tenant).maxTenantBytes,
        onNotice: notify?.onNotice,
      },
      mayNotify: notify?.mayNotify,
    }),
    onNotice: notify?.onNotice,
    stored,
    changes,
    bindings,
    timers,
    admission,
    limits,
    onStep: options.onStep ?? (() => undefined),
  };
}

function namespaceOf(
  tenant: string,
  app: SandboxApp,
  operationOptions: OperationOptions,
): SandboxNamespace {
  const refused = (error: ServiceError) => errorResponse(error, operationOptions.clock);
  const named = (name: string, options: AddressOptions = {}): SandboxObject => {
    const { takePlace, listener, decider = "run", existing = false, ...body } = options;
    const address = { tenant, id: name, existing };
    const addressed = { address, body, takePlace, listener, decider };
    const invalid = () => isSandboxName(name) ? undefined : refused(invalidName(name));
    return {
      fetch: async (request) => invalid() ?? await app.fetch(request, addressed),
      run: async (request, signal) => invalid() ?? await app.run(request, addressed, signal),
    };
  };
  return {
    idFromName: (name) => objectId({ tenant, id: name }),
    named,
    terms: termsOf(tenant, operationOptions),
    get: (id, body) => {
      if (!OBJECT_ID.test(id)) return named(id, body);
      const answer = async (
        request: Request,
        work: (sandbox: SandboxObject) => Promise<Response>,
      ) => {
        const name = nameIn(request, tenant, id);
        return name === undefined
          ? refused(validationFailed(UNNAMED))
          : await work(named(name, body));
      };
      return {
        fetch: (request) => answer(request, (sandbox) => sandbox.fetch(request)),
        run: (request, signal) => answer(request, (sandbox) => sandbox.run(request, signal)),
      };
    },
    list: async (query) => {
      const page = pageOf(tenant, query);
      return await asRequest(operationOptions, () => listSandboxes(operationOptions, tenant, page));
    },
  };
}

/** The name in a request to an id, if it belongs to that id. */
function nameIn(request: Request, tenant: string, id: string): string | undefined {
  const name = request.headers.get(SANDBOX_ID_HEADER);
  return name !== null && objectId({ tenant, id: name }) === id ? name : undefined;
}

/**
 * The routes of all sandboxes (docs/contract.md#sandbox-routes). Its methods never reject.
 */
interface SandboxApp {
  /** Answers a request of any route. */
  fetch(request: Request, addressed: RequestTarget): Promise<Response>;
  /** Answers a request for a run as one JSON object. Its path, method and signal are ignored. */
  run(request: Request, addressed: RequestTarget, signal: AbortSignal): Promise<Response>;
}

/** Creates the routes of all sandboxes. */
function createSandboxApp(options: OperationOptions): SandboxApp {
  const app = new Hono<SandboxEnv>({ getPath: routingPath });
  const mapping = {
    clock: options.clock,
    onUnexpected: (thrown: unknown) =>
      options.log("error", "request failed", describeCause(thrown)),
  };
  installErrorMapping(app, mapping);
  const shared: RouteOptions = { options, read: sandboxReaders(options.limits), mapping };
  for (const route of SANDBOX_ROUTES) {
    app.on(route.method.toUpperCase(), honoPath(route), (context) => {
      // after unknown paths and methods, and before the work
      checkNamed(context.req.raw, context.env);
      return route.answer(context, shared);
    });
  }
  return {
    fetch: (request, addressed) =>
      asRequest(options, async () => await app.fetch(request, addressed)),
    run: (request, addressed, signal) =>
      answerWith(mapping, () =>
        asRequest(options, async () => {
          checkNamed(request, addressed);
          const body = { ...addressed.body, signal };
          return await answerInSandbox(request, { ...addressed, body }, shared, { signal });
        })),
  };
}

/** The header catches a request that reached the wrong sandbox. */
function checkNamed({ headers }: Request, { address }: RequestTarget): void {
  const named = headers.get(SANDBOX_ID_HEADER);
  if (named !== null && named !== address.id) {
    throw validationFailed(`${SANDBOX_ID_HEADER} names another sandbox than the one addressed`);
  }
}
