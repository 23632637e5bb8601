/**
 * The paths of the gateway's own description.
 *
 * @module
 */

/** `GET`: the OpenAPI document. */
export const OPENAPI_PATH = "/openapi.json";

/** `GET`: the same document as an HTML page. */
export const DOCS_PATH = "/docs";
