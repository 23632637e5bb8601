/** Refused origins are logged once each, with the words to allow them. */
import { assertEquals, assertThrows } from "@std/assert";
import { createHostCheck } from "../../gateway/host_check.ts";
import { MAX_LOGGED_ORIGINS, refusedOriginLog } from "../../gateway/caller_logs.ts";

Deno.test("refused origins: the log has one line for each of a limited number, and none for invalid origins", () => {
  const lines: unknown[] = [];
  const log = refusedOriginLog((level, event, fields) => lines.push([level, event, fields]));
  const check = createHostCheck(["http://127.0.0.1:3000"], log);
  const ask = (origin: string) => {
    const headers = { host: "127.0.0.1:8000", origin };
    return check(new Request("http://127.0.0.1:8000/", { headers }));
  };
  ask("http://127.0.0.1:3000");
  for (const origin of ["null", "x".repeat(300), "http://a b", `http://${"a".repeat(300)}`]) {
    assertThrows(() => ask(origin));
  }
  assertEquals(lines, []);
  for (let count = 0; count < 3; count++) assertThrows(() => ask("http://localhost:3000"));
  const advice = "if it is yours, add it to ALLOWED_ORIGINS";
  assertEquals(lines, [["warn", "origin refused", { origin: "http://localhost:3000", advice }]]);
  for (let port = 1; port < 1_000; port++) assertThrows(() => ask(`http://a.example:${port}`));
  assertEquals(lines.length, MAX_LOGGED_ORIGINS);
});
