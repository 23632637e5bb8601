/** Shapes of answers of tools that have no outputSchema. */
import { assert, assertEquals } from "@std/assert";
import type { JsonValue } from "../../client/protocol/types.ts";
import { valueFault } from "../../shared/json_schema.ts";
import { renderTools, type ToolForm } from "../../shared/tool_types/render_tools.ts";
import { ObservedShapes } from "../../tools/observed_shapes.ts";
import { CLOCK } from "../outgoing/send.ts";
import { SECRET, serveTools, toolSets } from "./fixture.ts";

const TOOL = { name: "crm.find", revision: "1" };

/** The shape after these answers. */
function shapeOf(...answers: readonly unknown[]) {
  const shapes = new ObservedShapes();
  for (const answer of answers) shapes.add("ann", TOOL, JSON.stringify(answer));
  return shapes.of("ann")?.(TOOL);
}

/** The same as a model reads it. */
function textOf(...answers: readonly unknown[]): string {
  const tool = { name: "f", inputSchema: {}, observedSchema: shapeOf(...answers) };
  const [line = ""] = renderTools([tool], "text", 16_000).split("\n");
  return line.replace("f(…): ", "");
}

Deno.test("ObservedShapes: types of one answer, and of several", () => {
  const values: readonly (readonly [answers: readonly unknown[], type: string])[] = [
    [["x"], "string"],
    [[1], "integer"],
    [[1, 1.5], "number"],
    [[null, true], "boolean | null"],
    [[[1, 2], []], "list of integer"],
    [[[1, "a", null]], "list of (integer | null | string)"],
    [[[]], "list of any"],
    [[[{ a: 1 }], [{ a: 2, b: "x" }], [{ b: "y" }]], "list of {a?: integer, b?: string}"],
    [[{ a: { b: [1] } }, { a: { b: [null] } }], "{a: {b: list of (integer | null)}}"],
    [["x", { a: 1 }, { a: 2 }], "string | {a: integer}"],
  ];
  for (const [answers, type] of values) assertEquals(textOf(...answers), type);
});

Deno.test("ObservedShapes: a name is shown once two answers have had it, and a value never", () => {
  assertEquals(shapeOf({ "ann@example.com": "secret" }), { type: "object" });
  // twice in one answer is one answer
  assertEquals(shapeOf([{ "ann@example.com": 1 }, { "ann@example.com": 2 }]), {
    type: "array",
    items: { type: "object" },
  });
  const shape = shapeOf({ id: 1, "ann@example.com": "x" }, { id: 2, "bob@example.com": "y" });
  assertEquals(shape, {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
  });
});

Deno.test("ObservedShapes: objects with many, growing or long names are maps", () => {
  const map = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, { n }]));
  const expected = {
    type: "object",
    additionalProperties: {
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
    },
  };
  assertEquals(shapeOf(map(0, 33), map(0, 33)), expected);
  assertEquals(shapeOf(map(0, 20), map(0, 20), map(20, 20), map(20, 20)), expected);
  const long = { ["x".repeat(65)]: { n: 1 } };
  assertEquals(shapeOf(long, long), expected);
  assertEquals(shapeOf({ a: map(0, 20) }, { a: map(20, 20) }, { a: map(40, 1) }), {
    type: "object",
    properties: { a: expected },
    required: ["a"],
  });
});

Deno.test("ObservedShapes: depth, places, values, tools and tenants are bounded", () => {
  const deep = { a: { b: { c: { d: { e: 1 } } } } };
  assertEquals(textOf(deep, deep), "{a: {b: {c: {d: any}}}}");
  const wide = (depth: number): JsonValue =>
    depth === 0 ? 1 : Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`k${n}`, wide(depth - 1)]),
    );
  const shape = JSON.stringify(shapeOf(wide(3), wide(3), wide(3)));
  assert(shape.length < 20_000, `${shape.length}`);
  assertEquals(shapeOf("x".repeat(300_000)), undefined);
  const rows = Array.from({ length: 5_000 }, (_, n) => n < 4_999 ? n : "late");
  assertEquals(textOf(rows), "list of integer");
  const shapes = new ObservedShapes();
  for (let n = 0; n < 300; n++) {
    shapes.add("ann", { name: `t${n}`, revision: "1" }, "1");
    shapes.add(`tenant ${n}`, TOOL, "1");
  }
  assertEquals(shapes.of("tenant 0"), undefined);
  const of = shapes.of("ann");
  const known = Array.from({ length: 300 }, (_, n) => of?.({ name: `t${n}`, revision: "1" }));
  assertEquals(known.filter((schema) => schema !== undefined).length, 256);
  assertEquals(known.at(-1), { type: "integer" });
});

