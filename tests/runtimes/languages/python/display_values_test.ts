import { assert, assertEquals } from "@std/assert";
import { type Display, displayIn, displaysOf, pristineEngine, shownBy } from "./displays.ts";
import { errorOf } from "./support.ts";

const CLASS = "class A:\n";

/** A class with methods, each of which gives an expression. */
function classWith(methods: Readonly<Record<string, string>>): string {
  const lines = Object.entries(methods).map(([name, value]) =>
    `    def ${name}(self, **_): return ${value}\n`
  );
  return CLASS + lines.join("");
}

const METHODS: readonly (readonly [name: string, gives: string, data: Display["data"]])[] = [
  ["_repr_html_", "'<b>é</b>'", { "text/html": "<b>é</b>" }],
  ["_repr_markdown_", "'# x'", { "text/markdown": "# x" }],
  ["_repr_svg_", "'<svg/>'", { "image/svg+xml": "<svg/>" }],
  ["_repr_png_", "b'\\x89PNG'", { "image/png": "iVBORw==" }],
  ["_repr_png_", "'iVBO\\nRw==\\n'", { "image/png": "iVBORw==" }],
  ["_repr_jpeg_", "b'\\xff\\xd8'", { "image/jpeg": "/9g=" }],
  ["_repr_latex_", "'$x$'", { "text/latex": "$x$" }],
  ["_repr_json_", "{'a': [1, None, True]}", { "application/json": { a: [1, null, true] } }],
  ["_repr_json_", "[1.5]", { "application/json": [1.5] }],
  ["_repr_json_", "'{\"a\": 1}'", { "application/json": { a: 1 } }],
  ["_repr_json_", "'no JSON'", { "application/json": "no JSON" }],
  ["_repr_mimebundle_", "{'text/x': 'y', 'image/gif': b'GIF'}", {
    "text/x": "y",
    "image/gif": "R0lG",
  }],
  ["_repr_mimebundle_", "{'application/vnd.x+json': {'a': 1}}", {
    "application/vnd.x+json": { a: 1 },
  }],
  ["_repr_html_", "b'bytes'", { "text/html": "Ynl0ZXM=" }],
  ["_repr_html_", "''", { "text/html": "" }],
];

for (const [name, gives, data] of METHODS) {
  Deno.test(`displays: ${name} that gives ${gives}`, async () => {
    assertEquals(await shownBy(`${classWith({ [name]: gives })}display(A())`), [{ data }]);
  });
}

const NOTHING = ["None", "5", "['<b>']", "object()", "bytearray(b'x')", "(None, {})"];

Deno.test("displays: None, and content that is neither text nor bytes, is ignored", async () => {
  for (const gives of NOTHING) {
    const code = `${classWith({ _repr_html_: gives, _repr_latex_: "'$x$'" })}display(A())`;
    assertEquals(await shownBy(code), [{ data: { "text/latex": "$x$" } }], gives);
  }
  const notThere = `${CLASS}    _repr_html_ = None\n    _repr_png_ = 5
    def _repr_svg_(self): raise NotImplementedError
    @property
    def _repr_jpeg_(self): raise AttributeError
    def __repr__(self): return "plain"
display(A())`;
  assertEquals(await shownBy(notThere), [{ data: { "text/plain": "plain" } }]);
  const bundle = "{'text/a': None, 'text/b': 5, 'text/c': {}, 6: 'x', 'text/d': 'd'}";
  const code = `${classWith({ _repr_mimebundle_: bundle })}display(A())`;
  assertEquals(await shownBy(code), [{ data: { "text/d": "d" } }]);
});

Deno.test("displays: all that a class shows is taken, and the bundle wins for each of its types", async () => {
  const code = classWith({
    _repr_latex_: "order.append('latex') or '$x$'",
    _repr_html_: "order.append('html') or 'not this'",
    _repr_mimebundle_: "{'text/html': 'this', 'text/plain': 'text'}, {'text/html': {'a': 1}}",
    _repr_png_: "(b'png', {'width': 3})",
    _repr_svg_: "(None, {'width': 3})",
    __repr__: "'not this'",
  });
  assertEquals(await shownBy(`order = []\n${code}display(A())\nprint(order)`), [{
    data: {
      "text/html": "this",
      "text/plain": "text",
      "image/png": "cG5n",
      "text/latex": "$x$",
    },
    metadata: { "text/html": { a: 1 }, "image/png": { width: 3 } },
  }]);
  assertEquals(
    (await displaysOf(`order = []\n${code}display(A())\nprint(order)`)).stdout,
    "['latex']\n",
  );
});

