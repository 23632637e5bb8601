/** `/mcp` and `/e2b` cost a service nothing that nobody asks through them. */
import { assertEquals } from "@std/assert";

const GATEWAY = new URL("../../gateway/", import.meta.url);
/** An import that loads a module with the one that it is in; those of types alone do not. */
const EAGER = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"\.\.\/(?:mcp|e2b)\//m;

Deno.test("doors: the gateway loads none of their modules before the first request through them", () => {
  const eager = [...Deno.readDirSync(GATEWAY)].filter(({ name }) =>
    name.endsWith(".ts") && EAGER.test(Deno.readTextFileSync(new URL(name, GATEWAY)))
  );
  assertEquals(eager.map(({ name }) => name), []);
});

Deno.test("doors: imports that load are told from others", () => {
  const forms = [
    ['import { answerE2b } from "../e2b/door.ts";', true],
    ['import {\n  a,\n  b,\n} from "../mcp/door.ts";', true],
    ['import type { CreateServer } from "../mcp/door.ts";', false],
    ['  const { answerE2b } = await import("../e2b/door.ts");', false],
    ['import { a } from "./e2b_route.ts";\nconst b = 1;', false],
  ] as const;
  assertEquals(forms.map(([text]) => EAGER.test(text)), forms.map(([, loads]) => loads));
});
