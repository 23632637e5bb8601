/** Displays of Python programs, in answers, streams and contexts. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Display, ExecutionResult } from "../../client/protocol/types.ts";
import { PYPLOT_STAND_IN } from "../runtimes/languages/python/pyplot_stand_in.ts";
import { type SandboxTarget, sandboxTarget, shareService } from "./sandbox_target.ts";
import { jsonPost } from "../support/json_post.ts";

shareService();

const TABLE = `
class Table:
    def _repr_html_(self): return "<table/>"
    def __repr__(self): return "a table"
`;
const SHOWING = `${TABLE}
from IPython.display import Image, display
print("one")
display(Table(), 5)
print("two")
display(Image(b"\\x89PNG\\r\\n\\x1a\\n", width=3))
Table()`;
const HTML: Display["data"] = { "text/html": "<table/>", "text/plain": "a table" };
const SHOWN: readonly Display[] = [
  { data: HTML },
  { data: { "text/plain": "5" } },
  { data: { "image/png": "iVBORw0KGgo=" }, metadata: { "image/png": { width: 3 } } },
  { data: HTML, main: true },
];
const SOURCES = JSON.stringify(JSON.stringify(PYPLOT_STAND_IN));
const FIGURES = `
import json, os, pathlib
os.makedirs("matplotlib", exist_ok=True)
for path, text in json.loads(${SOURCES}).items():
    pathlib.Path(path).write_text(text)
import matplotlib.pyplot as plt
plt.plot(1)
figure = plt.figure()
`;

function request(code: string, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return jsonPost({ code }, headers);
}

async function run(target: SandboxTarget, path: string, code: string): Promise<ExecutionResult> {
  const response = await target.call(path, request(code));
  assertEquals(response.status, 200);
  return await response.json();
}

type Step = (target: SandboxTarget, path: string) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  "the answer has them in order, the value last, beside the result": async (target, path) => {
    const result = await run(target, path, SHOWING);
    assertEquals(result.displays, SHOWN);
    assertEquals([result.results, result.error], [[{ text: "a table" }], undefined]);
    for (const code of ["7", "[1]", "class A: pass\nA()"]) {
      assertEquals("displays" in await run(target, path, code), false, code);
    }
  },

  "a stream has them where they arise": async (target, path) => {
    const accept = { accept: "application/x-ndjson" };
    const response = await target.plainCall(path, request(SHOWING, accept));
    const events = (await response.text()).trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(
      events.map(({ type, text, display }) => text ?? display ?? type),
      ["start", "one", SHOWN[0], SHOWN[1], "two", SHOWN[2], SHOWN[3], "end"],
    );
    assertEquals(events.at(-1).execution.displays, SHOWN);
  },

  "too many are dropped, and told after the program's end": async (target, path) => {
    const code = `${TABLE}for n in range(17): display(n)\nprint("on")\nTable()`;
    const { displays, error, logs, results } = await run(target, path, code);
    assertEquals([displays?.length, logs.stdout, results], [16, ["on"], []]);
    assertEquals(error?.name, "ExecutionLimitError");
    assertMatch(error?.message ?? "", /^Display limit /);
  },

  "a method that raises is the program's error, and what was shown before stays": async (
    target,
    path,
  ) => {
    const code = "class A:\n    def _repr_png_(self): 1 / 0\ndisplay(1)\nA()";
    const { displays, error, results } = await run(target, path, code);
    assertEquals([displays, results], [[{ data: { "text/plain": "1" } }], []]);
    assertEquals([error?.name, error?.lineNumber], ["ZeroDivisionError", 2]);
  },

  "figures that are open at the end are displayed as PNG": async (target, path) => {
    const { displays } = await run(target, path, `${FIGURES}None`);
    assertEquals(displays?.map(({ data }) => data["image/png"]), [
      btoa("png of [1]"),
      btoa("png of ['nothing']"),
    ]);
  },
};

Deno.test("displays of Python", async (t) => {
  await using target = sandboxTarget();
  const inSandbox = `/languages/python/sandboxes/${target.sandbox().id}/execute`;
  for (const [place, path] of [["stateless", "/execute/python"], ["in a sandbox", inSandbox]]) {
    for (const [name, step] of Object.entries(STEPS)) {
      await t.step(`${place}: ${name}`, () => step(target, path ?? ""));
    }
  }

  await t.step("a context continues after too many displays, and shows its values", async () => {
    const path = `/languages/python/sandboxes/${target.sandbox().id}/execute`;
    const first = await run(target, path, `${TABLE}kept = Table()\nfor n in range(17): display(n)`);
    assert(first.error !== undefined && first.context?.rolledBack !== true);
    assertEquals((await run(target, path, "kept")).displays, [{ data: HTML, main: true }]);
    assertEquals("displays" in await run(target, path, "x = 1"), false);
  });

  await t.step("figures are closed at the end of a run of a context", async () => {
    const path = `/languages/python/sandboxes/${target.sandbox().id}/execute`;
    assertEquals((await run(target, path, `${FIGURES}figure`)).displays?.length, 2);
    const { displays, results } = await run(target, path, "plt.get_fignums()");
    assertEquals([displays, results], [undefined, [{ json: [] }]]);
  });
});
