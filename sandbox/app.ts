/**
 * The routes of a sandbox (docs/contract.md#sandbox-routes).
 *
 * `sandbox/` owns what users hold in their hands: contexts, files, variables and the commits that
 * keep them together. It may know of `store/` and `wire/`; it must not know how code is run: a
 * runtime is a `RuntimeBinding`.
 *
 * @module
 */
import { Hono, type MiddlewareHandler } from "hono";
import { installErrorMapping } from "../wire/error_mapping.ts";
import { validationFailed } from "../wire/errors.ts";
import { describeCause } from "../wire/log.ts";
import {
  CONTEXTS_PATH,
  ENV_PATH,
  EXECUTE_PATH,
  FILES_PATH,
  SANDBOX_ID_HEADER,
} from "../wire/paths.ts";
import { jsonResponse } from "../wire/responses.ts";
import type { ContextClaims } from "./context_claim.ts";
import { contextInfos, createContext, deleteContext } from "./contexts.ts";
import { deleteSandbox } from "./deletion.ts";
import { execute } from "./execute.ts";
import { operateOnFiles } from "./files.ts";
import { type BodyOptions, sandboxReaders } from "./requests.ts";
import type { SandboxAddress } from "./root_record.ts";
import { changeEnv, sandboxInfo } from "./sandbox_info.ts";
import type { SandboxParts } from "./sandbox_parts.ts";
import { asRequest } from "./store_waits.ts";

/** Which sandbox a request is addressed to, and how. */
export interface Addressed {
  readonly address: SandboxAddress;
  /** How its body is read. The binding goes for runs and new contexts only. */
  readonly body: BodyOptions;
}

interface SandboxEnv {
  readonly Bindings: Addressed;
}

/** Answers a request to a sandbox. Never rejects. */
export type SandboxHandler = (request: Request, addressed: Addressed) => Promise<Response>;

/** Makes the routes of all sandboxes. */
export function createSandboxApp(parts: SandboxParts, claims: ContextClaims): SandboxHandler {
  const app = new Hono<SandboxEnv>();
  installErrorMapping(app, {
    clock: parts.clock,
    onUnexpected: (thrown) => parts.log("error", "request failed", describeCause(thrown)),
  });
  installRoutes(app, parts, claims);
  return (request, addressed) => asRequest(parts, async () => await app.fetch(request, addressed));
}

/**
 * The header is there to catch a request that went to another sandbox than it was meant for. It
 * stands before the work of each route, so that paths and methods that are none are told first.
 */
const checkHeader: MiddlewareHandler<SandboxEnv> = async ({ req, env }, next) => {
  const named = req.header(SANDBOX_ID_HEADER);
  if (named !== undefined && named !== env.address.id) {
    throw validationFailed(`${SANDBOX_ID_HEADER} names another sandbox than the one addressed`);
  }
  await next();
};

function installRoutes(
  app: Hono<SandboxEnv>,
  parts: SandboxParts,
  claims: ContextClaims,
): void {
  const read = sandboxReaders(parts.limits);
  app.post(EXECUTE_PATH, checkHeader, async ({ req, env: { address, body } }) => {
    const request = await read.execute(req.raw, body);
    return await execute({ parts, claims }, address, request, req.raw.signal);
  });
  app.post(CONTEXTS_PATH, checkHeader, async ({ req, env: { address, body } }) => {
    const request = await read.createContext(req.raw, body);
    return jsonResponse(await createContext(parts, address, request), { status: 201 });
  });
  app.get(CONTEXTS_PATH, checkHeader, async ({ env: { address } }) => {
    const state = await parts.changes.current(address);
    await parts.changes.use(state);
    return jsonResponse({ contexts: contextInfos(state.record) });
  });
  app.delete(`${CONTEXTS_PATH}/:id`, checkHeader, async ({ req, env: { address } }) => {
    await deleteContext(parts, address, req.param("id"));
    return jsonResponse({ success: true });
  });
  app.post(ENV_PATH, checkHeader, async ({ req, env }) => {
    await changeEnv(parts, env.address, await read.env(req.raw, unforced(env)));
    return jsonResponse({ success: true });
  });
  app.post(FILES_PATH, checkHeader, async ({ req, env }) => {
    return jsonResponse(
      await operateOnFiles(parts, env.address, await read.files(req.raw, unforced(env))),
    );
  });
  app.get("/", checkHeader, async ({ env }) => jsonResponse(await sandboxInfo(parts, env.address)));
  app.delete("/", checkHeader, async ({ env }) => {
    await deleteSandbox(parts, env.address);
    return jsonResponse({ success: true });
  });
}

/** Without a binding, which only runs and contexts have. */
function unforced({ body: { meter } }: Addressed): BodyOptions {
  return meter === undefined ? {} : { meter };
}