Deno.test("displays: the text of a value is with the rest when its class makes one", async () => {
  const html = { _repr_html_: "'<b>'" };
  const data = { "text/html": "<b>", "text/plain": "text" };
  const withText = classWith({ ...html, __repr__: "'text'" });
  assertEquals(await shownBy(`${withText}display(A())\nA()`), [{ data }, { data, main: true }]);
  assertEquals(await shownBy(`${classWith(html)}display(A())`), [{ data: { "text/html": "<b>" } }]);
});

Deno.test("displays: methods are those of the class, and of its bases", async () => {
  const html = [{ data: { "text/html": "h" } }];
  const inherited = `${classWith({ _repr_html_: "'h'" })}class B(A): pass\n`;
  assertEquals(await shownBy(`${inherited}display(B())`), html);
  const bound =
    `${CLASS}    @classmethod\n    def _repr_html_(cls): return cls.__name__.replace("A", "h")
    @staticmethod\n    def _repr_latex_(): return "l"\n    @property\n    def _repr_svg_(self): return lambda: "s"
display(A())`;
  assertEquals(await shownBy(bound), [{
    data: { "text/html": "h", "image/svg+xml": "s", "text/latex": "l" },
  }]);
  const none = [
    `${inherited}display(A)`,
    `${CLASS}    pass\na = A()\na._repr_html_ = lambda: 'h'\ndisplay(a)`,
    `${CLASS}    def __getattr__(self, name): return lambda *a, **k: "h"\ndisplay(A())`,
    "import unittest.mock\ndisplay(unittest.mock.MagicMock())",
    `class M(type):\n    def __getattr__(cls, name): return lambda *a: "h"\nclass A(metaclass=M): pass\ndisplay(A(), A)`,
  ];
  for (const code of none) {
    const types = (await shownBy(code)).flatMap(({ data }) => Object.keys(data));
    assert(types.length > 0 && types.every((type) => type === "text/plain"), code);
  }
});

Deno.test("displays: a bundle is asked with include and exclude, if it takes them", async () => {
  for (
    const parameters of ["", ", include=None, exclude=None", ", **kwargs", ", *, include, exclude"]
  ) {
    const code =
      `${CLASS}    def _repr_mimebundle_(self${parameters}): return {"text/x": "y"}\ndisplay(A())`;
    assertEquals(await shownBy(code), [{ data: { "text/x": "y" } }], parameters);
  }
});

Deno.test("displays: display() shows each object, in order, and gives None", async () => {
  const code = `${
    classWith({ _repr_html_: "'<i>'" })
  }display(1, 'two', [3], A(), None, {'a': 1})\n`;
  const text = (value: string) => ({ data: { "text/plain": value } });
  const expected = [
    text("1"),
    text("'two'"),
    text("[3]"),
    { data: { "text/html": "<i>" } },
    text("None"),
    text("{'a': 1}"),
  ];
  assertEquals(await shownBy(code), expected);
  assertEquals((await displaysOf(code)).ending, { kind: "none" });
  assertEquals(await shownBy("display()"), []);
  assertEquals((await displaysOf("display(1) is None")).ending, { kind: "text", text: "True" });
});

const OPTIONS: readonly (readonly [call: string, displays: readonly Display[]])[] = [
  ["{'text/html': 'h', 'image/png': b'p'}, raw=True", [
    { data: { "text/html": "h", "image/png": "cA==" } },
  ]],
  ["{}, {'text/html': 'h'}, raw=True", [{ data: { "text/html": "h" } }]],
  ["A(), include=['text/html']", [{ data: { "text/html": "h" } }]],
  ["A(), include='text/plain'", [{ data: { "text/plain": "a" } }]],
  ["A(), exclude={'text/html', 'text/plain'}", [{ data: { "text/latex": "l" } }]],
  ["1, include=['text/html']", []],
  ["{'text/html': 'h', 'text/x': 'x'}, raw=True, exclude=['text/x']", [
    { data: { "text/html": "h" } },
  ]],
  ["1, metadata={'a': {'b': 2}}", [{ data: { "text/plain": "1" }, metadata: { a: { b: 2 } } }]],
  ["1, clear=True, transient={}, display_id='x'", [{ data: { "text/plain": "1" } }]],
];

