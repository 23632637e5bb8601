/** Lines of IPython: `%name`, `%%name` and `!command`. */
import { assertEquals, assertMatch } from "@std/assert";
import { errorOf, pythonEngine, run, runIn } from "./support.ts";

const NOTEBOOK = { notebook: true };
const NO_SHELL =
  "There is no shell here: use Python's own functions (os, pathlib, shutil) instead.\n";
const TIME = "Wall time: ";

/** Program, standard output, standard error; durations are left out. */
const PROGRAMS: readonly (readonly [program: string, stdout: string, stderr?: string])[] = [
  ["%matplotlib inline\n%config InlineBackend.figure_format = 'svg'\nprint(1)", "1\n"],
  ["%load_ext autoreload\n%autoreload 2\n\nprint('x')", "x\n"],
  ["!ls -l data\n!cat notes.txt\nprint(2)", "2\n", NO_SHELL],
  ["if True:\n    !git status\n    print('in')", "in\n", NO_SHELL],
  ["found = !find . -name '*.csv'\nprint(found)", "[]\n", NO_SHELL],
  ["%%bash\necho it's (open\n", "", NO_SHELL],
  ["%magic on\nprint(3)", "3\n", "%magic is ignored: this is no IPython.\n"],
  [
    "%%sql\nselect 'a' from b",
    "",
    "%%sql and the lines below it are ignored: this is no IPython.\n",
  ],
  ["%%capture\nx = 4\nprint(x)", "4\n"],
  ["%%writefile notes.txt\n%not a line\n!nor this\n", "Writing notes.txt\n"],
  ["%%writefile -a b.txt\nhello", "Appending to b.txt\n"],
  ["%time n = 6\nprint(n)", `${TIME}6\n`],
  ["%timeit -n 100 -r 2 sum(range(3))\nprint(7)", " per loop (best of 3 runs, 1 loop each)\n7\n"],
  ["%cd /tmp\nprint(__import__('os').getcwd())", "/tmp\n/tmp\n"],
  ["%env CITY=Rome\nimport os\nprint(os.environ['CITY'])", "env: CITY=Rome\nRome\n"],
  ["    %matplotlib inline\n    print('indented')", "indented\n"],
  ["%matplotlib inline\r\nprint('crlf')\r\n", "crlf\n"],
  ["get_ipython().run_line_magic('matplotlib', 'inline')\nprint(8)", "8\n"],
  ["from IPython import get_ipython\nget_ipython().magic('matplotlib inline')\nprint(9)", "9\n"],
  // no lines of IPython: within expressions and strings
  ["x = (17\n% 5)\ns = '''\n%time x\n!ls\n'''\n%matplotlib inline\nprint(x, len(s))", "2 13\n"],
  ["y = 17 \\\n% 5\n%matplotlib inline\nprint(y, '%d' % 1)", "2 1\n"],
  [
    "d = {\n'a': \"it's\", # don't (\n'b': f'{1}'\n}\n%matplotlib inline\nprint(d)",
    "{'a': \"it's\", 'b': '1'}\n",
  ],
];

Deno.test("IPython: lines of a notebook run, or are ignored with a note", async () => {
  for (const [code, stdout, stderr = ""] of PROGRAMS) {
    const ran = await run(code, NOTEBOOK);
    assertEquals(ran.ending.kind, "none", code);
    const printed = ran.stdout.replaceAll(/[\d.]+ (?:[mµn]s|s)(?:\n(?=\d)|(?= per loop))/g, "");
    assertEquals([printed, ran.stderr], [stdout, stderr], code);
  }
});

Deno.test("IPython: pip says what is there, and the program goes on", async () => {
  const ran = await run(
    "!pip install -q tabulate\n%pip install My_Package==2\n!python -m pip install x\nrows = [1, 2]\nsum(rows)",
    NOTEBOOK,
  );
  const line = (name: string, wanted: string) =>
    `ERROR: ${name} is not installed. The operator of the service adds packages: deno task wheels add ${wanted}\n`;
  assertEquals(
    ran.stdout,
    line("tabulate", "tabulate") + line("My_Package", "my-package") + line("x", "x"),
  );
  assertEquals(ran.ending, { kind: "text", text: "3" });
});

const VALUES: readonly (readonly [program: string, text: string | undefined])[] = [
  ["%%time\nx = 5\nx * 2", "10"],
  ["%time 3 + 4", "7"],
  ["%pwd", "'/workspace'"],
  ["5;", undefined],
  ["'a;'", "'a;'"],
  ["5 ; # quiet", undefined],
  ["'''\nx;\n'''", "'\\nx;\\n'"],
  ["x = 1;\nx", "1"],
];

Deno.test("IPython: values of notebooks", async () => {
  for (const [code, text] of VALUES) {
    const { ending } = await run(code, NOTEBOOK);
    assertEquals(ending, text === undefined ? { kind: "none" } : { kind: "text", text }, code);
  }
  assertEquals((await run("5;")).ending, { kind: "text", text: "5" });
});

Deno.test("IPython: `_` is the last value, unless the program has the name", async () => {
  const engine = await pythonEngine();
  engine.reset();
  const value = (code: string) => runIn(engine, code, { notebook: true, inContext: true }).ending;
  value("20");
  assertEquals(value("_ + 1"), { kind: "text", text: "21" });
  value("None");
  assertEquals(value("_"), { kind: "text", text: "21" });
  value("for _ in range(3): pass");
  value("99");
  assertEquals(value("_"), { kind: "text", text: "2" });
});

Deno.test("IPython: a faulty notebook has Python's error and its line", async () => {
  for (
    const [code, name, line] of [
      ["%matplotlib inline\nx ==== 1", "SyntaxError", 2],
      ["%matplotlib inline\n\n1 / 0", "ZeroDivisionError", 3],
      ["x = 1\n%time 1 / 0", "ZeroDivisionError", 2],
      ["f(\n%matplotlib inline", "SyntaxError", 1],
    ] as const
  ) {
    const error = await errorOf(code, NOTEBOOK);
    assertEquals([error.name, error.lineNumber], [name, line], code);
  }
});

Deno.test("IPython: elsewhere a SyntaxError has one hint", async () => {
  for (
    const code of [
      "%matplotlib inline\nimport os",
      "import os\n!pip install x",
      "%%time\nx = 1",
      "files = !ls",
      "def f():\n    !ls\n    %cd ..\n",
    ]
  ) {
    const { message, traceback } = await errorOf(code);
    assertMatch(
      message,
      /Lines that begin with % or ! are IPython's, not Python's: leave them out\./,
    );
    assertEquals(traceback.filter((line) => line.includes("IPython")).length, 1, code);
  }
  for (const code of ["x = 5 %", "x = '''\n%time\n", "if x != 1\n  y", "get_ipython()"]) {
    assertEquals((await errorOf(code)).message.includes("Lines that begin"), false, code);
  }
});
