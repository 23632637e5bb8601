/**
 * The OpenAPI document of the gateway: assembles its operations and schemas.
 *
 * @module
 */
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import clientPackage from "../../client/deno.json" with { type: "json" };
import { SANDBOX_ROUTE_HEADER } from "../../client/protocol/paths.ts";
import { ErrorAnswers } from "./error_answers.ts";
import { fileOperations } from "./file_operations.ts";
import { forkOperations } from "./fork_operations.ts";
import { gatewayOperations } from "./gateway_operations.ts";
import { HEADER_COMPONENTS } from "./headers.ts";
import { listingOperation } from "./listing_operation.ts";
import { mcpOperation } from "./mcp_operation.ts";
import { type Operation, operationObject, type Success } from "./operation.ts";
import type { RequestOptions } from "./request_schemas.ts";
import { SANDBOX_PATH, sandboxOperations } from "./sandbox_operations.ts";
import { documentSchemas, namedSchemas } from "./schemas.ts";

/** What a document depends on. */
export interface DocumentOptions extends RequestOptions {
  /** Whether sandboxes are served. */
  readonly sandboxes: boolean;
  /** Whether `/mcp` is served. */
  readonly mcp: boolean;
  /** Whether requests are answered without a token. */
  readonly open: boolean;
}

/** An OpenAPI document. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Version of the service, which is that of the client. */
const SERVICE_VERSION = clientPackage.version;

const DESCRIPTION = [
  "Runs untrusted programs in JavaScript and TypeScript, Python, Perl and Ruby, each in a metered " +
  "WebAssembly interpreter.",
  "A run that fails or hits a limit is a result with status 200 and `error`. Any other status " +
  "has an error as its body, whose `code` says what went wrong.",
  "Every answer but the bytes of files carries `cache-control: no-store`. `HEAD` is answered where `GET` is, and " +
  "`OPTIONS` with the methods of the path in `Allow`.",
].join("\n\n");

/** Creates the document. */
export function gatewayDocument(options: DocumentOptions): OpenApiDocument {
  const { sandboxes, mcp, open } = options;
  const schemas = documentSchemas(options);
  const operations = [
    ...gatewayOperations(schemas.bodies, options),
    ...(sandboxes
      ? [
        listingOperation(schemas.bodies),
        ...sandboxOperations(schemas.bodies, options),
        ...forkOperations(schemas.bodies, options),
        ...fileOperations(options),
      ].map(withRouteHeader)
      : []),
    ...(mcp ? [mcpOperation()] : []),
  ];
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
      { name: "Checkpoints", description: "States of a sandbox to go back to." },
      { name: "Service", description: "What the service reports about itself." },
    ],
    paths: pathsObject(operations, new ErrorAnswers(schemas.errors)),
    components: {
      schemas: namedSchemas(schemas),
      headers: HEADER_COMPONENTS,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A token of `TOKENS`." },
      },
    },
  });
}

/** The operation, with the header of every answer about a sandbox. */
function withRouteHeader(operation: Operation): Operation {
  const { path, success, others = [] } = operation;
  if (!path.startsWith(SANDBOX_PATH)) return operation;
  const add = (answer: Success): Success => ({
    ...answer,
    headers: { ...answer.headers, [SANDBOX_ROUTE_HEADER]: "SandboxRoute" },
  });
  return { ...operation, success: add(success), others: others.map(add) };
}

function pathsObject(
  operations: readonly Operation[],
  errors: ErrorAnswers,
): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: operationObject(operation, errors),
    };
  }
  return paths;
}
