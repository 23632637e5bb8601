/** Declarations of tools: their forms, budgets of bytes, and schemas from anywhere. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  isToolForm,
  renderTools,
  TOOL_FORMS,
  type ToolForm,
} from "../../shared/tool_types/render_tools.ts";
import type { ToolSchemas } from "../../shared/tool_types/declaration.ts";
import { randomTools } from "../support/random_tools.ts";
import { printedSeed, seededBelow } from "../support/random.ts";

const FIND: ToolSchemas = {
  name: "crm.find",
  description: "Finds customers.\nBy name.",
  inputSchema: {
    type: "object",
    properties: {
      q: { type: "string", description: "Part of the name" },
      limit: { type: ["integer", "null"] },
      order: { enum: ["name", "age"] },
    },
    required: ["q"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "array",
    items: { $ref: "#/$defs/Customer" },
    $defs: {
      Customer: {
        type: "object",
        properties: { name: { type: "string" }, parent: { $ref: "#/$defs/Customer" } },
        required: ["name"],
      },
    },
  },
};
const TOOLS: readonly ToolSchemas[] = [
  FIND,
  { name: "class", inputSchema: { properties: { "a-b": { type: "number" } } } },
  { name: "now", inputSchema: { type: "object", additionalProperties: false } },
];
const WIDE = 100_000;

const WHOLE: Readonly<Record<ToolForm, string>> = {
  typescript: `declare const tools: {
  class(args?: { "a-b"?: number }): Promise<unknown>;
  now(): Promise<unknown>;
  crm: {
    /**
     * Finds customers.
     * By name.
     * @param args.q Part of the name
     */
    find(args: { q: string; limit?: number | null; order?: "name" | "age" }): Promise<{ name: string; parent?: unknown }[]>;
  };
};
`,
  python: `from typing import Any, Literal, NotRequired, TypedDict

# tools.name(…) waits for the value, and await tools.name.start(…) lets other tasks run meanwhile

ClassArguments = TypedDict("ClassArguments", {"a-b": NotRequired[float]})

class CrmFindResult1(TypedDict):
    name: str
    parent: NotRequired[Any]

class tools:
    @staticmethod
    def class_(arguments: ClassArguments, /) -> Any:
        ...
    @staticmethod
    def now() -> Any:
        ...
    class crm:
        @staticmethod
        def find(*, q: str, limit: int | None = ..., order: Literal["name", "age"] = ...) -> list[CrmFindResult1]:
            """Finds customers.
            By name.
            q: Part of the name"""
            ...
`,
  ruby: `# Finds customers.
# By name.
# - q: Part of the name
tools.crm.find: (q: String, ?limit: (Integer | nil), ?order: ("name" | "age")) -> Array[{ "name" => String, ?"parent" => untyped }]

tools.class: (?"a-b": Float) -> untyped

tools.now: () -> untyped
`,
  perl: `# Finds customers.
# By name.
# - q: Part of the name
Belljar::call("crm.find", Dict[q => Str, limit => Optional[Int | Undef], order => Optional[Enum['name', 'age']]]); # ArrayRef[Dict[name => Str, parent => Optional[Any]]]

Belljar::call("class", Dict['a-b' => Optional[Num]]); # Any

Belljar::call("now", HashRef[Any]); # Any
`,
  text:
    `crm.find(q: string, limit?: integer | null, order?: "name" | "age"): list of {name: string, parent?: any}
  Finds customers.
  By name.
  - q: Part of the name

class(a-b?: number): any

