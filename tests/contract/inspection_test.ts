/** Looking into a context: variables and names, without any change of it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ContextVariable, InspectedName } from "../../shared/sandbox_types.ts";
import type { Language } from "../../client/protocol/types.ts";
import { sandboxTarget, shareService, type TargetSandbox } from "./sandbox_target.ts";

shareService();

async function variables(
  box: TargetSandbox,
  contextId: string,
  language: Language,
): Promise<readonly ContextVariable[]> {
  const answer = await box.send("GET", `/contexts/${contextId}/variables`, undefined, language);
  const body = await answer.json();
  assertEquals(answer.status, 200, JSON.stringify(body));
  return body.variables;
}

async function inspect(
  box: TargetSandbox,
  contextId: string,
  code: string,
): Promise<InspectedName & { readonly names: readonly string[] }> {
  const answer = await box.send("POST", `/contexts/${contextId}/inspect`, { code });
  const body = await answer.json();
  assertEquals(answer.status, 200, JSON.stringify(body));
  return { ...body, names: body.matches.map(({ name }: { name: string }) => name) };
}

const PYTHON = `
import math
count = 3
names = ["a"] * 500
table = {"a": 1}
def area(width, height=2):
    "The area."
    return width * height
class Shape:
    sides = 4
    def __repr__(self):
        open("/workspace/seen", "w").write("1")
        global count
        count += 1
        return "a shape"
    @property
    def broken(self): raise ValueError("no")
shape = Shape()
_hidden = 1
été = 1
`;

Deno.test("inspection: variables of Python have name, type, size and preview, and nothing changes", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const { id } = await box.context("python");
  await box.run("python", PYTHON, { contextId: id });
  const found = await variables(box, id, "python");
  assertEquals(found.map(({ name, type, size }) => [name, type, size]), [
    ["count", "int", undefined],
    ["names", "list", "500"],
    ["table", "dict", "1"],
    ["area", "function", undefined],
    ["Shape", "class", undefined],
    ["shape", "Shape", undefined],
    ["été", "int", undefined],
  ]);
  assertEquals(found[0]?.preview, "3");
  assertEquals(found.find(({ name }) => name === "shape")?.preview, "a shape");
  assert((found[1]?.preview.length ?? 999) <= 200);
  // what the class did when it was printed is gone, and no run was counted
  const { executionCount, results } = await box.run(
    "python",
    "import os\n[count, os.path.exists('/workspace/seen')]",
    { contextId: id },
  );
  assertEquals([executionCount, results[0]?.json], [2, [3, false]]);
});

Deno.test("inspection: names of Python are completed and explained from the memory", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const { id } = await box.context("python");
  await box.run("python", PYTHON, { contextId: id });
  assertEquals((await inspect(box, id, "x = ar")).names, ["area"]);
  assertEquals((await inspect(box, id, "math.sq")).names, ["sqrt"]);
  assertEquals((await inspect(box, id, "é")).names, ["été"]);
  assertEquals((await inspect(box, id, "whi")).names, ["while"]);
  const members = await inspect(box, id, "print(shape.");
  assertEquals(members.name, "shape.");
  assertEquals(members.names, ["broken", "sides"]);
  assertStringIncludes(
    (await inspect(box, id, "area")).text ?? "",
    "area(width, height=2)\n\nThe area.",
  );
  assertStringIncludes((await inspect(box, id, "count")).text ?? "", "count: int = 3");
  assertStringIncludes((await inspect(box, id, "print(len")).text ?? "", "len(obj");
  assertEquals((await inspect(box, id, "shape.broken")).text, undefined);
  for (const none of ["(1).", "area(1, 2).", "'text'.", "  ", "1 + ", "nothing_like_it"]) {
    const { names, text } = await inspect(box, id, none);
    if (none.trim() !== "" && !none.endsWith("+ ")) {
      assertEquals([names, text], [[], undefined], none);
    }
  }
});

Deno.test("inspection: names and variables of JavaScript include those of let, const and class", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const { id } = await box.ok("POST", "/notebook", { nbformat: 4, cells: [] }, {
    language: "javascript",
    status: 201,
  });
  const contextId = String(id);
  const code =
    "const first = 1; let list = [1, 2]; var third = 'x'; function area(w, h) { return w }\n" +
    "class Shape { side() {} get broken() { throw 1 } }; const shape = new Shape()";
  await box.run("javascript", code, { contextId });
  const found = await variables(box, contextId, "javascript");
  assertEquals(
    new Map(found.map(({ name, type, size }) => [name, [type, size]])),
    new Map<string, (string | undefined)[]>([
      ["third", ["string", "1"]],
      ["area", ["function", undefined]],
      ["first", ["number", undefined]],
      ["list", ["Array", "2"]],
      ["Shape", ["class", undefined]],
      ["shape", ["Shape", undefined]],
    ]),
  );
  assertEquals((await inspect(box, contextId, "fir")).names, ["first"]);
  assertEquals((await inspect(box, contextId, "Math.sq")).names, ["sqrt"]);
  const { names } = await inspect(box, contextId, "shape.");
  assert(names.includes("side") && names.includes("broken"));
  assertStringIncludes((await inspect(box, contextId, "area")).text ?? "", "return w");
});

Deno.test("inspection: a hostile context harms only its own answer", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const { id } = await box.context("python");
  const hostile = `
class Endless:
    def __repr__(self):
        while True: pass
class Huge:
    def __repr__(self): return "x" * 5_000_000
huge = [Huge() for _ in range(3)]
`;
  await box.run("python", hostile, { contextId: id });
  for (const { preview } of await variables(box, id, "python")) assert(preview.length <= 1_000);
  await box.run("python", "endless = Endless()", { contextId: id });
  await box.fails([400, "VALIDATION_FAILED"], "GET", `/contexts/${id}/variables`);
  // the context goes on
  assertEquals(await box.value("python", "len(huge)", { contextId: id }), "3");
  await box.run("python", "import builtins\nbuiltins.dir = lambda *a: ['x' * 9_000] * 9", {
    contextId: id,
  });
  for (const name of (await inspect(box, id, "huge.x")).names) assert(name.length <= 200);
});

Deno.test("inspection: what cannot be looked into is refused", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const { id } = await box.context("perl");
  await box.fails([400, "VALIDATION_FAILED"], "GET", `/contexts/${id}/variables`);
  await box.fails([404, "CONTEXT_NOT_FOUND"], "GET", "/contexts/none/variables");
  await box.fails([404, "CONTEXT_NOT_FOUND"], "POST", "/contexts/none/inspect", { code: "a" });
  await box.fails([400, "VALIDATION_FAILED"], "POST", `/contexts/${id}/inspect`, { code: 1 });
});
