import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Ending } from "../../../../runtimes/engine/engine.ts";
import { errorOf, run } from "./support.ts";

const text = (value: string): Ending => ({ kind: "text", text: value });
const json = (value: string): Ending => ({ kind: "json", json: value });
const NONE: Ending = { kind: "none" };

const CASES: readonly (readonly [code: string, ending: Ending])[] = [
  ["1 + 1", text("2")],
  ["'text'", text("'text'")],
  ["2 ** 100", text("1267650600228229401496703205376")],
  ["None", NONE],
  ["x = 5", NONE],
  ["print(end='')", NONE],
  ["", NONE],
  ["# nothing", NONE],
  ["5\nx = 1", NONE],
  ["5; 6", text("6")],
  ["if True:\n    5", NONE],
  ["for i in range(3): i", NONE],
  ["def f(): return 1\nf()", text("1")],
  ["(1, 2)", text("(1, 2)")],
  ["{1}", text("{1}")],
  ["b'x'", text("b'x'")],
  ["1.5", text("1.5")],
  ["True", text("True")],
  ["object", text("<class 'object'>")],
  ["[1, 2.5, None, True, 'é']", json('[1, 2.5, null, true, "é"]')],
  ["{'a': {'b': [1, (2, 3)]}}", json('{"a": {"b": [1, [2, 3]]}}')],
  ["{1: 'a', None: 'b', 2.5: 'c'}", json('{"1": "a", "null": "b", "2.5": "c"}')],
  ["[]", json("[]")],
  ["{}", json("{}")],
  ["class A(list): pass\nA([1])", json("[1]")],
  ["import collections\ncollections.Counter('aab')", json('{"a": 2, "b": 1}')],
  ["import collections\ncollections.OrderedDict(b=1, a=2)", json('{"b": 1, "a": 2}')],
  ["import enum\nclass E(enum.IntEnum):\n    A = 1\n[E.A]", json("[1]")],
  ["['\\ud800']", json('["\\ud800"]')],
  ["{1: 2, '1': 3}", text("{1: 2, '1': 3}")],
  ["{'a': {1: 2, '1': 3}}", text("{'a': {1: 2, '1': 3}}")],
  ["[float('nan')]", text("[nan]")],
  ["{'x': float('inf')}", text("{'x': inf}")],
  ["[b'x']", text("[b'x']")],
  ["{(1, 2): 3}", text("{(1, 2): 3}")],
  ["a = [1]\na.append(a)\na", text("[1, [...]]")],
  ["a = {}\na['self'] = a\na", text("{'self': {...}}")],
  ["a = [1]\n[a, a]", json("[[1], [1]]")],
  ["async def f(): return 3\nf()", text("3")],
  ["async def f(): return 3\nawait f()", text("3")],
  ["async def f(): return None\nf()", NONE],
  ["(i for i in range(2)).gi_running", text("False")],
  ["class A:\n    def __repr__(self): return 'shown'\nA()", text("shown")],
];

for (const [code, ending] of CASES) {
  Deno.test(`value: ${JSON.stringify(code)}`, async () => {
    assertEquals((await run(code)).ending, ending);
  });
}

Deno.test("value: a hostile repr is the guest's own error", async () => {
  const raising = await errorOf("class A:\n    def __repr__(self): 1 / 0\nA()");
  assertEquals([raising.name, raising.lineNumber], ["ZeroDivisionError", 2]);
  assertEquals(
    (await errorOf("class A:\n    def __repr__(self): return 5\nA()")).name,
    "TypeError",
  );
  const { ending } = await run("class A:\n    def __repr__(self):\n        while True: pass\nA()");
  assertEquals(ending.kind === "limit" && ending.limit, "fuel");
});

Deno.test("value: a guest that breaks built-ins and the library still gets its value", async () => {
  const broken = [
    "import builtins\nbuiltins.print = builtins.len = builtins.repr = builtins.isinstance = None",
    "import json, traceback, linecache, ast, inspect\njson.dumps = ast.parse = inspect.isawaitable = None",
    "import sys\nsys.modules.clear()",
    "import sys\nsys.stdout.close()",
    "import sys\nsys.stdout = sys.stderr = None",
    "import sys\nsys.setrecursionlimit(40)",
    "import sys\nsys.settrace(lambda *a: None)",
    "import sys\nsys.excepthook = lambda *a: 1 / 0",
    "del __builtins__",
  ];
  for (const code of broken) {
    assertEquals((await run(`${code}\n{'a': [1]}`)).ending, json('{"a": [1]}'), code);
  }
});

Deno.test("value: an error is described even when the guest broke the code that describes it", async () => {
  const error = await errorOf(
    "import builtins, traceback\nbuiltins.len = builtins.isinstance = None\ntraceback.TracebackException = None\ndef f():\n    1 / 0\nf()",
  );
  assertEquals([error.name, error.message, error.lineNumber], [
    "ZeroDivisionError",
    "division by zero",
    5,
  ]);
  assertStringIncludes(error.traceback.join("\n"), '  File "main.py", line 5, in f\n    1 / 0');
});

Deno.test("value: the result limit counts bytes, and does not apply below it", async () => {
  const limits = { resultBytes: 100 };
  assertEquals((await run("'é' * 49", { limits })).ending.kind, "text");
  const { ending } = await run("'é' * 50", { limits });
  assertEquals(ending, { kind: "limit", limit: "result", traceback: [] });
  assertEquals((await run("[0] * 60", { limits })).ending.kind, "limit");
});
