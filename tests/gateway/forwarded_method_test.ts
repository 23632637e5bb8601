import { assertEquals } from "@std/assert";
import { forwardedMethod } from "../../gateway/forwarded_method.ts";

Deno.test("forwarded method: what a request can be made with stays as it is", () => {
  for (const method of ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "BREW", "constructor"]) {
    assertEquals(forwardedMethod(method), method);
  }
});

Deno.test("forwarded method: any method can be handed on in a request", () => {
  for (const method of ["TRACE", "CONNECT", "TRACK", "trace"]) {
    const request = new Request("https://sandbox.internal/", { method: forwardedMethod(method) });
    assertEquals(request.method, "UNKNOWN");
  }
});
