// test: slow
import { Validator } from "@seriousme/openapi-schema-validator";
import { assert, assertArrayIncludes, assertEquals } from "@std/assert";
import client from "../../client/deno.json" with { type: "json" };
import { ERROR_STATUSES } from "../../client/protocol/error_codes.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { echoRuntime } from "../gateway/echo_runtime.ts";
import { codesOf, isJson, objectAt } from "./documented.ts";
import { withGateway } from "./fixture.ts";
import { routesAddedBy } from "./registered_routes.ts";

const SANDBOX = "/languages/{language}/sandboxes/{id}";

/** A route of Hono as the document writes it. */
function written(route: string, prefix = ""): string {
  const [method, path = ""] = route.split(" ");
  const inner = path.replace(/:(\w+)(?:\{[^}]+\})?/g, "{$1}");
  return `${method} ${prefix}${prefix !== "" && inner === "/" ? "" : inner}`;
}

Deno.test("openapi: an independent validator finds nothing wrong with the document", async () => {
  await withGateway({}, async ({ service }) => {
    const { valid, errors } = await new Validator().validate({ ...service.document });
    assertEquals([valid, errors], [true, undefined]);
    assertEquals(service.document["openapi"], "3.1.1");
    assertEquals(objectAt(service.document, ["info"])["version"], client.version);
  });
});

Deno.test("openapi: the document has every registered route, and no other", async () => {
  let documented: readonly string[] = [];
  const apps = await routesAddedBy(() =>
    withGateway({}, ({ service }) => {
      documented = service.operations.map(({ method, path }) => `${method} ${path}`);
      return Promise.resolve();
    })
  );
  const appWith = (route: string) => [...apps.find((routes) => routes.has(route)) ?? []];
  // The gateway hands on whatever is below a sandbox's path.
  const own = appWith("GET /healthz").filter((route) => !route.includes("/sandboxes/"));
  const sandboxes = appWith("POST /files");
  const expected = [
    ...own.map((route) => written(route)),
    ...sandboxes.map((route) => written(route, SANDBOX)),
  ];
  assertEquals([...documented].sort(), expected.sort());
  assertEquals(documented.length, 52);
});

Deno.test("openapi: each path answers OPTIONS with the methods of the document", async () => {
  await withGateway({}, async ({ service, send }) => {
    for (const path of new Set(service.operations.map((operation) => operation.path))) {
      const methods = service.operations.filter((operation) => operation.path === path)
        .map(({ method }) => method);
      const concrete = path.replace("{language}", "python").replaceAll(/\{\w+\}/g, "x");
      const { status, headers } = await send(concrete, { method: "OPTIONS" });
      const allowed = (headers.get("allow") ?? "").split(", ");
      const known = allowed.filter((method) => !["HEAD", "OPTIONS"].includes(method));
      assertEquals([path, status, known.sort()], [path, 204, methods.sort()]);
    }
  });
});

Deno.test("openapi: every code and status of the table is in the document, and no other", async () => {
  await withGateway({}, ({ service }) => {
    const documented = new Set(service.operations.flatMap((listed) => {
      const statuses = Object.keys(objectAt(listed.operation, ["responses"]));
      return statuses.filter((status) => Number(status) >= 400)
        .flatMap((status) =>
          codesOf(service.document, listed, status)
            .map((code) => `${code} ${status}`)
        );
    }));
    const table = Object.entries(ERROR_STATUSES).flatMap(([code, statuses]) =>
      statuses.map((status) => `${code} ${status}`)
    );
    assertEquals([...documented].sort(), table.sort());
    return Promise.resolve();
  });
});

Deno.test("openapi: operations have ids of their own, tags that exist, and a summary", async () => {
  await withGateway({}, ({ service: { document, operations } }) => {
    const ids = operations.map(({ operation }) => operation["operationId"]);
    assertEquals(new Set(ids).size, operations.length);
    assert(Array.isArray(document["tags"]));
    const tags: unknown[] = document["tags"].map((tag) => tag.name);
    for (const { operation } of operations) {
      assert(Array.isArray(operation["tags"]));
      assertArrayIncludes(tags, operation["tags"]);
      assert(typeof operation["summary"] === "string" && operation["summary"] !== "");
    }
    return Promise.resolve();
  });
});

Deno.test("openapi: every example matches its schema", async () => {
  await withGateway({}, ({ service }) => {
    const count = visitExamples(service.document, [], (place, value) => {
      service.checkValue([...place, "schema"], value, place.join(" "));
    });
    assert(count > 60, String(count));
    return Promise.resolve();
  });
});

/** Calls `visit` for the examples of each body in a document; gives their number. */
function visitExamples(
  value: unknown,
  place: readonly string[],
  visit: (place: readonly string[], example: unknown) => void,
): number {
  if (!isJson(value)) return 0;
  let count = 0;
  if ("schema" in value && isJson(value["examples"])) {
    for (const example of Object.values(value["examples"])) {
      visit(place, objectAt(example, [])["value"]);
      count++;
    }
    return count;
  }
  for (const [name, inner] of Object.entries(value)) {
    count += visitExamples(inner, [...place, name], visit);
  }
  return count;
}

Deno.test("openapi: every schema of the document is used", async () => {
  await withGateway({}, ({ service: { document } }) => {
    const text = JSON.stringify(document);
    for (const kind of ["schemas", "responses", "headers"]) {
      for (const name of Object.keys(objectAt(document, ["components", kind]))) {
        assert(text.includes(`"#/components/${kind}/${name}"`), `${kind} ${name}`);
      }
    }
    return Promise.resolve();
  });
});

Deno.test("openapi: the document says which routes need a token", async () => {
  await withGateway({}, ({ service }) => {
    assertEquals(service.document["security"], [{}, { bearer: [] }]);
    return Promise.resolve();
  });
  const authenticate = createAuthenticator([{ tenant: "t", token: "secret" }]);
  const headers = { authorization: "Bearer secret" };
  await withGateway({ gateway: { authenticate }, headers }, async ({ service, send }) => {
    assertEquals(service.document["security"], [{ bearer: [] }]);
    for (const { path, method, operation } of service.operations) {
      const answer = await send(path.replaceAll(/[{}]/g, ""), {
        method,
        headers: { authorization: "" },
      });
      const needed = operation["security"] === undefined;
      assertEquals([path, answer.status === 401], [path, needed]);
      await service.check(method, path, answer);
    }
  });
});

Deno.test("openapi: paths name the enabled languages only", async () => {
  const runtimes = new Map([["perl", echoRuntime("perl")]] as const);
  await withGateway({ gateway: { runtimes } }, ({ service: { document } }) => {
    const { parameters } = objectAt(document, ["paths", "/execute/{language}", "post"]);
    assert(Array.isArray(parameters));
    assertEquals(parameters.map(({ schema }) => schema.enum), [["perl"]]);
    const fields = ["components", "schemas", "ExecuteRequest", "properties"];
    assertEquals(objectAt(document, [...fields, "language"])["enum"], ["perl", "pl"]);
    return Promise.resolve();
  });
});