for (const [call, displays] of OPTIONS) {
  Deno.test(`displays: display(${call})`, async () => {
    const methods = { _repr_html_: "'h'", _repr_latex_: "'l'", __repr__: "'a'" };
    assertEquals(await shownBy(`${classWith(methods)}x = display(${call})`), displays);
  });
}

Deno.test("displays: metadata of a call is added to that of the value", async () => {
  const code = classWith({ _repr_html_: "('h', {'a': 1, 'b': 2})" });
  assertEquals(await shownBy(`${code}display(A(), metadata={'text/html': {'b': 3}})`), [{
    data: { "text/html": "h" },
    metadata: { "text/html": { a: 1, b: 3 } },
  }]);
});

Deno.test("displays: a handle displays again", async () => {
  const code = "handle = display(1, display_id=True)\nhandle.update(2)\nhandle.display(3)";
  const expected = ["1", "2", "3"].map((text) => ({ data: { "text/plain": text } }));
  assertEquals(await shownBy(code), expected);
});

Deno.test("displays: content that cannot be displayed raises an error in the program", async () => {
  const cases: readonly (readonly [code: string, name: string, message: string])[] = [
    ["display('x', raw=True)", "TypeError", "display(raw=True) takes dicts of MIME types, not str"],
    [
      "display({'application/json': {1, 2}}, raw=True)",
      "TypeError",
      "Object of type set is not JSON serializable",
    ],
    [
      "display({'application/json': [float('nan')]}, raw=True)",
      "ValueError",
      "Out of range float values are not JSON compliant: nan",
    ],
    [
      "x = []\nx.append(x)\ndisplay({'application/json': x}, raw=True)",
      "ValueError",
      "Circular reference detected",
    ],
    [
      "display(1, metadata={'a': display})",
      "TypeError",
      "Object of type function is not JSON serializable",
    ],
  ];
  for (const [code, name, message] of cases) {
    const error = await errorOf(code);
    assertEquals([error.name, error.message], [name, message], code);
    assert(!error.traceback.join("\n").includes("belljar"), error.traceback.join("\n"));
  }
});

Deno.test("displays: the value of the last expression is last, when it has more than text and JSON", async () => {
  const html = classWith({ _repr_html_: "display('inner') or '<b>'", __repr__: "'text'" });
  const { displays, ending } = await displaysOf(`${html}display(1)\nA()`);
  assertEquals(displays, [
    { data: { "text/plain": "1" } },
    { data: { "text/plain": "'inner'" } },
    { data: { "text/html": "<b>", "text/plain": "text" }, main: true },
  ]);
  assertEquals(ending, { kind: "text", text: "text" });
  for (const json of ["_repr_json_", "_repr_mimebundle_"]) {
    const given = json === "_repr_json_" ? "[1]" : "{'text/plain': 'x', 'application/json': 5}";
    assertEquals(await shownBy(`${classWith({ [json]: given })}A()`), [], json);
  }
  assertEquals(await shownBy(`${html}A()\nx = 1`), []);
  assertEquals(await shownBy("[1]\n"), []);
});

Deno.test("displays: the value follows displays made at the end of the program", async () => {
  const code = `${classWith({ _repr_html_: "'<b>'", __del__: "display('gone')" })}
import atexit
atexit.register(display, "exit")
kept = A()
A()`;
  assertEquals(await shownBy(code), [
    { data: { "text/plain": "'gone'" } },
    { data: { "text/plain": "'exit'" } },
    { data: { "text/plain": "'gone'" } },
    { data: { "text/html": "<b>" }, main: true },
  ]);
});

Deno.test("displays: results stay as they are, with awaited values and containers too", async () => {
  const table = `class A(dict):\n    def _repr_html_(self): return "<table>"\n`;
  const { displays, ending } = await displaysOf(`${table}A(a=1)`);
  assertEquals(displays, [{ data: { "text/html": "<table>" }, main: true }]);
  assertEquals(ending, { kind: "json", json: '{"a": 1}' });
  const awaited = `${classWith({ _repr_html_: "'<b>'" })}async def make():
    display(1)
    return A()
await make()`;
  assertEquals(await shownBy(awaited), [
    { data: { "text/plain": "1" } },
    { data: { "text/html": "<b>" }, main: true },
  ]);
});

