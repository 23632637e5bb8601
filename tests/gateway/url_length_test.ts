import { assertEquals } from "@std/assert";
import { URL_LENGTH } from "../../shared/limits.ts";
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
