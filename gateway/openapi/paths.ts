/**
 * Where the gateway serves the description of itself.
 *
 * @module
 */

/** `GET`: the OpenAPI document. */
export const OPENAPI_PATH = "/openapi.json";

/** `GET`: the same as a page. */
export const DOCS_PATH = "/docs";
