/**
 * The routes that declare the tools of a tenant (docs/calls.md#declarations).
 *
 * @module
 */
import { declarationsOf, readTools, toolRouteDescriptions } from "../runs/tool_declarations.ts";
import { anySignal, type CallOptions } from "./admitted_call.ts";
import { type GatewayRoute, inCallPlace } from "./route.ts";

/** Creates the routes. The service has no tools of its operator. */
export function toolRoutes({ bodies, calls, stopping }: CallOptions): readonly GatewayRoute[] {
  const { list, declare } = toolRouteDescriptions("tenant");
  return [
    {
      ...list,
      answer: inCallPlace(calls, (context) => declarationsOf(context.req.url, [])),
    },
    {
      ...declare,
      answer: async (context) => {
        const { raw, url } = context.req;
        using meter = bodies.open(context.get("tenant"));
        using either = anySignal(raw.signal, stopping);
        const tools = await readTools(raw, { meter, signal: either.signal });
        return await inCallPlace(calls, () => declarationsOf(url, tools))(context);
      },
    },
  ];
}