Deno.test("ObservedShapes: random answers fit their shape, and no shape holds a value", () => {
  let state = 12345;
  const below = (n: number) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
  const make = (level: number): JsonValue => {
    const kind = below(level > 5 ? 5 : 9);
    if (kind === 0) return null;
    if (kind === 1) return below(2) === 0;
    if (kind === 2) return below(100);
    if (kind === 3) return below(100) + 0.5;
    if (kind === 4) return `value${below(1000)}`;
    const items = Array.from(
      { length: below(kind === 5 && level === 0 ? 50 : 4) },
      () => make(level + 1),
    );
    if (kind < 7) return items;
    return Object.fromEntries(items.map((item) => [`name${below(40)}`, item]));
  };
  for (let round = 0; round < 200; round++) {
    const answers = Array.from({ length: 1 + below(6) }, () => make(0));
    const shape = shapeOf(...answers) ?? {};
    for (const answer of answers) assertEquals(valueFault(shape, answer), undefined);
    const text = JSON.stringify(shape);
    assert(!text.includes("value"), text);
    assert(text.length < 40_000);
  }
});

Deno.test(
  "observed shapes: a tool without an outputSchema has them for its tenant, marked as such",
  CLOCK,
  async () => {
    let found: unknown = { id: 1, name: SECRET };
    await using server = serveTools(({ target }) => {
      if (target === "/bad") return new Response(null, { status: 500 });
      return Response.json(found);
    });
    const operation = { method: "GET", headers: { "x-key": "${CRM_KEY}" } };
    const file = {
      operations: {
        "crm.find": { ...operation, url: `${server.url}/a` },
        "crm.typed": { ...operation, url: `${server.url}/a`, outputSchema: { type: "object" } },
        "crm.bad": { ...operation, url: `${server.url}/bad` },
      },
      tenants: { ann: ["*"], bob: ["*"] },
      privateAddresses: [server.address],
    };
    const tools = toolSets(file);
    try {
      const call = async (name: string) => {
        const tool = tools.of("ann").find((tool) => tool.name === name);
        await tools.call({
          tenant: "ann",
          name,
          revision: tool?.settings.revision ?? "",
          arguments: "{}",
          timeoutMs: 20_000,
          maxBytes: 10_000,
          signal: new AbortController().signal,
        });
      };
      const declared = (form: ToolForm, tenant = "ann") =>
        renderTools(tools.of(tenant), form, 16_000);
      const before = declared("typescript");
      for (const name of ["crm.find", "crm.typed", "crm.bad"]) await call(name);
      found = { id: 2, name: "x", [SECRET]: 1 };
      for (const name of ["crm.find", "crm.typed", "crm.bad"]) await call(name);
      const mark = "The type of the result is observed, not promised.";
      const types: { readonly [F in ToolForm]: string } = {
        typescript: "Promise<{ id: number; name: string }>",
        python: "class CrmFindResult(TypedDict):\n    id: int\n    name: str",
        ruby: '{ "id" => Integer, "name" => String }',
        perl: "Dict[id => Int, name => Str]",
        text: "{id: integer, name: string}",
      };
      for (const form of ["typescript", "python", "ruby", "perl", "text"] as const) {
        const text = declared(form);
        assert(text.includes(types[form]), text);
        assertEquals(text.split(mark).length, 2, text);
        assert(!text.includes(SECRET), text);
      }
      // nobody else's, and not that of another target
      assertEquals(declared("typescript", "bob"), before);
      const { toolsFile } = await import("./fixture.ts");
      tools.replace(
        toolsFile({
          ...file,
          operations: {
            ...file.operations,
            "crm.find": { ...operation, url: `${server.url}/other` },
          },
        }),
      );
      assertEquals(declared("typescript"), before);
      // with little room the promised parts stay
      tools.replace(toolsFile(file));
      assertEquals(
        renderTools(tools.of("ann"), "typescript", new TextEncoder().encode(before).length),
        before,
      );
    } finally {
      await tools.close();
    }
  },
);
