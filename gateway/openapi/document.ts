/**
 * The OpenAPI document of the gateway: assembles its operations and schemas.
 *
 * @module
 */
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import type { RouteDescription } from "../../shared/route.ts";
import { SERVICE_VERSION } from "../health.ts";
import { HEADER_COMPONENTS } from "./headers.ts";
import { Operations } from "./operation.ts";
import type { RequestOptions } from "./request_schemas.ts";
import { documentSchemas, namedSchemas } from "./schemas.ts";

/** Options of a document. */
export interface DocumentOptions extends RequestOptions {
  /** All routes, in the order of the document. */
  readonly routes: readonly RouteDescription[];
  /** Whether requests are answered without a token. */
  readonly open: boolean;
}

/** An OpenAPI document. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const DESCRIPTION = [
  "Runs untrusted programs in JavaScript and TypeScript, Python, Perl, Ruby and, where it is enabled, " +
  "Shell, each in a metered " +
  "WebAssembly interpreter.",
  "A run that fails or hits a limit is a result with status 200 and `error`. Any other status " +
  "has an error as its body, whose `code` says what went wrong.",
  "Every answer but the bytes of files carries `cache-control: no-store`. `HEAD` is answered where `GET` is, and " +
  "`OPTIONS` with the methods of the path in `Allow`.",
].join("\n\n");

/** Creates the document. */
export function gatewayDocument(options: DocumentOptions): OpenApiDocument {
  const { routes, limits, open } = options;
  const schemas = documentSchemas(options);
  return createDocument({
    openapi: "3.1.1",
    info: {
      title: "Belljar",
      version: SERVICE_VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: open ? [{}, { bearer: [] }] : [{ bearer: [] }],
    tags: [
      { name: "Stateless runs", description: "One program in a fresh instance; nothing is kept." },
      { name: "Contexts", description: "Programs that continue with the state of earlier ones." },
      { name: "Sandbox", description: "The files and variables that contexts share." },
      { name: "Runs", description: "Runs whose programs wait for answers of their callers." },
      { name: "Checkpoints", description: "States of a sandbox to go back to." },
      { name: "Service", description: "What the service reports about itself." },
    ],
    paths: pathsObject(routes, new Operations(schemas, limits)),
    components: {
      schemas: namedSchemas(schemas),
      headers: HEADER_COMPONENTS,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A token of `TOKENS`." },
      },
    },
  });
}

function pathsObject(
  routes: readonly RouteDescription[],
  operations: Operations,
): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operations.of(route) };
  }
  return paths;
}
