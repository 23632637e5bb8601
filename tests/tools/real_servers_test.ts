// test: long
/**
 * Programs in four languages over MCP servers of others and a described HTTP service, by HTTP, by MCP and
 * on the page.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { z } from "zod";
import { BUNDLED_LANGUAGES, type BundledLanguage } from "../../shared/languages.ts";
import { connectTo } from "../adapters/mcp/client.ts";
import { ending, HAS_BROWSER, launch, run, visited } from "../page/browser.ts";
import { callJson, freePort, startProgram } from "../support/program.ts";
import { processTree } from "../support/process.ts";
import { textsInMemory } from "../support/process_memory.ts";
import { clientTest } from "../support/test_clients.ts";
import { SECRET } from "./fixture.ts";
import {
  type ApiDocument,
  operationsOf,
  startEverything,
  startFiles,
  startMemory,
  startShop,
} from "./real_servers.ts";

type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

/** Makes calls one after the other, and writes the values and errors as one line of JSON. */
const PROGRAMS: { readonly [L in BundledLanguage]: (calls: string) => string } = {
  javascript: (calls) =>
    `const out = [];
for (const [name, input] of ${calls}) {
  const tool = name.split(".").reduce((found, part) => found[part], tools);
  try { out.push(await tool(input)); } catch (e) { out.push({ error: e.message, data: e.data ?? null }); }
}
console.log(JSON.stringify(out));`,
  python: (calls) =>
    `import json
out = []
for name, given in json.loads(r'''${calls}'''):
    try: out.append(tools[name](given))
    except ToolError as e: out.append({"error": str(e), "data": e.data})
print(json.dumps(out))`,
  perl: (calls) =>
    `use JSON::PP;
my @out;
for (@{ decode_json(q~${calls}~) }) {
  my ($name, $input) = @$_;
  my $value = eval { Belljar::call($name, $input) };
  push @out, $@ ? { error => $@->message, data => $@->data } : $value;
}
print JSON::PP->new->utf8->allow_nonref->encode(\\@out), "\\n";`,
  ruby: (calls) =>
    `require "json"
out = JSON.parse('${calls}').map do |name, input|
  Tools[name].call(input)
rescue ToolError => e
  { error: e.message, data: e.data }
end
puts JSON.generate(out)`,
};

/** An error whose message has this text. */
function failure(message: string) {
  return z.strictObject({ error: z.string().includes(message), data: z.null() });
}

const text = z.string();
const image = z.strictObject({ mimeType: z.literal("image/png"), bytes: z.base64() });

