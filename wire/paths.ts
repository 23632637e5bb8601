/**
 * The paths of the service, and the placeholder hosts of calls that stay inside it.
 *
 * It has no dependency, so the published client can use it.
 *
 * @module
 */

/** `POST`: a stateless run (contract, sections B and D). */
export const EXECUTE_PATH = "/execute";

/** `GET`: the probe of a runtime (contract, section B). */
export const INTERPRETER_PATH = "/interpreter";

/** `GET`: the languages of a gateway (contract, section D). */
export const LANGUAGES_PATH = "/languages";

/** `GET`: whether the service and its isolates are up. The only route without a token. */
export const HEALTH_PATH = "/healthz";

/** Origin of requests to a runtime binding. The binding decides where they go; the host never does. */
export const RUNTIME_ORIGIN = "http://runtime.internal";
