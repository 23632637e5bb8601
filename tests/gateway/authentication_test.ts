import { assert, assertEquals, assertThrows } from "@std/assert";
import { createAuthenticator, Tokens } from "../../gateway/authentication.ts";
import { ServiceError } from "../../shared/errors.ts";

const authenticate = createAuthenticator([
  { tenant: "a", token: "first" },
  { tenant: "b", token: "second" },
  { tenant: "a", token: "third" },
]);

function tenantOf(authorization: string): string {
  return authenticate(new Headers({ authorization }));
}

Deno.test("authentication: a token names its tenant", () => {
  assertEquals(tenantOf("Bearer first"), "a");
  assertEquals(tenantOf("Bearer second"), "b");
  assertEquals(tenantOf("Bearer third"), "a");
});

Deno.test("authentication: the scheme may be written in any case", () => {
  assertEquals(tenantOf("bearer first"), "a");
  assertEquals(tenantOf("BEARER  first"), "a");
});

const wrong = ["", "Bearer", "Bearer ", "first", "Basic first", "Bearer a:first", "Bearer FIRST"];

for (const authorization of [...wrong, "Bearer firs", "Bearer first second", "Bearer first,x"]) {
  Deno.test(`authentication: ${JSON.stringify(authorization)} is refused`, () => {
    const error = assertThrows(() => tenantOf(authorization), ServiceError);
    assertEquals([error.code, error.status], ["UNAUTHORIZED", 401]);
    assert(error.headers["www-authenticate"]?.startsWith('Bearer realm="belljar"'));
  });
}

Deno.test("authentication: only a token that was sent is called invalid", () => {
  const challenge = (headers: Headers) =>
    assertThrows(() => authenticate(headers), ServiceError).headers["www-authenticate"];
  assertEquals(challenge(new Headers()), 'Bearer realm="belljar"');
  const unknown = new Headers({ authorization: "Bearer unknown" });
  assertEquals(challenge(unknown), 'Bearer realm="belljar", error="invalid_token"');
});

Deno.test("authentication: without credentials everybody is the default tenant", () => {
  assertEquals(createAuthenticator(undefined)(new Headers()), "default");
});

Deno.test("authentication: with an empty list everybody is refused", () => {
  const none = createAuthenticator([]);
  assertThrows(() => none(new Headers({ authorization: "Bearer x" })), ServiceError);
});

Deno.test("authentication: tokens that only approve or administer serve no tenant", () => {
  const tokens = new Tokens([
    { tenant: "a", token: "run" },
    { tenant: "a", token: "approve", role: "approve" },
    { tenant: "admin", token: "admin", role: "admin" },
  ]);
  const withToken = (token: string) => new Headers({ authorization: `Bearer ${token}` });
  const check = createAuthenticator(tokens);
  assertEquals(check(withToken("run")), "a");
  for (const token of ["approve", "admin"]) {
    const error = assertThrows(() => check(withToken(token)), ServiceError);
    assertEquals([error.code, error.status], ["FORBIDDEN", 403]);
    assertEquals(tokens.isAdmin(withToken(token)), token === "admin");
  }
  tokens.replace([{ tenant: "b", token: "other" }]);
  assertThrows(() => check(withToken("run")), ServiceError);
  assertEquals(check(withToken("other")), "b");
});