/** Calls, and the values that they give. `own` is a name that no other program has. */
function scenarios(
  folder: string,
  own: string,
): readonly (readonly [calls: readonly Call[], values: readonly z.ZodType[]])[] {
  const entity = { name: own, entityType: "person", observations: ['reads "books"'] };
  const found = z.looseObject({ entities: z.tuple([z.looseObject({ name: z.literal(own) })]) });
  const content = (value: string) => z.object({ content: z.literal(value) });
  return [
    [[["every.echo", { message: "grüße" }]], [z.literal("Echo: grüße")]],
    [
      [["every.get_sum", { a: 2, b: 40 }], ["every.get_sum", { a: "x", b: 1 }]],
      [text.includes("42"), failure("/a must be number")],
    ],
    [
      [["every.get_structured_content", { location: "Chicago" }]],
      [z.strictObject({ temperature: z.number(), conditions: text, humidity: z.number() })],
    ],
    [[["every.get_tiny_image", {}]], [z.tuple([text, image, text])]],
    [
      [["every.get_annotated_message", { messageType: "error", includeImage: true }]],
      [z.tuple([text, image])],
    ],
    [
      [["every.trigger_long_running_operation", { duration: 0.2, steps: 2 }]],
      [text.includes("completed")],
    ],
    [
      [["memory.create_entities", { entities: [entity] }], ["memory.search_nodes", { query: own }]],
      [found, found],
    ],
    [
      [
        ["memory.create_entities", { entities: [entity, { ...entity, name: `${own}-b` }] }],
        ["memory.create_relations", {
          relations: [{ from: own, to: `${own}-b`, relationType: "knows" }],
        }],
        ["memory.open_nodes", { names: [own] }],
      ],
      [z.unknown(), z.unknown(), found],
    ],
    [
      [["memory.add_observations", { observations: [{ entityName: "nobody", contents: ["x"] }] }]],
      [failure("nobody not found")],
    ],
    [
      [["files.list_directory", { path: folder }], ["files.read_text_file", {
        path: `${folder}/a.txt`,
      }]],
      [z.object({ content: text.includes("a.txt") }), content("hello\n")],
    ],
    [
      [["files.write_file", { path: `${folder}/${own}`, content: own }], [
        "files.read_text_file",
        { path: `${folder}/${own}` },
      ]],
      [z.unknown(), content(own)],
    ],
    [[["files.read_text_file", { path: "/etc/passwd" }]], [failure("Access denied")]],
    [
      [["shop.items.list", { most: 2 }], ...[1, 2].map((id): Call => ["shop.items.get", { id }])],
      [
        z.array(z.object({ id: z.number() })).length(2),
        z.object({ price: z.literal(250) }),
        z.object({ price: z.literal(1_000) }),
      ],
    ],
    [
      [["shop.orders.create", { id: 3, count: 4 }], ["shop.orders.create", { id: 3 }]],
      [z.strictObject({ total: z.literal(300) }), failure("count")],
    ],
    [
      [["shop.items.delete", { id: 1 }], ["shop.items.get", { id: 9 }]],
      [
        z.null(),
        z.object({
          error: text.includes("status 404"),
          data: z.strictObject({ status: z.literal(404), body: z.object({ detail: text }) }),
        }),
      ],
    ],
  ];
}

/** The tool that needs an approval. */
const APPROVED = "files.write_file";

/** Images that the scenario displays, by its place. */
const IMAGES: ReadonlyMap<number, number> = new Map([[3, 1], [4, 1]]);

const resultSchema = z.looseObject({
  logs: z.object({ stdout: z.array(z.string()) }),
  error: z.unknown().optional(),
  displays: z.array(z.unknown()).default([]),
  waiting: z.object({ run: z.string(), calls: z.array(z.object({ key: z.string() })) }).optional(),
});

function check(
  { logs, error, displays }: z.infer<typeof resultSchema>,
  values: readonly z.ZodType[],
  images: number,
): void {
  assertEquals(error, undefined);
  const out = z.array(z.unknown()).parse(JSON.parse(logs.stdout.join("\n")));
  assertEquals(out.length, values.length);
  for (const [index, schema] of values.entries()) {
    const parsed = schema.safeParse(out[index]);
    assert(parsed.success, `${JSON.stringify(out[index])}: ${parsed.error}`);
  }
  assertEquals(displays.length, images);
}

/** Runs a program on the page, approves its calls, and reads the card of the run. */
async function runOnPage(page: Page, language: string, code: string, calls: readonly Call[]) {
  await run(page, code, language);
  const card = page.locator(".run").first();
  for (const [name] of calls) {
    if (name === APPROVED) {
      await card.getByRole("button", { name: `Approve ${name}` }).click({ timeout: 60_000 });
    }
  }
  assertEquals(await ending(page), "ok", await card.textContent() ?? "");
  const more = card.locator(".line .more");
  while (await more.count() > 0) await more.first().click();
  return resultSchema.parse({
    logs: { stdout: await card.locator(".stream .line").allTextContents() },
    displays: await card.locator("img.picture").all(),
  });
}

