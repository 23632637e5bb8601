/**
 * The routes that Hono apps are given while something is made.
 *
 * @module
 */
import { SmartRouter } from "hono/router/smart-router";

/** Does `work` and gives the routes of each app made meanwhile, as `METHOD path`, no middleware. */
export async function routesAddedBy(
  work: () => Promise<void>,
): Promise<readonly ReadonlySet<string>[]> {
  const apps = new Map<unknown, Set<string>>();
  const add = SmartRouter.prototype.add;
  SmartRouter.prototype.add = function (method: string, path: string, handler: unknown) {
    const routes = apps.get(this) ?? new Set();
    if (!(method === "ALL" && /^\/?\*$/.test(path))) routes.add(`${method} ${path}`);
    apps.set(this, routes);
    return add.call(this, method, path, handler);
  };
  try {
    await work();
  } finally {
    SmartRouter.prototype.add = add;
  }
  return [...apps.values()];
}
