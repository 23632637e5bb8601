import { assertEquals, assertThrows } from "@std/assert";
import { createHostCheck } from "../../gateway/host_check.ts";
import { isLoopback } from "../../gateway/loopback.ts";
import { ServiceError } from "../../wire/errors.ts";

const check = createHostCheck(["https://app.example", "http://localhost:3000"]);

/** `Host` and, if given, `Origin` of a request; whether it passes. */
const rows: readonly (readonly [string, string | undefined, boolean])[] = [
  ["localhost:8000", undefined, true],
  ["LOCALHOST", undefined, true],
  ["127.0.0.1:8000", undefined, true],
  ["127.1.2.3", undefined, true],
  ["[::1]:8000", undefined, true],
  ["api.localhost:8000", undefined, true],
  ["app.example", undefined, true],
  ["evil.example", undefined, false],
  ["localhost.evil.example", undefined, false],
  ["evillocalhost", undefined, false],
  ["127.0.0.1.evil.example", undefined, false],
  ["10.0.0.1", undefined, false],
  ["0.0.0.0", undefined, false],
  ["", undefined, false],
  ["a b", undefined, false],
  ["localhost:8000", "http://localhost:8000", true],
  ["localhost:8000", "https://localhost:8000", true],
  ["localhost:8000", "https://app.example", true],
  ["localhost:8000", "http://localhost:3000", true],
  ["localhost:8000", "http://localhost:8001", false],
  ["localhost:8000", "http://127.0.0.1:8000", false],
  ["localhost:8000", "https://evil.example", false],
  ["localhost:8000", "null", false],
  ["localhost:8000", "", false],
  ["evil.example", "http://evil.example", false],
];

for (const [host, origin, passes] of rows) {
  const name = `Host ${JSON.stringify(host)}, Origin ${JSON.stringify(origin ?? null)}`;
  Deno.test(`host check: ${name} ${passes ? "passes" : "is refused"}`, () => {
    const headers = { host, ...(origin === undefined ? {} : { origin }) };
    const request = new Request("http://127.0.0.1:8000/languages", { headers });
    if (passes) return check(request);
    const error = assertThrows(() => check(request), ServiceError);
    assertEquals([error.code, error.status], ["FORBIDDEN", 403]);
  });
}

Deno.test("host check: without a Host header the URL tells the host", () => {
  check(new Request("http://localhost/"));
  assertThrows(() => check(new Request("http://evil.example/")), ServiceError);
});

Deno.test("loopback: only whole addresses of 127.0.0.0/8 and ::1 are loopback", () => {
  for (const host of ["127.0.0.1", "127.255.255.255", "::1", "[::1]", "localhost"]) {
    assertEquals(isLoopback(host), true, host);
  }
  for (const host of ["127.0.0", "127.0.0.256", "128.0.0.1", "1127.0.0.1", "::", "::2", ""]) {
    assertEquals(isLoopback(host), false, host);
  }
});
