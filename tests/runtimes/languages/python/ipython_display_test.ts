import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Display, displaysOf, shownBy } from "./displays.ts";
import { errorOf, valueOf } from "./support.ts";

const IMPORT = "from IPython.display import *\n";
const PNG = String.raw`b"\x89PNG\r\n\x1a\nrest"`;
const ENCODED = "iVBORw0KGgpyZXN0";

const SHOWN: readonly (readonly [object: string, display: Display])[] = [
  ["HTML('<b>x</b>')", { data: { "text/html": "<b>x</b>" } }],
  ["Markdown('# x')", { data: { "text/markdown": "# x" } }],
  ["Latex('$x$', metadata={'a': 1})", {
    data: { "text/latex": "$x$" },
    metadata: { "text/latex": { a: 1 } },
  }],
  ['SVG(\'<?xml version="1.0"?>\\n<svg a="1"><g/></svg>\\n\')', {
    data: { "image/svg+xml": '<svg a="1"><g/></svg>' },
  }],
  ["SVG(b'<svg>\\xc3\\xa9</svg>')", { data: { "image/svg+xml": "<svg>é</svg>" } }],
  ["JSON({'a': [1]})", { data: { "application/json": { a: [1] } } }],
  ["JSON('[1, 2]', expanded=True)", {
    data: { "application/json": [1, 2] },
    metadata: { "application/json": { expanded: true } },
  }],
  [`Image(${PNG})`, { data: { "image/png": ENCODED } }],
  [`Image(data=${PNG}, width=10, height=20, alt='x', unconfined=True)`, {
    data: { "image/png": ENCODED },
    metadata: { "image/png": { width: 10, height: 20, unconfined: true, alt: "x" } },
  }],
  ["Image(b'\\xff\\xd8x')", { data: { "image/jpeg": "/9h4" } }],
  ["Image(b'GIF89ax')", { data: { "image/gif": "R0lGODlheA==" } }],
  ["Image(b'x', format='JPG')", { data: { "image/jpeg": "eA==" } }],
  ["Image(bytearray(b'x'))", { data: { "image/png": "eA==" } }],
  ["Image(url='http://a.test/x.png?a=\"', width=5)", {
    data: { "text/html": '<img src="http://a.test/x.png?a=&quot;" width="5"/>' },
  }],
  ["Image('https://a.test/x.png')", { data: { "text/html": '<img src="https://a.test/x.png"/>' } }],
  ["HTML(url='data:text/html,<i>')", { data: { "text/html": "<i>" } }],
];

for (const [object, display] of SHOWN) {
  Deno.test(`IPython.display: ${object}`, async () => {
    assertEquals(await shownBy(`${IMPORT}display(${object})`), [display]);
  });
}

Deno.test("IPython.display: an object that is the value of a program is displayed, too", async () => {
  assertEquals(await shownBy(`${IMPORT}HTML('<b>')`), [{
    data: { "text/html": "<b>" },
    main: true,
  }]);
  const { ending } = await displaysOf(`${IMPORT}HTML('<b>')`);
  assertEquals(ending, { kind: "text", text: "<IPython.core.display.HTML object>" });
});

Deno.test("IPython.display: content is read from files, by name or by path", async () => {
  const write = `import pathlib
pathlib.Path("x.jpg").write_bytes(b"jpeg")
pathlib.Path("x.html").write_text("<b>é", "utf-8")
pathlib.Path("folder").mkdir()\n`;
  const shown =
    `display(Image("x.jpg"), Image(filename="x.jpg"), Image(pathlib.Path("x.jpg")), HTML(filename="x.html"),
  HTML("x.html"), HTML("folder"), Image(filename="x.jpg", embed=False))`;
  const jpeg = { data: { "image/jpeg": "anBlZw==" } };
  const html = { data: { "text/html": "<b>é" } };
  assertEquals(await shownBy(`${IMPORT}${write}${shown}`), [
    ...[jpeg, jpeg, jpeg],
    ...[html, html],
    { data: { "text/html": "folder" } },
    { data: { "text/html": '<img src="x.jpg"/>' } },
  ]);
});

Deno.test("IPython.display: invalid content is refused by the constructor", async () => {
  const cases: readonly (readonly [object: string, name: string, message: string])[] = [
    ["HTML(5)", "TypeError", "HTML expects text, not 5"],
    ["JSON(5)", "TypeError", "JSON expects JSONable dict or list, not 5"],
    ["SVG(5)", "TypeError", "SVG expects text or bytes, not 5"],
    ["Image()", "ValueError", "No image data found. Expecting filename, url, or data."],
    ["Image(5)", "TypeError", "Image expects bytes, not 5"],
    ["Image('none.png')", "FileNotFoundError", "No such file or directory: 'none.png'"],
    ["Image(b'x', format='bmp')", "ValueError", "Cannot embed the 'bmp' image format"],
    [
      "Image('http://a.test/x.png', embed=True)",
      "URLError",
      "<urlopen error [Errno -3] there is no network here>",
    ],
  ];
  for (const [object, name, message] of cases) {
    const error = await errorOf(`${IMPORT}${object}`);
    assertEquals([error.name, error.message], [name, message], object);
    assert(!error.traceback.join("\n").includes("belljar"), object);
  }
});

Deno.test("IPython.display: classes of a program extend it, and say how they are displayed", async () => {
  const code = `${IMPORT}
class Big(HTML):
    def _repr_html_(self): return f"<h1>{super()._repr_html_()}</h1>"
display(Big("x"))`;
  assertEquals(await shownBy(code), [{ data: { "text/html": "<h1>x</h1>" } }]);
});

Deno.test("IPython.display: the modules are modules like any others", async () => {
  const told = await valueOf(`
import importlib.util, pickle, sys
before = [name for name in sys.modules if name.startswith("IPython")]
import IPython
from IPython.core.display import HTML
from IPython.display import display as shown, clear_output, DisplayHandle
import IPython.display as same
assert same is sys.modules["IPython.display"] is IPython.display
[before, IPython.get_ipython(), shown is display, same.HTML is HTML, bool(IPython.__doc__ and same.__doc__ and HTML.__doc__),
 clear_output(wait=True), pickle.loads(pickle.dumps(HTML("x"))).data, repr(same), importlib.util.find_spec("IPython.core").name]`);
  assertEquals(
    told,
    `[[], null, true, true, true, null, "x", "<module 'IPython.display' (built-in)>", "IPython.core"]`,
  );
});

Deno.test("IPython.display: a missing name is an ordinary ImportError", async () => {
  for (const name of ["Video", "Javascript"]) {
    const error = await errorOf(`from IPython.display import ${name}`);
    assertEquals(error.name, "ImportError");
    assertStringIncludes(error.message, `cannot import name '${name}' from 'IPython.display'`);
  }
  for (const name of ["IPython.lib", "IPython.display.x"]) {
    assertEquals((await errorOf(`import ${name}`)).name, "ModuleNotFoundError");
  }
});

Deno.test("IPython.display: a package of that name in /workspace comes first", async () => {
  assertEquals(
    await valueOf(`
import pathlib
pathlib.Path("IPython").mkdir()
pathlib.Path("IPython/__init__.py").write_text("own = 1")
import IPython
try: import IPython.display
except ModuleNotFoundError as error: missing = error.name
[IPython.own, missing]`),
    '[1, "IPython.display"]',
  );
});
