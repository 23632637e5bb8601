/**
 * The routes of a sandbox (docs/contract.md#sandbox-routes).
 *
 * `sandbox/` owns what users work with: contexts, files, variables and the commits that keep them
 * consistent. It may import `store/`, `telemetry/` and `shared/`; it must not know how code runs: a
 * runtime is a `RuntimeBinding`.
 *
 * @module
 */
import { Hono, type MiddlewareHandler } from "hono";
import {
  CHECKPOINTS_PATH,
  CONTEXTS_PATH,
  ENV_PATH,
  EXECUTE_PATH,
  FILES_PATH,
  FORK_PATH,
  SANDBOX_ID_HEADER,
} from "../client/protocol/paths.ts";
import { answerWith, installErrorMapping } from "../shared/error_mapping.ts";
import { validationFailed } from "../shared/errors.ts";
import { describeCause } from "../shared/log.ts";
import { routingPath } from "../shared/request_path.ts";
import { clientGone, jsonResponse } from "../shared/responses.ts";
import { answerRun } from "../shared/run_form.ts";
import type { RunAudience, RunListener } from "../shared/run_listener.ts";
import { checkpointInfos, createCheckpoint, deleteCheckpoint } from "./checkpoints.ts";
import { contextInfos, createContext, deleteContext } from "./contexts.ts";
import { deleteSandbox } from "./deletion.ts";
import { runInSandbox } from "./sandbox_run.ts";
import { readFileRequest, readUpload, removeFile, sendFile, storeFile } from "./file_bytes.ts";
import { FILE_ROUTE } from "./file_path.ts";
import { forkContext, forkSandbox } from "./fork.ts";
import { operateOnFiles } from "./files.ts";
import { type BodyOptions, type SandboxReaders, sandboxReaders } from "./requests.ts";
import type { SandboxAddress } from "./root_record.ts";
import { restoreCheckpoint } from "./restore.ts";
import { runConditions } from "./run_conditions.ts";
import { changeEnv, sandboxInfo } from "./sandbox_info.ts";
import type { OperationOptions, Release, TakePlace } from "./operation_options.ts";
import { asRequest } from "./store_waits.ts";

/** The sandbox that a request addresses, and how. */
export interface Addressed {
  readonly address: SandboxAddress;
  /** How to read the body. The binding applies only to runs and new contexts. */
  readonly body: BodyOptions;
  /**
   * Admission of a call that runs no code, after its body is read. Admitted at once when undefined.
   */
  readonly takePlace: TakePlace | undefined;
  /** Listens to a run, for a gateway that answers its caller itself. */
  readonly listener: RunListener | undefined;
}

interface SandboxEnv {
  readonly Bindings: Addressed;
}

/** Answers requests to sandboxes. Its methods never reject. */
export interface SandboxApp {
  /** Answers a request of any route. */
  fetch(request: Request, addressed: Addressed): Promise<Response>;
  /** Answers a request for a run as one JSON object. Its path, method and signal are ignored. */
  run(request: Request, addressed: Addressed, signal: AbortSignal): Promise<Response>;
}

/** Creates the routes of all sandboxes. */
export function createSandboxApp(options: OperationOptions): SandboxApp {
  const app = new Hono<SandboxEnv>({ getPath: routingPath });
  const mapping = {
    clock: options.clock,
    onUnexpected: (thrown: unknown) =>
      options.log("error", "request failed", describeCause(thrown)),
  };
  installErrorMapping(app, mapping);
  const read = sandboxReaders(options.limits);
  const run = async (
    request: Request,
    { address, body, takePlace, listener }: Addressed,
    audience: RunAudience,
  ): Promise<Response> => {
    const conditions = runConditions(request.headers);
    const { contextName } = body;
    const asked = { ...await read.execute(request, body), contextName };
    const call = { listener, ...audience, conditions, takePlace };
    return await runInSandbox(options, address, asked, call);
  };
  app.post(EXECUTE_PATH, checkHeader, (context) => {
    const { req: { raw }, env } = context;
    return answerRun(context, mapping, (audience) => run(raw, env, audience));
  });
  installRoutes(app, options, read);
  installFileRoutes(app, options);
  return {
    fetch: (request, addressed) =>
      asRequest(options, async () => await app.fetch(request, addressed)),
    run: (request, addressed, signal) =>
      answerWith(mapping, () =>
        asRequest(options, async () => {
          checkNamed(request.headers.get(SANDBOX_ID_HEADER), addressed);
          const body = { ...addressed.body, signal };
          return await run(request, { ...addressed, body }, { signal });
        })),
  };
}

/**
 * The header catches a request that reached the wrong sandbox. Each route checks it before its
 * work, so that unknown paths and methods are reported first.
 */
const checkHeader: MiddlewareHandler<SandboxEnv> = async ({ req, env }, next) => {
  checkNamed(req.raw.headers.get(SANDBOX_ID_HEADER), env);
  await next();
};

function checkNamed(named: string | null, { address }: Addressed): void {
  if (named !== null && named !== address.id) {
    throw validationFailed(`${SANDBOX_ID_HEADER} names another sandbox than the one addressed`);
  }
}