now(): any
`,
};

for (const form of TOOL_FORMS) {
  Deno.test(`tool types: ${form} shows names, arguments, results and texts`, () => {
    assertEquals(renderTools(TOOLS, form, WIDE), WHOLE[form]);
  });
}

Deno.test("tool types: less room leaves out texts, then types, then tools", () => {
  const shown = (bytes: number) => renderTools(TOOLS, "text", bytes);
  const whole = new TextEncoder().encode(WHOLE.text).length;
  assertEquals(shown(whole), WHOLE.text);
  assert(!shown(whole - 1).includes("Part of the name"));
  assertStringIncludes(shown(whole - 1), "By name.");
  assertEquals(
    shown(107),
    "crm.find(q: string, limit?: any, order?: any): any\nclass(a-b?: number): any\nnow(): any\n",
  );
  assertEquals(shown(60), "crm.find(…): any\nclass(…): any\nnow(…): any\n");
  assertEquals(shown(48), "crm.find(…): any\n2 more tools are not shown\n");
  assertEquals(renderTools([], "text", 10), "");
});

/** Schemas that are wrong, endless, or larger than they look. */
const HOSTILE: Readonly<Record<string, ToolSchemas["inputSchema"]>> = {
  "a text": "object",
  "a list": [1],
  "properties of another kind": { type: "object", properties: [1, 2], required: { a: 1 } },
  "an unknown type": { type: "object", properties: { a: { type: "date" }, b: { type: 7 } } },
  "a reference to itself": { $ref: "#" },
  "a reference to nothing": { properties: { a: { $ref: "#/x/__proto__/constructor" } } },
  "a reference to another place": { properties: { a: { $ref: "file:///etc/passwd" } } },
  "a name with a line break": { properties: { "a\n}; evil(": {}, "b\u2028": {}, ok: {} } },
  "names of objects": JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{}}}'),
};

Deno.test("tool types: schemas that are wrong are any value", () => {
  for (const [what, inputSchema] of Object.entries(HOSTILE)) {
    for (const form of TOOL_FORMS) {
      const text = renderTools([{ name: "t", inputSchema }], form, WIDE);
      assert(text.length < 1_000, what);
      assert(!text.includes("evil"), what);
    }
  }
  const text = renderTools([{ name: "t", inputSchema: HOSTILE["names of objects"] }], "text", WIDE);
  assertEquals(text, "t(__proto__?: string, constructor?: any): any\n");
});

Deno.test("tool types: a schema that grows by its references is cut", () => {
  const $defs = Object.fromEntries(Array.from({ length: 20 }, (_, level) => [
    `d${level}`,
    {
      type: "object",
      properties: { a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } },
    },
  ]));
  const grown = { name: "t", outputSchema: { $ref: "#/$defs/d0", $defs } };
  const deep = {
    name: "t",
    outputSchema: JSON.parse(`${'{"items":'.repeat(5_000)}{}${"}".repeat(5_000)}`),
  };
  for (const form of TOOL_FORMS) {
    assert(renderTools([grown], form, 1_000_000).length < 40_000, form);
    assert(renderTools([deep], form, 1_000_000).length < 1_000, form);
  }
});

Deno.test("tool types: texts end no comment", () => {
  const description = 'a */ b """ c\\ \u2028 d\r\n# e"';
  const tools = [{ name: "t", description }];
  const typescript = renderTools(tools, "typescript", WIDE);
  assertEquals(typescript.split("*/").length, 2);
  assertEquals(renderTools(tools, "python", WIDE).split('"""').length, 3);
  for (const form of ["ruby", "perl"] as const) {
    const lines = renderTools(tools, form, WIDE).trimEnd().split("\n");
    assertEquals(lines.filter((line) => !line.startsWith("# ")).length, 1);
  }
});

Deno.test("tool types: any tools fit into any budget", () => {
  const seed = printedSeed("budgets of declarations");
  const below = seededBelow(seed);
  for (let round = 0; round < 60; round++) {
    const tools = randomTools(below, 1 + below(20));
    const bytes = 300 + below(4_000);
    for (const form of TOOL_FORMS) {
      const text = renderTools(tools, form, bytes);
      assert(
        new TextEncoder().encode(text).length <= bytes,
        `${form}, ${bytes} bytes, seed ${seed}`,
      );
    }
  }
});

Deno.test("tool types: names of forms", () => {
  assertEquals(TOOL_FORMS.filter(isToolForm), TOOL_FORMS);
  for (const name of ["", "json", "toString", "__proto__", "Text"]) assert(!isToolForm(name), name);
});
