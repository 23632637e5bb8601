/**
 * All routes of a sandbox (docs/contract.md#sandbox-routes). The app serves them, and the gateway
 * describes them in its OpenAPI document.
 *
 * @module
 */
import { ENV_PATH, FILES_PATH } from "../client/protocol/paths.ts";
import { SANDBOX_LIMITS } from "../shared/limits.ts";
import { CHECKPOINT_ROUTES } from "./checkpoint_routes.ts";
import {
  CONTEXT_HISTORY_ROUTE,
  CONTEXT_ROUTES,
  FORK_CONTEXT_ROUTE,
  INSPECTION_ROUTES,
  NOTEBOOK_ROUTES,
} from "./context_routes.ts";
import { deleteSandbox } from "./deletion.ts";
import { FILE_ROUTES } from "./file_routes.ts";
import { operateOnFiles } from "./files.ts";
import { bodyRoute, inPlace, route, type SandboxRoute } from "./route.ts";
import { RUN_ROUTES, TOOL_ROUTES } from "./run_routes.ts";
import { changeEnv, sandboxInfo } from "./sandbox_info.ts";

/** The routes, in the order of the document. */
export const SANDBOX_ROUTES: readonly SandboxRoute[] = [
  ...CONTEXT_ROUTES,
  bodyRoute({
    method: "post",
    path: ENV_PATH,
    id: "setEnvVars",
    tag: "Sandbox",
    summary: "Set variables of the sandbox",
    description: "They apply to all its contexts, and come to at most " +
      `${SANDBOX_LIMITS.envLayerBytes} bytes.`,
    body: "EnvRequest",
    success: { description: "The variables are set.", schema: "Done" },
    errors: ["call", "body", "quota"],
    work: async ({ options, address }, body) => {
      await changeEnv(options, address, body);
      return { success: true };
    },
  }),
  {
    method: "post",
    path: FILES_PATH,
    id: "files",
    tag: "Sandbox",
    summary: "Work with the files",
    description: "Files are below `/workspace`; there is no way out of it. No operation waits " +
      "for a run.",
    body: { schema: "FileRequest" },
    success: { description: "The operation succeeded.", schema: "FileAnswer" },
    errors: ["call", "longBody", "file", "quota"],
    answer: async (context, { options, read }) => {
      const request = await read.FileRequest(context.req.raw, context.env.body);
      return await inPlace(context, (address) => operateOnFiles(options, address, request));
    },
  },
  route({
    method: "get",
    path: "/",
    id: "sandboxInfo",
    tag: "Sandbox",
    summary: "Show a sandbox",
    description: "A sandbox that does not exist is shown as empty and is not created.",
    success: { description: "The sandbox.", schema: "SandboxInfo" },
    errors: ["call"],
    work: ({ options, address }) => sandboxInfo(options, address),
  }),
  route({
    method: "delete",
    path: "/",
    id: "deleteSandbox",
    tag: "Sandbox",
    summary: "Delete a sandbox",
    description: "Ends its runs, and wipes its contexts, files and variables. Deleting one " +
      "that does not exist succeeds.",
    success: { description: "It is deleted.", schema: "Done" },
    errors: ["call"],
    work: async ({ options, address }) => {
      await deleteSandbox(options, address);
      return { success: true };
    },
  }),
  FORK_CONTEXT_ROUTE,
  CONTEXT_HISTORY_ROUTE,
  ...NOTEBOOK_ROUTES,
  ...INSPECTION_ROUTES,
  ...RUN_ROUTES,
  ...TOOL_ROUTES,
  ...CHECKPOINT_ROUTES,
  ...FILE_ROUTES,
];
