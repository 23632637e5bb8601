/**
 * The routes below a sandbox that declare tools (docs/calls.md#declarations): the same as those of the
 * tenant.
 *
 * @module
 */
import {
  declarationsOf,
  readTools,
  toolList,
  toolRouteDescriptions,
} from "../runs/tool_declarations.ts";
import { inPlace, type SandboxRoute } from "./route.ts";

const { list, declare } = toolRouteDescriptions("sandbox");

/** The routes, in the order of the document. */
export const TOOL_ROUTES: readonly SandboxRoute[] = [
  {
    ...list,
    answer: (context, { options }) =>
      inPlace(
        context,
        ({ tenant }) =>
          Promise.resolve(toolList(context.req.url, options.waiting.tools.of(tenant))),
      ),
  },
  {
    ...declare,
    answer: async (context, { options }) => {
      const { raw, url } = context.req;
      const { address: { tenant }, body: { meter, signal = raw.signal } } = context.env;
      const owner = { signal, ...(meter === undefined ? {} : { meter }) };
      const tools = await readTools(raw, owner, () => options.waiting.tools.of(tenant));
      return await inPlace(context, () => Promise.resolve(declarationsOf(url, tools)));
    },
  },
];
