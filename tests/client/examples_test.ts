// test: long
/**
 * The examples in the documentation of the client: every function, class, constant and interface
 * with methods has one, all compile, and all run against a real service. Their blocks are marked
 * `ignore` for Deno's own check, which imports the whole module into each and finds it unused.
 */
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { startService } from "../support/service.ts";
import { deno, temporaryFolder } from "./deno_command.ts";

const CLIENT = new URL("../../client/", import.meta.url);
const DOCUMENTED_URL = "http://127.0.0.1:8000";

interface Example {
  readonly name: string;
  readonly code: string;
}

async function examples(folder: URL = CLIENT): Promise<Example[]> {
  const found: Example[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await examples(new URL(`${name}/`, folder)));
    if (!name.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const [, block = ""] of text.matchAll(/^ \* ```ts ignore\n([\s\S]*?)^ \* ```$/gm)) {
      found.push({ name: `${name}_${found.length}.ts`, code: block.replace(/^ \* ?/gm, "") });
    }
  }
  return found;
}

/** Makes an example a program that fails when one of its assertions does. */
function programOf({ code }: Example, url: string): string {
  const strict = `console.assert = (held?: boolean) => {
    if (!held) throw new Error("An assertion of the example does not hold");
  };\n`;
  return strict + code
    .replace('"@belljar/client"', JSON.stringify(new URL("mod.ts", CLIENT).href))
    .replaceAll(DOCUMENTED_URL, url);
}

Deno.test("client docs: every example compiles and runs", async () => {
  await using service = await startService({ LANGUAGES: "javascript,python" });
  await using folder = await temporaryFolder();
  const found = await examples();
  assert(found.length >= 25, `${found.length} examples`);
  const paths = found.map(({ name }) => `${folder.path}/${name}`);
  for (const [index, example] of found.entries()) {
    await Deno.writeTextFile(paths[index] ?? "", programOf(example, service.url));
  }
  const checked = await deno("check", "--quiet", ...paths);
  assertEquals(checked.code, 0, checked.output);
  for (const path of paths) {
    const ended = await deno("run", "--quiet", "--no-check", "--allow-net=127.0.0.1", path);
    assertEquals([path, ended.code], [path, 0], ended.output);
  }
});

/** The part of `deno doc --json` that says which symbols there are, and their tags. */
const docSchema = z.object({
  nodes: z.record(
    z.string(),
    z.object({
      symbols: z.array(z.object({
        name: z.string(),
        declarations: z.array(z.object({
          kind: z.string(),
          jsDoc: z.object({ tags: z.array(z.object({ kind: z.string() })).optional() }).optional(),
          def: z.object({ methods: z.array(z.unknown()).optional() }).optional(),
        })),
      })),
    }),
  ),
});

Deno.test("client docs: every callable export has an example", async () => {
  const path = new URL("mod.ts", CLIENT).pathname;
  const { code, output } = await deno("doc", "--json", path);
  assertEquals(code, 0, output);
  const { nodes } = docSchema.parse(JSON.parse(output));
  const symbols = Object.values(nodes).flatMap(({ symbols }) => symbols);
  assert(symbols.length > 60, `${symbols.length} symbols`);
  const without = symbols.flatMap(({ name, declarations }) =>
    declarations.flatMap(({ kind, def, jsDoc }) => {
      const isCalled = ["function", "class", "variable"].includes(kind) ||
        (kind === "interface" && (def?.methods ?? []).length > 0);
      const hasExample = jsDoc?.tags?.some((tag) => tag.kind === "example") ?? false;
      return isCalled && !hasExample ? [name] : [];
    })
  );
  assertEquals(without, []);
});