clientTest(
  "tools: sixty programs over servers of others, by HTTP, by MCP and on the page",
  "npm packages",
  async (test) => {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    await Deno.mkdir(`${folder}/files`);
    await Deno.writeTextFile(`${folder}/files/a.txt`, "hello\n");
    await using everything = await startEverything(freePort());
    await using memory = await startMemory(`${folder}/graph.jsonl`);
    await using files = await startFiles(`${folder}/files`);
    await using shop = startShop();
    const described: ApiDocument = await (await fetch(`${shop.url}/openapi.json`)).json();
    const headers = { authorization: "Bearer ${SECRET_KEY}" };
    await Deno.writeTextFile(
      `${folder}/tools.json`,
      JSON.stringify({
        servers: {
          every: { url: everything.url, headers },
          memory: { url: memory.url, headers },
          files: { url: files.url, headers, tools: { write_file: { approval: "always" } } },
        },
        operations: operationsOf("shop", shop.url, described),
        tenants: { "*": ["*"] },
        privateAddresses: ["127.0.0.1"],
      }),
    );
    await using program = await startProgram({
      env: { TOOLS: `${folder}/tools.json`, SECRET_KEY: SECRET },
    });
    const approved: string[] = [];
    await using client = await connectTo(program.url, {
      ask: (message) => {
        approved.push(message);
        return { action: "accept", content: { approve: true } };
      },
    });
    for (const language of BUNDLED_LANGUAGES) {
      const programOf = (calls: readonly Call[]) => PROGRAMS[language](JSON.stringify(calls));
      await test.step(`${language} by HTTP`, async () => {
        for (
          const [index, [calls, values]] of scenarios(
            `${folder}/files`,
            `${language}-${crypto.randomUUID()}`,
          ).entries()
        ) {
          const body = { code: programOf(calls), tools: ["*"] };
          let result = resultSchema.parse(
            (await callJson(`${program.url}/execute/${language}`, body)).body,
          );
          while (result.waiting !== undefined) {
            const { run, calls: pending } = result.waiting;
            const answers = pending.map(({ key }) => ({ key, approve: true }));
            result = resultSchema.parse(
              (await callJson(`${program.url}/runs/${run}/answers`, { answers })).body,
            );
          }
          check(result, values, IMAGES.get(index) ?? 0);
        }
      });
      await test.step(`${language} by MCP`, async () => {
        for (
          const [index, [calls, values]] of scenarios(
            `${folder}/files`,
            `${language}-${crypto.randomUUID()}`,
          ).entries()
        ) {
          const told = await client.call("run_code", { language, code: programOf(calls) });
          const result = resultSchema.parse(told.structuredContent);
          check(result, values, IMAGES.get(index) ?? 0);
          const shown = told.content.filter(({ type }) => type === "image");
          assertEquals(shown.length, IMAGES.get(index) ?? 0);
        }
      });
    }
    await test.step({
      name: "the same on the page",
      ignore: !HAS_BROWSER,
      // the browser's driver has timers and processes of its own
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async (test) => {
        const browser = await launch();
        for (const language of BUNDLED_LANGUAGES) {
          await test.step(language, () =>
            visited(browser, async (page) => {
              await page.getByText("Input and limits").click();
              await page.getByRole("textbox", { name: "Tools of the operator" }).fill("*");
              const own = `${language}-${crypto.randomUUID()}`;
              for (const [index, [calls, values]] of scenarios(`${folder}/files`, own).entries()) {
                const code = PROGRAMS[language](JSON.stringify(calls));
                const result = await runOnPage(page, language, code, calls);
                check(result, values, IMAGES.get(index) ?? 0);
              }
            }, { url: program.url }));
        }
        await browser.close();
      },
    });
    assertEquals(approved.length, BUNDLED_LANGUAGES.length);
    assertStringIncludes(approved[0] ?? "", "The program calls files.write_file");

    await test.step("no isolate has the secret of the requests", async () => {
      const [service = 0, ...isolates] = await processTree(program.pid);
      assert((await textsInMemory(service, [SECRET])).has(SECRET));
      assert(isolates.length >= BUNDLED_LANGUAGES.length);
      for (const pid of isolates) assertEquals((await textsInMemory(pid, [SECRET])).size, 0);
      assert(!program.output().includes(SECRET));
    });

    await test.step("a session that is over is opened again", async () => {
      await memory.endSessions();
      const code = programs("memory.read_graph");
      const { body } = await callJson(`${program.url}/execute/python`, {
        code,
        tools: ["memory.*"],
      });
      assertEquals(body["error"], undefined);
    });
    await Deno.remove(folder, { recursive: true });
  },
);

function programs(name: string): string {
  return PROGRAMS.python(JSON.stringify([[name, {}]])) + "\nassert 'entities' in out[0]";
}
