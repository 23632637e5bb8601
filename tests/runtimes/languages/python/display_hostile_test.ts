// test: long
import { assert, assertEquals } from "@std/assert";
import { type Display, displaysOf, shownBy } from "./displays.ts";
import { errorOf, show } from "./support.ts";

const METHODS =
  "_repr_mimebundle_ _repr_html_ _repr_markdown_ _repr_svg_ _repr_png_ _repr_jpeg_ _repr_latex_ _repr_json_"
    .split(" ");

Deno.test("hostile displays: a method that raises is the program's own error", async () => {
  for (const method of METHODS) {
    for (const shown of ["display(A())", "A()"]) {
      const error = await errorOf(
        `class A:\n    def ${method}(self, **_):\n        1 / 0\n${shown}`,
      );
      assertEquals([error.name, error.lineNumber], ["ZeroDivisionError", 3], method);
      assert(!error.traceback.join("\n").includes("belljar"), error.traceback.join("\n"));
    }
  }
});

Deno.test("hostile displays: a try statement catches errors of displays", async () => {
  const raising = ["ValueError('x')", "StopIteration(1)", "GeneratorExit", "KeyboardInterrupt"];
  for (const error of raising) {
    const code = `class A:\n    def _repr_html_(self): raise ${error}
try: display(A())
except BaseException as error: caught = type(error).__name__, error.__context__
caught`;
    const { ending } = await displaysOf(code);
    assertEquals(ending, { kind: "text", text: `('${error.replace(/\(.*/, "")}', None)` });
  }
});

Deno.test("hostile displays: a method that never ends is ended by fuel", async () => {
  const limits = { fuel: 500_000_000 };
  const endless = [
    "def _repr_html_(self):\n        while True: pass",
    "def _repr_png_(self):\n        while True:\n            try:\n                while True: pass\n            except BaseException: continue",
    "def _repr_mimebundle_(self, **_):\n        class D(dict):\n            def items(self):\n                while True: yield 1, 2\n        return {'application/json': D(a=1)}",
    "_repr_svg_ = property(lambda self: [0 for _ in iter(int, 1)])",
  ];
  for (const body of endless) {
    for (const shown of ["display(A())", "A()"]) {
      const { ending } = await displaysOf(`class A:\n    ${body}\n${shown}`, { limits });
      assertEquals(ending.kind === "limit" && ending.limit, "fuel", `${body} ${show(ending)}`);
    }
  }
});

Deno.test("hostile displays: an object that shows itself recurses like any other function", async () => {
  for (const body of ["display(self)", "self._repr_html_()"]) {
    for (const shown of ["display(A())", "A()"]) {
      const code = `class A:\n    def _repr_html_(self): ${body}\n${shown}`;
      assertEquals((await errorOf(code)).name, "RecursionError");
    }
  }
  const deep =
    "x = []\nfor _ in range(100_000): x = [x]\ndisplay({'application/json': x}, raw=True)";
  assertEquals((await errorOf(deep)).name, "RecursionError");
});

const EVIL = `
class Evil(Exception): pass
def evil(*a, **k): raise Evil
`;
/** Subclasses whose every method raises: what they hold is taken without asking them. */
const SUBCLASSES: readonly (readonly [kind: string, value: string, data: Display["data"]])[] = [
  ["str", "'text'", { "text/x": "text" }],
  ["bytes", "b'text'", { "text/x": "dGV4dA==" }],
];

Deno.test("hostile displays: subclasses of text, bytes and dicts show their contents", async () => {
  for (const [kind, value, data] of SUBCLASSES) {
    const names = `__str__ __repr__ __len__ __iter__ __getitem__ __eq__ __add__ __buffer__ __bytes__
      encode decode split join startswith`;
    const code = `${EVIL}
S = type("S", (${kind},), {name: evil for name in """${names}""".split()} | {"__hash__": ${kind}.__hash__})
class A:
    def _repr_mimebundle_(self, **_):
        D = type("D", (dict,), {name: evil for name in "items keys values get __iter__ __getitem__ __len__ __contains__".split()})
        T = type("T", (tuple,), {name: evil for name in "__len__ __getitem__ __iter__".split()})
        return T((D({"text/x": S(${value})}), D()))
display(A())`;
    assertEquals(await shownBy(code), [{ data }], kind);
  }
});

Deno.test("hostile displays: classes with hashes, comparisons and names of their own change nothing", async () => {
  const metaclass = `${EVIL}
class M(type):
    __hash__ = __eq__ = __instancecheck__ = __subclasscheck__ = __getattribute__ = evil
class A(metaclass=M):
    __class__ = int
    def _repr_html_(self): return "<b>"
display(A())`;
  assertEquals(await shownBy(metaclass), [{ data: { "text/html": "<b>" } }]);
  const changing = `
class A:
    def _repr_mimebundle_(self, **_):
        class D(dict):
            def items(inner):
                bundle.clear()
                return [("a", 1)]
        bundle = {"application/json": D(a=1), "text/html": "h"}
        return bundle
display(A())`;
  assertEquals(await shownBy(changing), [{
    data: { "application/json": { a: 1 }, "text/html": "h" },
  }]);
});

Deno.test("hostile displays: a guest that breaks built-ins and the library still displays", async () => {
  const broken = [
    "import builtins\nbuiltins.len = builtins.repr = builtins.isinstance = builtins.memoryview = None",
    "import json, posix, os\njson.dumps = json.loads = posix.open = posix.write = os.open = os.write = None",
    "import sys\nsys.modules.clear()",
    "import sys\nsys.stdout = sys.stderr = None",
    "import functools, binascii\nfunctools.partial = binascii.b2a_base64 = None",
    "import codecs\ncodecs.register_error('backslashreplace', None.__class__.__init__)",
    "import os\nos.chdir('/tmp')",
    "import sys\nsys.settrace(lambda *a: None)",
  ];
  const shown =
    "class A:\n    def _repr_png_(self): return b'\\x89'\ndisplay({'text/x': '\\ud800'}, raw=True)\nA()";
  for (const code of broken) {
    assertEquals(await shownBy(`${code}\n${shown}`), [
      { data: { "text/x": "\ud800" } },
      { data: { "image/png": "iQ==" }, main: true },
    ], code);
  }
});

Deno.test("hostile displays: an exit in a method is the exit of the program", async () => {
  for (const shown of ["display(A())", "A()"]) {
    for (const exit of ["sys.exit(3)", "os._exit(3)"]) {
      const error = await errorOf(
        `import os, sys\nclass A:\n    def _repr_html_(self): ${exit}\n${shown}`,
      );
      assertEquals([error.name, error.message], ["SystemExit", "exit status 3"]);
    }
  }
  const { displays } = await displaysOf("import os\ndisplay(1)\nos._exit(0)");
  assertEquals(displays, [{ data: { "text/plain": "1" } }]);
});

Deno.test("hostile displays: direct writes to the device do not mix with displays", async () => {
  const code =
    "open('/dev/display', 'w').write('{')\ndisplay(1)\nopen('/dev/display', 'w').write('[')";
  assertEquals(await shownBy(code), [{ data: { "text/plain": "1" } }]);
});
