/**
 * Assembles the service from store, runtimes, sandboxes, gateway and server; also a runtime that is
 * served alone.
 *
 * `service/` owns the configuration, the choice and assembly of the parts, and how the program
 * starts and stops. It may import everything; only `main.ts` imports it.
 *
 * @module
 */
import { createGateway, type GatewayOptions } from "../gateway/app.ts";
import { createAuthenticator } from "../gateway/authentication.ts";
import { brokenAnswers, refusedOriginLog } from "../gateway/caller_logs.ts";
import { createHostCheck } from "../gateway/host_check.ts";
import { createRuntimeGateway } from "../gateway/runtime_alone.ts";
import {
  type RunningServer,
  type ServerOptions,
  StartRefused,
  startServer,
} from "../gateway/server.ts";
import type { CreateRuntimes } from "../runtimes/runtimes_options.ts";
import type { BuildOrder } from "../shared/binding.ts";
import { describeCause, type Log } from "../shared/log.ts";
import type { PageFile } from "../shared/page_file.ts";
import type { RecordUsage } from "../shared/run_account.ts";
import { type Backend, type BackendOptions, CLOSE_MS, startBackend } from "./backend.ts";
import { UsageMeter } from "../sandbox/usage.ts";
import type { Secrets } from "../tools/header_values.ts";
import { openAccess } from "./access.ts";
import type { Config } from "./config.ts";
import { withJanitor } from "./housekeeping.ts";
import { openTools } from "./operator_tools.ts";
import { type SandboxBackendOptions, withSandboxes } from "./sandbox_backend.ts";
import { sources } from "./sources.ts";
import { withMeasurements } from "./service_telemetry.ts";
import { deferredLog } from "./start_line.ts";

/** A service that listens. */
export interface Service {
  readonly server: RunningServer;
  /** Stops accepting, lets requests in flight finish, and closes everything. */
  stop(): Promise<void>;
}

/** Options of a service in addition to its configuration. */
export interface ServiceOptions {
  readonly createRuntimes: CreateRuntimes;
  /** Loads the files of the page, or builds them. No page is served when absent. */
  readonly loadPage?: LoadPage;
  /** Variables that the file of the operator's tools may name. None when absent. */
  readonly secrets?: Secrets;
  /** Hooks and overrides for tests. */
  readonly hooks?: ServiceHooks;
}

const NO_SECRETS: Secrets = { value: () => undefined, isReserved: () => false };

type LoadPage = (order: BuildOrder) => Promise<readonly PageFile[]>;

/** Settings that only tests use. */
export type ServiceHooks =
  & Pick<BackendOptions, "answerTimes" | "wrapStore">
  & Pick<ServerOptions, "serve">
  & Pick<SandboxBackendOptions, "housekeeping" | "onStep">;

/** Starts the whole service. */
export async function startService(
  config: Config,
  parts: ServiceOptions,
  log: Log,
): Promise<Service> {
  const deferred = deferredLog(log);
  const access = await openAccess(config, deferred.log);
  const { tenants } = access;
  const operator = await openTools(config, parts.secrets ?? NO_SECRETS, deferred.log);
  const { tools } = operator;
  const options = { ...config, ...parts.hooks, tenants, tools, background: true };
  const under = await startBackend(options, parts.createRuntimes, log, deferred);
  const usage = new UsageMeter(under.store, Date.now);
  const recordUsage: RecordUsage = (tenant, fuel) => usage.record(tenant, fuel);
  const backend = withMeasurements(withSandboxes(under, { ...options, recordUsage }, log));
  const { runtimes, kills, admission, calls, messages, bodies, sandboxes, store } = backend;
  const { allowedOrigins, limits, hosted } = config;
  const { tokens } = access;
  const built = await sources();
  backend.janitor.register(usage.maintenance);
  usage.begin().catch(() => undefined); // a later read notes it
  const close = async () => {
    store.hurry(CLOSE_MS);
    access.close();
    await usage.close();
    await backend.close();
    await operator.close();
  };
  return await listen(options, log, { close }, (loopback, stopping) =>
    createGateway({
      runtimes,
      sandboxes,
      mcp: config.mcp,
      e2b: config.e2b,
      jupyter: config.jupyter,
      ...pageOf(config, parts.loadPage),
      limits,
      tenants,
      authenticate: createAuthenticator(tokens),
      ...(tokens === undefined ? {} : {
        isAdmin: (headers) => tokens.isAdmin(headers),
        approver: (headers) => tokens.approver(headers),
      }),
      accessLog: config.accessLog,
      usage,
      recordUsage,
      ...(loopback && !hosted
        ? { hostCheck: createHostCheck(allowedOrigins, refusedOriginLog(log)) }
        : {}),
      allowedOrigins,
      embedOrigins: config.embedOrigins,
      admission,
      calls,
      messages,
      bodies,
      kills,
      store,
      ...built,
      stopping,
      clock: Date.now,
      log,
    }));
}

function pageOf(
  config: Config,
  load: LoadPage | undefined,
): Pick<GatewayOptions, "page" | "builtFiles"> {
  if (load === undefined) return {};
  const builtFiles = () => load(config);
  return config.page ? { page: builtFiles, builtFiles } : { builtFiles };
}

/** Starts one runtime, which is served alone. */
export async function startRuntimeService(
  config: Config,
  parts: ServiceOptions,
  log: Log,
): Promise<Service> {
  const deferred = deferredLog(log);
  const access = await openAccess(config, deferred.log);
  const alone = { ...config, page: false, background: true };
  const under = await startBackend(alone, parts.createRuntimes, log, deferred);
  const backend = withMeasurements(withJanitor(under, log));
  const [runtime] = backend.runtimes.values();
  if (runtime === undefined) throw new StartRefused("There is no runtime to serve");
  const built = await sources();
  const close = async () => {
    access.close();
    await backend.close();
  };
  return await listen(config, log, { close }, (loopback, stopping) =>
    createRuntimeGateway({
      ...built,
      runtime,
      authenticate: createAuthenticator(access.tokens),
      kills: backend.kills,
      store: backend.store,
      ...(loopback && !config.hosted ? { hostCheck: createHostCheck([]) } : {}),
      stopping,
      clock: Date.now,
      log,
    }));
}

async function listen(
  config: Config & Pick<ServerOptions, "serve">,
  log: Log,
  backend: Pick<Backend, "close">,
  createHandler: (
    loopback: boolean,
    stopping: AbortSignal,
  ) => (request: Request) => Promise<Response>,
): Promise<Service> {
  const stopping = new AbortController();
  try {
    const server = await startServer({
      host: config.host,
      port: config.port,
      loopbackOnly: config.loopbackOnly,
      hosted: config.hosted,
      serve: config.serve,
      stopping,
      createHandler: (loopback) => createHandler(loopback, stopping.signal),
      onFailure: (thrown) => log("error", "accepting failed", describeCause(thrown)),
      onBroken: brokenAnswers(log, Date.now),
    });
    return {
      server,
      stop: async () => {
        await server.stop();
        await backend.close();
      },
    };
  } catch (thrown) {
    await backend.close();
    throw thrown;
  }
}