Deno.test("displays: come in order with output, and an error leaves those before it", async () => {
  const { displays, ending } = await displaysOf("display(1)\n1 / 0\ndisplay(2)");
  assertEquals(displays, [{ data: { "text/plain": "1" } }]);
  assertEquals(ending.kind, "error");
});

Deno.test("displays: text of every kind arrives, lone surrogates as escapes", async () => {
  const text = '"quoted" \\ \\n\u2028 é 😀 \u0000';
  const code = `display({'text/x': ${
    JSON.stringify(text).replaceAll("\u2028", "\\u2028")
  }}, raw=True)`;
  assertEquals(await shownBy(code), [{ data: { "text/x": text } }]);
  const lone = await shownBy("display({'text/x': '\\ud800x'}, raw=True)");
  assertEquals(lone[0]?.data["text/x"], "\ud800x");
});

Deno.test("displays: wide JSON and brackets in strings are not deep", async () => {
  const code =
    `display({'application/json': [[{'[': '[' * 300 + '"' + chr(92)}] for _ in range(300)]}, raw=True)`;
  const [display] = await shownBy(code);
  const row = [{ "[": "[".repeat(300) + '"\\' }];
  assertEquals(display?.data["application/json"], Array.from({ length: 300 }, () => row));
});

Deno.test("displays: a program can have a display of its own", async () => {
  const own = "def display(x): return f'own {x}'\ndisplay(1)";
  const { displays, ending } = await displaysOf(own);
  assertEquals([displays, ending], [[], { kind: "text", text: "'own 1'" }]);
  const builtin = "import builtins\n[builtins.display is display, display.__name__]";
  assertEquals((await displaysOf(builtin)).ending, { kind: "json", json: '[true, "display"]' });
});

Deno.test("displays: each run of a context has its own", async () => {
  const on = await pristineEngine();
  const first = displayIn(on, `${classWith({ _repr_html_: "'<b>'" })}a = A()\na`, {
    inContext: true,
  });
  assertEquals(first.displays, [{ data: { "text/html": "<b>" }, main: true }]);
  on.state.endRun();
  assertEquals(displayIn(on, "1", { inContext: true }).displays, []);
  on.state.endRun();
  assertEquals(displayIn(on, "display(a)", { inContext: true }).displays, [
    { data: { "text/html": "<b>" } },
  ]);
});

Deno.test("displays: cost the same in every run, and almost nothing if unused", async () => {
  const code = `${classWith({ _repr_html_: "'<b>'", _repr_png_: "b'x' * 1000" })}display(A())\nA()`;
  const costs = new Set<number>();
  for (let times = 0; times < 3; times++) costs.add((await displaysOf(code)).fuelConsumed);
  assertEquals(costs.size, 1);
  const plain = (await displaysOf("class A: pass\na = A()\n0")).fuelConsumed;
  const instance = (await displaysOf("class A: pass\na = A()\na")).fuelConsumed;
  assert(instance - plain < 300_000, `${instance - plain}`);
});

Deno.test("displays: over a limit the run continues, and ends with that limit", async () => {
  const cases: readonly (readonly [code: string, kept: number])[] = [
    ["for i in range(20): display(i)", 16],
    ["display({'text/html': 'x' * (2 << 20)}, raw=True)\ndisplay(1)", 0],
    ["import os\ndisplay({'image/png': os.urandom(900_000)}, raw=True)", 0],
    ["import os\nfor _ in range(3): display({'image/png': os.urandom(300_000)}, raw=True)", 2],
    [`${classWith({ _repr_html_: "'x' * (2 << 20)" })}print("after")\nA()`, 0],
  ];
  for (const [code, kept] of cases) {
    const { displays, ending, stdout } = await displaysOf(
      code.includes("after") ? code : `${code}\nprint("after")`,
    );
    assertEquals([displays.length, stdout], [kept, "after\n"], code);
    assertEquals(ending, { kind: "limit", limit: "display", traceback: [] });
  }
});
