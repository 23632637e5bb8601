/** Declarations of tools, at the gateway. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { RunCaller } from "./gateway_fixture.ts";

const TOOLS = [
  { name: "crm.find", inputSchema: { properties: { q: { type: "string" } }, required: ["q"] } },
  { name: "now" },
];

/** A part of the declarations in each form. */
const FORMS: Readonly<Record<string, string>> = {
  typescript: "declare const tools: {\n  now(",
  python: "\nclass tools:\n    @staticmethod\n    def now(",
  ruby: "tools.crm.find: (q: String) -> untyped\n",
  perl: 'Belljar::call("crm.find", Dict[q => Str]); # Any\n',
  text: "crm.find(q: string): any\nnow(…): any\n",
};

Deno.test("declarations: tools of a request in each form", async () => {
  const box = new RunCaller();
  for (const [form, wanted] of Object.entries(FORMS)) {
    const answer = await box.send("POST", `/tools?as=${form}`, { tools: TOOLS });
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assertStringIncludes(await answer.text(), wanted);
  }
});

Deno.test("declarations: many tools fit into 16 KiB", async () => {
  const tools = Array.from({ length: 128 }, (_, index) => ({
    name: `group${index % 7}.tool${index}`,
    description: `${"Does something useful. ".repeat(10)}${index}`,
    inputSchema: { properties: { query: { type: "string", description: "What to look for" } } },
  }));
  const answer = await new RunCaller().send("POST", "/tools?as=python", { tools });
  const { length } = new TextEncoder().encode(await answer.text());
  assertEquals([answer.status, length <= 16 * 1024, length > 8 * 1024], [200, true, true]);
});

Deno.test("declarations: the operator has no tools", async () => {
  const answer = await new RunCaller().send("GET", "/tools?as=typescript");
  assertEquals([answer.status, await answer.text()], [200, "declare const tools: {\n};\n"]);
});

Deno.test("declarations: without a form, the operator's tools are JSON", async () => {
  assertEquals(await new RunCaller().call(200, "GET", "/tools").then(({ tools }) => tools), []);
});

Deno.test("declarations: what is wrong is named", async () => {
  const box = new RunCaller();
  const forms = "as must be one of typescript, python, ruby, perl, text";
  for (const query of ["", "?as=", "?as=json", "?as=text&as=ruby", "?as=toString"]) {
    if (query !== "") {
      assertEquals((await box.call(400, "GET", `/tools${query}`)).message, forms, query);
    }
    assertEquals((await box.call(400, "POST", `/tools${query}`, { tools: [] })).message, forms);
  }
  const wrong: readonly (readonly [body: object, message: string])[] = [
    [{}, "tools must be an array"],
    [
      { tools: [{ name: "a b" }] },
      "tools[0].name must be identifiers joined by dots, at most 128 characters",
    ],
    [{ tools: [{ name: "a" }, { name: "a" }] }, "tools has 'a' twice"],
  ];
  for (const [body, message] of wrong) {
    assertEquals((await box.call(400, "POST", "/tools?as=text", body)).message, message);
  }
});
