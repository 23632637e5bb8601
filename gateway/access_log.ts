/**
 * The access log: one line for each request, without contents. A route is named by its pattern, so
 * no name of a sandbox, path of a file or query is in it.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { Log } from "../shared/log.ts";
import { memoryOf } from "../shared/responses.ts";
import { honoPath, type RouteDescription } from "../shared/route.ts";
import type { GatewayEnv } from "./gateway_env.ts";

/** Paths that no description covers. */
const UNDESCRIBED: readonly string[] = ["/", "/page/:file", "/e2b/*", "/jupyter/*"];
const METHODS: ReadonlySet<string> = new Set(
  ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
);
const OTHER = "OTHER";
const NO_ROUTE = "none";

/** Options of the log. */
export interface AccessLogOptions {
  readonly log: Log;
  /** Read with the first request, when all routes are known. */
  readonly routes: () => readonly RouteDescription[];
  /** Monotonic milliseconds. */
  readonly monotonic?: () => number;
}

/** Creates the middleware, which must be the outermost one. */
export function accessLog(
  { log, routes, monotonic = () => performance.now() }: AccessLogOptions,
): MiddlewareHandler<GatewayEnv> {
  let patterns: Patterns | undefined;
  return async (context, next) => {
    const began = monotonic();
    await next();
    patterns ??= new Patterns(routes());
    const { method, path } = context.req;
    const fields = {
      tenant: context.get("tenant"),
      method: METHODS.has(method) ? method : OTHER,
      route: patterns.of(method, path),
      status: context.res.status,
      bytesIn: Number(context.req.header("content-length") ?? 0),
    };
    await counted(context, (bytesOut) => {
      const { fuel } = context.get("account") ?? {};
      log("info", "access", {
        ...fields,
        ms: Math.round(monotonic() - began),
        bytesOut,
        ...(fuel === undefined ? {} : { fuel }),
      });
    });
  };
}

/** The patterns of the routes, by requests. */
class Patterns {
  readonly #router = new TrieRouter<string>();

  constructor(routes: readonly RouteDescription[]) {
    for (const route of routes) {
      const label = honoPath(route).replace("/sandboxes/:id", "/sandboxes/:sandbox")
        .replace(/\{[^{}]*\}/g, "");
      this.#router.add(route.method.toUpperCase(), honoPath(route), label);
    }
    for (const path of UNDESCRIBED) this.#router.add("ALL", path, path);
  }

  /** The pattern of a path; by another method when the route has not this one. */
  of(method: string, path: string): string {
    const methods = method === "HEAD" ? ["GET"] : [method, "GET", "POST", "PUT", "DELETE"];
    for (const one of methods) {
      const label = this.#router.match(one, path)[0][0]?.[0];
      if (label !== undefined) return label;
    }
    return NO_ROUTE;
  }
}

/** Calls with the number of bytes of the answer's body, once they are sent or the caller is gone. */
async function counted(
  context: Context<GatewayEnv>,
  onEnd: (bytes: number) => void,
): Promise<void> {
  const { res } = context;
  if (res.body === null) return onEnd(0);
  const isSmall = res.headers.get("content-type") === "application/json" &&
    memoryOf(res) === undefined;
  if (isSmall) {
    const bytes = await res.arrayBuffer();
    const { status, headers } = res;
    context.res = undefined;
    context.res = new Response(bytes, { status, headers });
    return onEnd(bytes.byteLength);
  }
  let sent = 0;
  let ended = false;
  const end = () => {
    if (!ended) onEnd(sent);
    ended = true;
  };
  const reader = res.body.getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) {
        controller.close();
        return end();
      }
      sent += value.byteLength;
      controller.enqueue(value);
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  const { status, headers } = res;
  context.res = undefined;
  context.res = new Response(body, { status, headers });
}
