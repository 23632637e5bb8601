import { assert, assertEquals, assertMatch } from "@std/assert";
import type { LanguageListing } from "../../client/protocol/types.ts";
import { assertError, assertJsonHeaders } from "./assertions.ts";
import { contractTarget } from "./target.ts";

const KIB = 1024;
const call = contractTarget();

function allowed(response: Response): string[] {
  return (response.headers.get("allow") ?? "").split(/, */).sort();
}

Deno.test("languages: four entries in their order, with every field", async () => {
  const response = await call("/languages");
  assertEquals(response.status, 200);
  assertJsonHeaders(response);
  const body = await response.json();
  assertEquals(Object.keys(body), ["languages"]);
  const entries: LanguageListing[] = body.languages;
  assertEquals(entries.map(({ id }) => id), ["javascript", "python", "perl", "ruby"]);
  for (const entry of entries) {
    assertEquals(Object.keys(entry), [
      "id",
      "name",
      "package",
      "version",
      "engine",
      "enabled",
      "mode",
      "contexts",
      "capabilities",
      "aliases",
      "limits",
    ]);
    assertEquals(entry.mode, "script");
    assertMatch(entry.version, /^\d+\.\d+\.\d+$/);
    assertEquals(entry.capabilities.includes("contexts"), entry.contexts);
    assert(!(entry.contexts && !entry.enabled));
    assertEquals(Object.keys(entry.limits), [
      "codeBytes",
      "requestBytes",
      "fuel",
      "memoryBytes",
      "outputBytes",
      "outputLines",
      "resultBytes",
      "wallMs",
    ]);
    assert(Object.values(entry.limits).every((value) => Number.isSafeInteger(value) && value > 0));
    assertEquals(entry.limits.codeBytes, 64 * KIB);
    assertEquals(entry.limits.requestBytes, 96 * KIB);
  }
});

Deno.test("languages: JavaScript is enabled and has its aliases", async () => {
  const body = await (await call("/languages")).json();
  const javascript: LanguageListing = body.languages[0];
  assertEquals(javascript.enabled, true);
  assertEquals([...javascript.aliases].sort(), ["js", "node", "ts", "typescript"]);
});

Deno.test("health: reports the state of each enabled language", async () => {
  const response = await call("/healthz");
  assertEquals(response.status, 200);
  assertJsonHeaders(response);
  const body = await response.json();
  assertMatch(body.status, /^(ok|degraded)$/);
  for (const language of body.languages) {
    assertEquals(Object.keys(language).sort(), ["build", "id", "isolates", "state"]);
    assertMatch(language.state, /^(starting|ready|failing)$/);
  }
});

const unknownPaths = [
  "/",
  "/nothing",
  "/interpreter",
  "/interpreters/key/contexts",
  "/execute/",
  "/execute/javascript/more",
  "/Execute",
  "/languages/",
  "/constructor",
  "/__proto__",
  "//execute",
];

for (const path of unknownPaths) {
  for (const method of ["GET", "POST", "OPTIONS"]) {
    Deno.test(`routes: ${method} ${path} is 404`, async () => {
      await assertError(await call(path, { method }), 404, "VALIDATION_FAILED");
    });
  }
}

const badLanguages: Record<string, RegExp> = {
  "/execute/cobol": /'cobol'/,
  "/execute/JavaScript": /'JavaScript'/,
  "/execute/js": /'js'/,
  "/execute/typescript": /'typescript'/,
  "/execute/toString": /'toString'/,
  "/execute/%F0%9F%98%80": /'😀'/,
  "/execute/%ff": /'.+'/,
};

for (const [path, says] of Object.entries(badLanguages)) {
  Deno.test(`routes: POST ${path} is 400 and names the language`, async () => {
    const init = {
      method: "POST",
      body: '{"code":"1"}',
      headers: { "content-type": "application/json" },
    };
    const error = await assertError(await call(path, init), 400, "VALIDATION_FAILED");
    assertMatch(error.message, says);
  });
}

const methods: Record<string, string[]> = {
  "/execute": ["OPTIONS", "POST"],
  "/execute/javascript": ["OPTIONS", "POST"],
  "/languages": ["GET", "HEAD", "OPTIONS"],
  "/healthz": ["GET", "HEAD", "OPTIONS"],
};

for (const [path, known] of Object.entries(methods)) {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    if (known.includes(method)) continue;
    Deno.test(`routes: ${method} ${path} is 405 with Allow`, async () => {
      const response = await call(path, { method });
      assertEquals(allowed(response), known);
      await assertError(response, 405, "VALIDATION_FAILED");
    });
  }

  Deno.test(`routes: OPTIONS ${path} is 204 with Allow`, async () => {
    const response = await call(path, { method: "OPTIONS" });
    assertEquals(response.status, 204);
    assertEquals(allowed(response), known);
    assertEquals(await response.text(), "");
  });

  Deno.test(`routes: HEAD ${path} answers where GET does`, async () => {
    const response = await call(path, { method: "HEAD" });
    assertEquals(response.status, known.includes("GET") ? 200 : 405);
    assertEquals(await response.text(), "");
  });
}
