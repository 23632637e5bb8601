import { assertEquals, assertMatch } from "@std/assert";
import { Hono } from "hono";
import { installErrorMapping } from "../../shared/error_mapping.ts";
import { ServiceError, validationFailed } from "../../shared/errors.ts";
import { jsonResponse } from "../../shared/responses.ts";

const clock = () => 0;

/** An app whose `GET /thrown` throws a value. Collects what was unexpected. */
function appThrowing(thrown: unknown): { app: Hono; unexpected: unknown[] } {
  const unexpected: unknown[] = [];
  const app = new Hono();
  installErrorMapping(app, { clock, onUnexpected: (cause) => unexpected.push(cause) });
  app.get("/thrown", () => {
    throw thrown;
  });
  app.get("/rejected", () => Promise.reject(thrown));
  return { app, unexpected };
}

Deno.test("error mapping: a service error is answered as it is and is not unexpected", async () => {
  const { app, unexpected } = appThrowing(validationFailed("no", 413, { "x-test": "1" }));
  const response = await app.request("/thrown");
  assertEquals(response.status, 413);
  assertEquals(response.headers.get("x-test"), "1");
  assertEquals((await response.json()).message, "no");
  assertEquals(unexpected, []);
});

const oddities: Record<string, unknown> = {
  "an error": new RangeError("/secret/path"),
  "text": "secret",
  "undefined": undefined,
  "null": null,
  "an object": { secret: true },
};

for (const [name, thrown] of Object.entries(oddities)) {
  for (const path of ["/thrown", "/rejected"]) {
    Deno.test(`error mapping: ${name} from ${path} gives a fixed text and is reported`, async () => {
      const { app, unexpected } = appThrowing(thrown);
      const response = await app.request(path);
      assertEquals(response.status, 500);
      assertEquals(await response.json(), {
        code: "INTERNAL_ERROR",
        message: "The service failed to handle this request",
        context: {},
        httpStatus: 500,
        timestamp: "1970-01-01T00:00:00.000Z",
      });
      assertEquals(unexpected, [thrown]);
    });
  }
}

Deno.test("error mapping: a 404 of a route's own is left alone", async () => {
  const { app } = appThrowing(undefined);
  app.delete("/contexts/:id", () => {
    throw new ServiceError("CONTEXT_NOT_FOUND", "No such context", { context: { contextId: "a" } });
  });
  app.get("/gone", () => jsonResponse({ gone: true }, { status: 404 }));
  const thrown = await app.request("/contexts/a", { method: "DELETE" });
  assertEquals([thrown.status, (await thrown.json()).code], [404, "CONTEXT_NOT_FOUND"]);
  const answered = await app.request("/gone");
  assertEquals([answered.status, await answered.json()], [404, { gone: true }]);
});

Deno.test("error mapping: other methods of a path with several routes are all in Allow", async () => {
  const { app } = appThrowing(undefined);
  app.get("/things/:id", () => jsonResponse({}));
  app.on(["POST", "DELETE"], "/things/*", () => jsonResponse({}));
  const response = await app.request("/things/1", { method: "PATCH" });
  assertEquals(response.status, 405);
  assertMatch((await response.json()).message, /GET, HEAD, POST, DELETE, OPTIONS/);
  assertEquals(response.headers.get("allow"), "GET, HEAD, POST, DELETE, OPTIONS");
});

Deno.test("error mapping: middleware that refuses comes before 404 and 405", async () => {
  const { app } = appThrowing(undefined);
  app.use(() => {
    throw new ServiceError("UNAUTHORIZED", "no token");
  });
  app.post("/things", () => jsonResponse({}));
  for (const path of ["/things", "/nothing"]) {
    assertEquals((await app.request(path)).status, 401);
  }
});
