/**
 * The paths of the service, the placeholder hosts of internal calls, and the path of a guest's
 * files.
 *
 * It has no dependency, because it is published with the client.
 *
 * @module
 */

/** `POST`: a stateless run (docs/contract.md#gateway-routes). */
export const EXECUTE_PATH = "/execute";

/** `GET`: the probe of a runtime (docs/contract.md#runtime-routes). */
export const INTERPRETER_PATH = "/interpreter";

/** `GET`: the languages of a gateway (docs/contract.md#gateway-routes). */
export const LANGUAGES_PATH = "/languages";

/** `GET`: the sandboxes of the caller's tenant (docs/contract.md#listing-of-sandboxes). */
export const SANDBOXES_PATH = "/sandboxes";

/** `GET`: whether the service and its isolates are up. The only route without a token. */
export const HEALTH_PATH = "/healthz";
/** Whether the service can work. */
export const READY_PATH = "/readyz";
/** The use of the service. */
export const USAGE_PATH = "/usage";
/** Metrics for Prometheus. */
export const METRICS_PATH = "/metrics";

/**
 * Origin of requests to a runtime binding. The binding decides where they go; the host never does.
 */
export const RUNTIME_ORIGIN = "http://runtime.internal";

/**
 * Base path of the contexts that a runtime holds for sandboxes (docs/contract.md#runtime-routes).
 */
export const INTERPRETERS_PATH = "/interpreters";

/** Origin of requests to a sandbox. The namespace decides where they go; the host never does. */
export const SANDBOX_ORIGIN = "https://sandbox.internal";

/** Header that names the addressed sandbox (docs/contract.md#sandbox-routes). */
export const SANDBOX_ID_HEADER = "x-sandbox-id";

/**
 * Header of every answer about a sandbox: a hash of its name, for proxies
 * (docs/contract.md#routing).
 */
export const SANDBOX_ROUTE_HEADER = "sandbox-route";

/** Header that names a run, so that it can be repeated safely (docs/contract.md#idempotency). */
export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";

/** Header of an answer that was kept from an earlier run (docs/contract.md#idempotency). */
export const IDEMPOTENCY_REPLAYED_HEADER = "idempotency-replayed";

/**
 * `GET`, `POST`, and `DELETE` with an id: contexts of a sandbox (docs/contract.md#sandbox-routes).
 */
export const CONTEXTS_PATH = "/contexts";

/** `GET` below a context: its latest runs (docs/contract.md#history-of-a-context). */
export const HISTORY_PATH = "/history";

/** `GET` below a context: its variables (docs/contract.md#looking-into-a-context). */
export const VARIABLES_PATH = "/variables";

/** `POST` below a context: completes and explains a name (docs/contract.md#looking-into-a-context). */
export const INSPECT_PATH = "/inspect";

/**
 * `POST` below a sandbox imports a notebook, `GET` below a context exports one
 * (docs/contract.md#notebooks).
 */
export const NOTEBOOK_PATH = "/notebook";

/** `POST`: a fork of a sandbox, or below a context of that (docs/contract.md#forks). */
export const FORK_PATH = "/fork";

/**
 * `GET`, `POST`, `DELETE` with an id, and `POST` with an id and `/restore`: checkpoints of a sandbox
 * (docs/contract.md#checkpoints).
 */
export const CHECKPOINTS_PATH = "/checkpoints";

/**
 * `GET`, `GET` and `DELETE` with an id, and `POST` with an id and `/answers`: runs whose programs can
 * wait, of a tenant or below a sandbox (docs/calls.md#routes).
 */
export const RUNS_PATH = "/runs";

/** `GET` with the id of a run: its calls, of a tenant or below a sandbox (docs/tools.md#journal). */
export const JOURNAL_PATH = "/journal";

/** A request of the page: who decides about a call is told by it. */
export const PAGE_HEADER = "x-belljar-page";

/**
 * `GET` and `POST`: declarations of tools, of a tenant or below a sandbox (docs/calls.md#declarations).
 */
export const TOOLS_PATH = "/tools";

/** `POST`: variables of a sandbox (docs/contract.md#environment-variables). */
export const ENV_PATH = "/env";

/**
 * `POST`: one operation on a file of a sandbox (docs/contract.md#files). `GET`, `PUT` and `DELETE`
 * with a path below it: the bytes of a file (docs/contract.md#files-as-bytes).
 */
export const FILES_PATH = "/files";

/** The root of every workspace, in which programs start. It is not an entry of the workspace. */
export const WORKSPACE = "/workspace";
