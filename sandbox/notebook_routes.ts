/**
 * The routes of notebooks.
 *
 * @module
 */
import { z } from "zod";
import { CONTEXTS_PATH, NOTEBOOK_PATH } from "../client/protocol/paths.ts";
import { NOTEBOOK_LIMITS } from "../shared/notebook_limits.ts";
import { exportNotebook, importNotebook } from "./notebooks.ts";
import { bodyRoute, inPlace, type SandboxRoute } from "./route.ts";

/** The routes, in the order of the document. */
export const NOTEBOOK_ROUTES: readonly SandboxRoute[] = [
  bodyRoute({
    method: "post",
    path: NOTEBOOK_PATH,
    id: "importNotebook",
    tag: "Contexts",
    summary: "Create a context from a notebook",
    description: "The body is an `.ipynb` of format 4, with at most " +
      `${NOTEBOOK_LIMITS.cells} cells and ${NOTEBOOK_LIMITS.bytes} bytes. Nothing runs. Cells, ` +
      "Markdown and outputs are kept with the context, and each run in it becomes a cell, or the " +
      "outputs of the cell with its program.",
    body: "NotebookRequest",
    success: { status: 201, description: "The context.", schema: "ContextInfo" },
    errors: ["call", "longBody", "contextLimit", "quota", "runtime"],
    work: ({ options, address }, body) => importNotebook(options, address, body),
  }),
  {
    method: "get",
    path: `${CONTEXTS_PATH}/{contextId}${NOTEBOOK_PATH}`,
    id: "exportNotebook",
    tag: "Contexts",
    summary: "Export a context as a notebook",
    description: "An `.ipynb` of format 4.5, with outputs. A context that was not made from a " +
      "notebook has the runs of its history.",
    pathParameters: { contextId: z.string().min(1).describe("Id of the context.") },
    success: { description: "The notebook.", schema: "Notebook" },
    errors: ["call", "context"],
    answer: (context, { options }) =>
      inPlace(
        context,
        (address) => exportNotebook(options, address, context.req.param("contextId") ?? ""),
      ),
  },
];
