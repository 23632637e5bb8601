import { assertEquals } from "@std/assert";
import { forwardedMethod } from "../../gateway/forwarded_request.ts";

Deno.test("forwarded method: a method that a request accepts stays unchanged", () => {
  for (const method of ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "BREW", "constructor"]) {
    assertEquals(forwardedMethod(method), method);
  }
});

Deno.test("forwarded method: any method can be forwarded", () => {
  for (const method of ["TRACE", "CONNECT", "TRACK", "trace"]) {
    const request = new Request("https://sandbox.internal/", { method: forwardedMethod(method) });
    assertEquals(request.method, "UNKNOWN");
  }
});
