import { assert, assertEquals } from "@std/assert";
import { ERROR_STATUSES } from "../../client/protocol/error_codes.ts";
import {
  errorResponse,
  internalError,
  overload,
  runtimeUnavailable,
  ServiceError,
  toServiceError,
  validationFailed,
} from "../../shared/errors.ts";

const clock = () => Date.UTC(2026, 0, 2, 3, 4, 5, 6);

Deno.test("errors: every code has distinct statuses of errors only", () => {
  for (const [code, statuses] of Object.entries(ERROR_STATUSES)) {
    assert(statuses.every((status) => status >= 400 && status <= 599), code);
    assertEquals(new Set(statuses).size, statuses.length, code);
  }
});

Deno.test("errors: the answer carries the five fields, and operation when there is one", async () => {
  const error = new ServiceError("FILE_NOT_FOUND", "No such file", {
    context: { path: "/workspace/a", errno: "ENOENT" },
    operation: "file.read",
  });
  const response = errorResponse(error, clock);
  assertEquals(response.status, 404);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(await response.json(), {
    code: "FILE_NOT_FOUND",
    message: "No such file",
    context: { path: "/workspace/a", errno: "ENOENT" },
    httpStatus: 404,
    timestamp: "2026-01-02T03:04:05.006Z",
    operation: "file.read",
  });
  assertEquals("operation" in validationFailed("x").toBody(clock), false);
});

Deno.test("errors: the first status of a code is used unless another is asked for", () => {
  assertEquals(validationFailed("x").status, 400);
  assertEquals(validationFailed("x", 413).status, 413);
  assertEquals(internalError().status, 500);
  assertEquals(runtimeUnavailable().status, 502);
});

Deno.test("errors: overload gives the wait in milliseconds, and rounded up in seconds", async () => {
  const response = errorResponse(overload("RATE_LIMITED", "Too many", "waiting runs", 1001), clock);
  assertEquals(response.status, 429);
  assertEquals(response.headers.get("retry-after"), "2");
  assertEquals((await response.json()).context, { limit: "waiting runs", retryAfterMs: 1001 });
  assertEquals(overload("OVERLOADED", "x", "wait", 0).headers["retry-after"], "1");
});

Deno.test("errors: an unknown error becomes a fixed text", () => {
  const secret = new TypeError("cannot read /etc/secret of undefined");
  for (const thrown of [secret, "secret", undefined, { message: "secret" }]) {
    const error = toServiceError(thrown);
    assertEquals([error.code, error.status], ["INTERNAL_ERROR", 500]);
    assert(!JSON.stringify(error.toBody(clock)).includes("secret"));
  }
  const own = validationFailed("mine");
  assert(toServiceError(own) === own);
});
