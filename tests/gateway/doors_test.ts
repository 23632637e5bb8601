/** `/mcp` and `/e2b` cost a service nothing that nobody asks through them. */
import { assertEquals } from "@std/assert";

const GATEWAY = new URL("../../gateway/", import.meta.url);
/** An import that loads a module with the one that it is in; those of types alone do not. */
const EAGER = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"\.\.\/adapters\/(?:mcp|e2b)\//m;

Deno.test("doors: the gateway loads none of their modules before the first request through them", () => {
  const eager = [...Deno.readDirSync(GATEWAY)].filter(({ name }) =>
    name.endsWith(".ts") && EAGER.test(Deno.readTextFileSync(new URL(name, GATEWAY)))
  );
  assertEquals(eager.map(({ name }) => name), []);
});

Deno.test("doors: imports that load a module are distinguished from others", () => {
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
