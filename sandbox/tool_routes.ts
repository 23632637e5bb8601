/**
 * The routes below a sandbox that declare tools (docs/calls.md#declarations): the same as those of the
 * tenant.
 *
 * @module
 */
import { declarationsOf, readTools, toolRouteDescriptions } from "../runs/tool_declarations.ts";
import { inPlace, type SandboxRoute } from "./route.ts";

const { list, declare } = toolRouteDescriptions("sandbox");

/** The routes, in the order of the document. */
export const TOOL_ROUTES: readonly SandboxRoute[] = [
  {
    ...list,
    answer: (context) =>
      inPlace(context, () => Promise.resolve(declarationsOf(context.req.url, []))),
  },
  {
    ...declare,
    answer: async (context) => {
      const { raw, url } = context.req;
      const { meter, signal = raw.signal } = context.env.body;
      const tools = await readTools(raw, { signal, ...(meter === undefined ? {} : { meter }) });
      return await inPlace(context, () => Promise.resolve(declarationsOf(url, tools)));
    },
  },
];
