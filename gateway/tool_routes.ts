/**
 * The routes that declare the tools of a tenant (docs/calls.md#declarations).
 *
 * @module
 */
import {
  declarationsOf,
  readTools,
  toolList,
  toolRouteDescriptions,
} from "../runs/tool_declarations.ts";
import { anySignal, type CallOptions } from "./admitted_call.ts";
import { type GatewayRoute, inCallPlace } from "./route.ts";

/** Creates the routes. */
export function toolRoutes(
  { bodies, calls, runs, stopping }: CallOptions,
): readonly GatewayRoute[] {
  const { list, declare } = toolRouteDescriptions("tenant");
  return [
    {
      ...list,
      answer: inCallPlace(
        calls,
        (context) => toolList(context.req.url, runs.tools.of(context.get("tenant"))),
      ),
    },
    {
      ...declare,
      answer: async (context) => {
        const { raw, url } = context.req;
        const tenant = context.get("tenant");
        using meter = bodies.open(tenant);
        using either = anySignal(raw.signal, stopping);
        const owner = { meter, signal: either.signal };
        const tools = await readTools(raw, owner, () => runs.tools.of(tenant));
        return await inCallPlace(calls, () => declarationsOf(url, tools))(context);
      },
    },
  ];
}
