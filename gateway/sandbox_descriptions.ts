/**
 * The routes of sandboxes as callers of the gateway see them.
 *
 * @module
 */
import { z } from "zod";
import { SANDBOX_ID_HEADER, SANDBOX_ROUTE_HEADER } from "../client/protocol/paths.ts";
import type { Language } from "../client/protocol/types.ts";
import { SANDBOX_ROUTES } from "../sandbox/routes.ts";
import { SANDBOX_NAME } from "../sandbox/sandbox_name.ts";
import type { RouteDescription, Success } from "../shared/route.ts";
import { SANDBOX_PATH } from "./sandbox_path.ts";

/** The descriptions, with the gateway's part of the path and its errors. */
export function sandboxDescriptions(languages: readonly Language[]): readonly RouteDescription[] {
  const language = z.enum(languages)
    .describe("The language. All of them lead to the same sandbox.");
  const id = z.string().max(SANDBOX_NAME.maxLength).regex(SANDBOX_NAME.pattern)
    .describe("Name of the sandbox. The first use creates it.");
  const named = z.string().optional()
    .describe("Must equal the id if present: a request that reaches another sandbox is refused.");
  return SANDBOX_ROUTES.map((route) => ({
    ...route,
    path: `${SANDBOX_PATH}${route.path === "/" ? "" : route.path}`,
    pathParameters: { language, id, ...route.pathParameters },
    headerParameters: { [SANDBOX_ID_HEADER]: named, ...route.headerParameters },
    success: withRouteHeader(route.success),
    others: route.others?.map(withRouteHeader) ?? [],
    errors: ["common", "token", "language", "parameter", "sandbox", ...route.errors],
  }));
}

function withRouteHeader(answer: Success): Success {
  return { ...answer, headers: { ...answer.headers, [SANDBOX_ROUTE_HEADER]: "SandboxRoute" } };
}
