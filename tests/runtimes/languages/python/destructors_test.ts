/**
 * `__del__` of objects in a program's variables when its process ends; runs in a context have no
 * such end.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { pythonEngine, run, runIn } from "./support.ts";

const SAYING = `
class Saying:
    def __init__(self, word):
        self.word = word
    def __del__(self):
        print("gone", self.word)
`;

Deno.test("destructors: objects in variables are destroyed at the end of the process, however it ends", async () => {
  const cases: readonly (readonly [ending: string, stdout: string])[] = [
    ["print('end')", "end\ngone a\n"],
    ["import atexit\natexit.register(print, 'at exit')", "at exit\ngone a\n"],
    ["1 / 0", "gone a\n"],
    ["import sys\nsys.exit(3)", "gone a\n"],
    ["import os\nos._exit(0)", ""],
    ["b = [Saying('b')]\nc = Saying('c')", "gone a\ngone c\ngone b\n"],
    ["a.me = a", "gone a\n"],
    ["await __import__('asyncio').sleep(0)", "gone a\n"],
    ["a", "gone a\n"],
  ];
  for (const [ending, stdout] of cases) {
    const ran = await run(`${SAYING}a = Saying("a")\n${ending}`);
    assertEquals(ran.stdout, stdout, ending);
  }
});

Deno.test("destructors: a destructor that raises is reported, and the others still run", async () => {
  const { ending, stdout, stderr } = await run(`
class Failing:
    def __del__(self):
        raise ValueError("in the end")
${SAYING}
first, second = Failing(), Saying("second")
None`);
  assertEquals([ending, stdout], [{ kind: "none" }, "gone second\n"]);
  assertStringIncludes(stderr, "ValueError: in the end");
  assertEquals(stderr.includes("belljar"), false, stderr);
});

Deno.test("destructors: an endless destructor ends with the fuel, and a resurrected object does no harm", async () => {
  const endless = "class A:\n    def __del__(self):\n        while True: pass\na = A()\nprint('x')";
  const { ending, stdout } = await run(endless, { limits: { fuel: 500_000_000 } });
  assertEquals([ending.kind === "limit" && ending.limit, stdout], ["fuel", "x\n"]);
  const staying = `
class A:
    def __del__(self):
        globals()["a"] = self
        globals()[object()] = A()
a = A()
1`;
  assertEquals((await run(staying)).ending, { kind: "text", text: "1" });
  assertEquals((await run("1 + 1")).ending, { kind: "text", text: "2" });
});

Deno.test("destructors: a run in a context leaves its variables to the next one", async () => {
  const on = await pythonEngine();
  on.reset();
  const first = runIn(on, `${SAYING}a = Saying("a")`, { inContext: true });
  on.state.endRun();
  const second = runIn(on, "print(a.word)\ndel a", { inContext: true });
  on.reset();
  assertEquals([first.stdout, second.stdout], ["", "a\ngone a\n"]);
});
