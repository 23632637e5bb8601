/** `/mcp` and `/e2b` cost nothing in a service where nobody uses them. */
import { assertEquals } from "@std/assert";

const GATEWAY = new URL("../../gateway/", import.meta.url);
/** An import that loads a module with the one that it is in; those of types alone do not. */
const EAGER = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"\.\.\/adapters\/(?:mcp|e2b|jupyter)\//m;

Deno.test("gateway: the modules of adapters load with the first request for them", () => {
  const eager = [...Deno.readDirSync(GATEWAY)].filter(({ name }) =>
    name.endsWith(".ts") && EAGER.test(Deno.readTextFileSync(new URL(name, GATEWAY)))
  );
  assertEquals(eager.map(({ name }) => name), []);
});

Deno.test("gateway: imports that load a module are distinguished from others", () => {
  const [e2b, mcp, own] = ["../adapters/e2b/a.ts", "../adapters/mcp/a.ts", "./e2b_route.ts"]
    .map((path) => JSON.stringify(path));
  const forms = [
    [`import { answerE2b } from ${e2b};`, true],
    [`import {\n  a,\n  b,\n} from ${mcp};`, true],
    [`import type { CreateServer } from ${mcp};`, false],
    [`  const { answerE2b } = await import(${e2b});`, false],
    [`import { a } from ${own};\nconst b = 1;`, false],
  ] as const;
  assertEquals(forms.map(([text]) => EAGER.test(text)), forms.map(([, loads]) => loads));
});
