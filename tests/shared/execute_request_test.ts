import { assertEquals, assertRejects } from "@std/assert";
import type { ExecuteRequest } from "../../client/protocol/types.ts";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { ServiceError } from "../../shared/errors.ts";
import { executeReader } from "../../shared/execute_request.ts";
import { SHARED_LIMITS } from "../../shared/limits.ts";

function read(text: string, language: Language = "javascript"): Promise<ExecuteRequest> {
  const reader = executeReader({ language, limits: { ...SHARED_LIMITS, fuel: 1_000 } });
  const headers = { "content-type": "application/json" };
  return reader.read(new Request("http://test/execute", { method: "POST", headers, body: text }));
}

Deno.test("execute request: carries code, variables and the wish for TypeScript", async () => {
  const request = await read('{"code":"let x: number","language":"ts","envVars":{"A":"1"}}');
  assertEquals(request, {
    code: "let x: number",
    envVars: new Map([["A", "1"]]),
    typescript: true,
  });
});

Deno.test("execute request: without envVars the run has no variables", async () => {
  assertEquals((await read('{"code":"1"}')).envVars.size, 0);
});

Deno.test("execute request: standard input is as it was sent, and absent when it is", async () => {
  assertEquals((await read('{"code":"1","stdin":"a\\u0000\\r\\n"}')).stdin, "a\0\r\n");
  assertEquals((await read('{"code":"1","stdin":""}')).stdin, "");
  assertEquals("stdin" in await read('{"code":"1"}'), false);
});

Deno.test("execute request: standard input is checked last", async () => {
  const refusal = async (body: string) => {
    const { status, message } = await assertRejects(() => read(body), ServiceError);
    return [status, message];
  };
  assertEquals(await refusal('{"code":"1","stdin":null}'), [400, "stdin must be a string"]);
  assertEquals(await refusal(JSON.stringify({ code: "1", stdin: "x".repeat(65_537) })), [
    413,
    "stdin is larger than 65536 bytes",
  ]);
  const [, message] = await refusal('{"code":"1","limits":{"fuel":0},"stdin":1}');
  assertEquals(message, "limits.fuel must be a positive integer");
});

Deno.test("execute request: variables sent as null are skipped", async () => {
  const { envVars } = await read('{"code":"1","envVars":{"A":null,"B":"","C":"c"}}');
  assertEquals([...envVars], [["B", ""], ["C", "c"]]);
});

Deno.test("execute request: a variable may have any name of the pattern", async () => {
  const { envVars } = await read(
    '{"code":"1","envVars":{"__proto__":"a","toString":"b","constructor":"c","_":"d"}}',
  );
  assertEquals([...envVars], [
    ["__proto__", "a"],
    ["toString", "b"],
    ["constructor", "c"],
    ["_", "d"],
  ]);
});

const names: Record<string, { language: Language; typescript?: boolean }> = {
  javascript: { language: "javascript" },
  js: { language: "javascript" },
  node: { language: "javascript" },
  typescript: { language: "javascript", typescript: true },
  ts: { language: "javascript", typescript: true },
  python: { language: "python" },
  python3: { language: "python" },
  py: { language: "python" },
  perl: { language: "perl" },
  pl: { language: "perl" },
  ruby: { language: "ruby" },
  rb: { language: "ruby" },
};

for (const [name, { language, typescript = false }] of Object.entries(names)) {
  for (const spelled of [name, name.toUpperCase()]) {
    for (const runtime of LANGUAGES) {
      const body = JSON.stringify({ code: "1", language: spelled });
      if (runtime === language) {
        Deno.test(`execute request: ${spelled} names ${runtime}`, async () => {
          assertEquals((await read(body, runtime)).typescript, typescript);
        });
      } else {
        Deno.test(`execute request: ${spelled} does not name ${runtime}`, async () => {
          const error = await assertRejects(() => read(body, runtime), ServiceError);
          assertEquals(error.status, 400);
          const expected = `Unsupported language '${spelled}' on this runtime (${runtime})`;
          assertEquals(error.message, expected);
        });
      }
    }
  }
}
