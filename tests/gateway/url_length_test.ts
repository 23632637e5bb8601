import { assertEquals } from "@std/assert";
import { PATH_SLASHES, URL_LENGTH } from "../../shared/limits.ts";
import { assertFailure } from "../sandbox/fixture.ts";
import { testGateway } from "./test_gateway.ts";

const PATHS = ["/healthz", "/execute/python", "/sandboxes", "/none", "/e2b/files"];

Deno.test("gateway: a URL of more than 32,768 characters is 400, with any escapes", async () => {
  const gateway = testGateway();
  for (const path of PATHS) {
    for (const text of ["x", "%ff", "/%2e%2e", "?%41%ff", "&a="]) {
      const url = `http://localhost:8000${path}?${text.repeat(URL_LENGTH)}`.slice(
        0,
        URL_LENGTH + 1,
      );
      const answer = await gateway(new Request(url));
      await assertFailure(answer, 400, "VALIDATION_FAILED");
    }
  }
});

Deno.test("gateway: a URL of 32,768 characters is read", async () => {
  const url = `http://localhost:8000/healthz?${"x".repeat(URL_LENGTH)}`.slice(0, URL_LENGTH);
  const answer = await testGateway()(new Request(url));
  assertEquals(answer.status, 200);
});

Deno.test("gateway: a path of more than 1,024 slashes is 400, whatever stands between them", async () => {
  const gateway = testGateway();
  for (const path of PATHS) {
    for (const text of ["/", "/a", "/%2F"]) {
      const url = `http://localhost:8000${path}${text.repeat(PATH_SLASHES)}`;
      await assertFailure(await gateway(new Request(url)), 400, "VALIDATION_FAILED");
    }
  }
});

Deno.test("gateway: slashes of a query do not count, and a path of 1,024 slashes is looked for", async () => {
  const gateway = testGateway();
  const query = await gateway(new Request(`http://localhost:8000/healthz?${"/".repeat(2_000)}`));
  assertEquals(query.status, 200);
  const none = `http://localhost:8000/none${"/".repeat(PATH_SLASHES - 1)}`;
  await assertFailure(await gateway(new Request(none)), 404, "VALIDATION_FAILED");
});
