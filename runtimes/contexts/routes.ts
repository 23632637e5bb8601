/**
 * The routes of the context host (docs/contract.md#runtime-routes): sandboxes create and delete
 * contexts through them.
 *
 * @module
 */
import type { Hono } from "hono";
import { z } from "zod";
import { INTERPRETERS_PATH } from "../../client/protocol/paths.ts";
import { BODY_DEADLINE_MS } from "../../shared/limits.ts";
import { readJsonObject } from "../../shared/read_body.ts";
import { jsonResponse } from "../../shared/responses.ts";
import { parseBody } from "../../shared/schemas.ts";
import type { ContextHost, ForkOrder } from "./context_host.ts";

/** Maximum length of a body, which holds an id and a path. */
const BODY = { maxBytes: 16 * 1024, deadlineMs: BODY_DEADLINE_MS };

interface NewContext {
  readonly id: string;
  readonly cwd: string;
}

const newContextSchema: z.ZodType<NewContext, unknown> = z.object({
  id: z.string("id must be a string"),
  cwd: z.string("cwd must be a string"),
});

const forkSchema: z.ZodType<ForkOrder, unknown> = z.object({
  key: z.string("key must be a string"),
  id: z.string("id must be a string"),
  snapshot: z.string("snapshot must be a string"),
  behind: z.boolean("behind must be a boolean"),
});

/** Adds the routes to a runtime's app. */
export function installInterpreterRoutes(app: Hono, interpreter: ContextHost): void {
  const contexts = `${INTERPRETERS_PATH}/:key/contexts`;
  app.post(contexts, async (context) => {
    const body = parseBody(newContextSchema, await readJsonObject(context.req.raw, BODY));
    const created = await interpreter.create(context.req.param("key"), body);
    return jsonResponse(created, { status: 201 });
  });
  app.post(`${contexts}/:id/fork`, async (context) => {
    const order = parseBody(forkSchema, await readJsonObject(context.req.raw, BODY));
    await interpreter.fork(context.req.param("key"), context.req.param("id"), order);
    return jsonResponse({ success: true }, { status: 201 });
  });
  app.delete(`${contexts}/:id`, async (context) => {
    await interpreter.delete(context.req.param("key"), context.req.param("id"));
    return jsonResponse({ success: true });
  });
  app.delete(`${INTERPRETERS_PATH}/:key`, async (context) => {
    await interpreter.wipe(context.req.param("key"));
    return jsonResponse({ success: true });
  });
}