function installRoutes(
  app: Hono<SandboxEnv>,
  options: OperationOptions,
  read: SandboxReaders,
): void {
  app.post(CONTEXTS_PATH, checkHeader, async ({ req, env }) => {
    const request = await read.createContext(req.raw, env.body);
    return await inPlace(env, req.raw, async (address) => {
      return jsonResponse(await createContext(options, address, request), { status: 201 });
    });
  });
  app.get(CONTEXTS_PATH, checkHeader, ({ req, env }) =>
    inPlace(env, req.raw, async (address) => {
      const state = await options.changes.current(address);
      await options.changes.use(state);
      return jsonResponse({ contexts: contextInfos(state.record) });
    }));
  app.delete(
    `${CONTEXTS_PATH}/:id`,
    checkHeader,
    ({ req, env }) =>
      inPlace(env, req.raw, async (address) => {
        await deleteContext(options, address, req.param("id"));
        return jsonResponse({ success: true });
      }),
  );
  installForkRoutes(app, options, read);
  app.post(ENV_PATH, checkHeader, async ({ req, env }) => {
    const request = await read.env(req.raw, unforced(env));
    return await inPlace(env, req.raw, async (address) => {
      await changeEnv(options, address, request);
      return jsonResponse({ success: true });
    });
  });
  app.post(FILES_PATH, checkHeader, async ({ req, env }) => {
    const request = await read.files(req.raw, unforced(env));
    return await inPlace(env, req.raw, (address) => operateOnFiles(options, address, request));
  });
  app.get(
    "/",
    checkHeader,
    ({ req, env }) =>
      inPlace(env, req.raw, async (address) => jsonResponse(await sandboxInfo(options, address))),
  );
  app.delete("/", checkHeader, ({ req, env }) =>
    inPlace(env, req.raw, async (address) => {
      await deleteSandbox(options, address);
      return jsonResponse({ success: true });
    }));
}

/** The routes of forks and checkpoints. */
function installForkRoutes(
  app: Hono<SandboxEnv>,
  options: OperationOptions,
  read: SandboxReaders,
): void {
  app.post(`${CONTEXTS_PATH}/:id${FORK_PATH}`, checkHeader, async ({ req, env }) => {
    await read.forkContext(req.raw, unforced(env));
    return await inPlace(env, req.raw, async (address) => {
      return jsonResponse(await forkContext(options, address, req.param("id")), { status: 201 });
    });
  });
  app.post(FORK_PATH, checkHeader, async ({ req, env }) => {
    const { to } = await read.forkSandbox(req.raw, unforced(env));
    return await inPlace(env, req.raw, async (address) => {
      return jsonResponse(await forkSandbox(options, address, to), { status: 201 });
    });
  });
  app.post(CHECKPOINTS_PATH, checkHeader, async ({ req, env }) => {
    const { name } = await read.checkpoint(req.raw, unforced(env));
    return await inPlace(env, req.raw, async (address) => {
      return jsonResponse(await createCheckpoint(options, address, name), { status: 201 });
    });
  });
  app.get(
    CHECKPOINTS_PATH,
    checkHeader,
    ({ req, env }) =>
      inPlace(env, req.raw, async (address) => {
        return jsonResponse({ checkpoints: await checkpointInfos(options, address) });
      }),
  );
  app.delete(
    `${CHECKPOINTS_PATH}/:id`,
    checkHeader,
    ({ req, env }) =>
      inPlace(env, req.raw, async (address) => {
        await deleteCheckpoint(options, address, req.param("id"));
        return jsonResponse({ success: true });
      }),
  );
  app.post(
    `${CHECKPOINTS_PATH}/:id/restore`,
    checkHeader,
    ({ req, env }) =>
      inPlace(env, req.raw, async (address) => {
        await restoreCheckpoint(options, address, req.param("id"));
        return jsonResponse({ success: true });
      }),
  );
}

/** The routes of the bytes of files. */
function installFileRoutes(app: Hono<SandboxEnv>, options: OperationOptions): void {
  const { limits } = options;
  app.get(FILE_ROUTE, checkHeader, ({ req: { raw }, env }) => {
    const request = readFileRequest(raw, "read", limits);
    return inPlace(env, raw, (address) => sendFile(options, address, request, raw.headers));
  });
  app.put(FILE_ROUTE, checkHeader, async ({ req: { raw }, env }) => {
    const upload = await readUpload(raw, unforced(env), limits);
    return await inPlace(env, raw, (address) => storeFile(options, address, upload));
  });
  app.delete(FILE_ROUTE, checkHeader, ({ req: { raw }, env }) => {
    const request = readFileRequest(raw, "delete", limits);
    return inPlace(env, raw, (address) => removeFile(options, address, request));
  });
}

/** Runs a call once it has a place. If the caller has disconnected by then, nothing is done. */
async function inPlace(
  { address, takePlace }: Addressed,
  { signal }: Request,
  work: (address: SandboxAddress) => Promise<Response>,
): Promise<Response> {
  if (takePlace === undefined) return await work(address);
  let leave: Release;
  try {
    leave = await takePlace(signal);
  } catch (thrown) {
    if (signal.aborted && thrown === signal.reason) return clientGone();
    throw thrown;
  }
  try {
    return await work(address);
  } finally {
    leave();
  }
}

/** The body options without a binding, which only runs and contexts have. */
function unforced({ body: { meter } }: Addressed): BodyOptions {
  return meter === undefined ? {} : { meter };
}
