/** Runs one after the other in the same interpreter, as in a context. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { pythonEngine, type Ran, runIn, show } from "./support.ts";

/** Runs programs one after the other in one state; each run is ended as a context's is. */
async function runs(
  programs: readonly string[],
  between: (index: number) => void = () => undefined,
): Promise<readonly Ran[]> {
  const on = await pythonEngine();
  on.reset();
  const outcomes = programs.map((code, index) => {
    const ran = runIn(on, code);
    assert(ran.intact, `run ${index} left the interpreter broken: ${show(ran.ending)}`);
    on.state.endRun();
    between(index);
    return ran;
  });
  on.reset();
  return outcomes;
}

function shown({ ending }: Ran): string {
  if (ending.kind === "text") return ending.text;
  return ending.kind === "json" ? ending.json : show(ending);
}

/** The value of the last program. */
async function lastOf(...programs: readonly string[]): Promise<string> {
  const outcomes = await runs(programs);
  const last = outcomes.at(-1);
  assert(last !== undefined);
  return shown(last);
}

Deno.test("context: names, classes, generators and modules exist in later runs", async () => {
  assertEquals(await lastOf("x = 41", "x + 1"), "42");
  assertEquals(await lastOf("import json", "json.dumps([1])"), "'[1]'");
  const shop = "class Shop:\n n = 0\n @property\n def next(self):\n  self.n += 1\n  return self.n";
  assertEquals(await lastOf(shop, "s = Shop()\ns.next", "s.next"), "2");
  assertEquals(await lastOf("g = (n * n for n in range(9))\nnext(g)", "next(g)", "next(g)"), "4");
  assertEquals(await lastOf("async def f(): return 7", "await f()"), "7");
  assertEquals(await lastOf("import __main__\n__main__.y = 5", "y"), "5");
  assertEquals(await lastOf("x = 1", "del x", "'x' in globals()"), "False");
  assertEquals(await lastOf("def f(): return z", "z = 3", "f()"), "3");
});

Deno.test("context: a failing run keeps its earlier effects", async () => {
  assertEquals(
    await lastOf("a = 1\nb = a / 0\nc = 2", "[a, 'b' in globals(), 'c' in globals()]"),
    "[1, false, false]",
  );
  assertEquals(await lastOf("x = 5", "x = (", "x"), "5");
  assertEquals(await lastOf("x = 5\nimport sys\nsys.exit(3)", "x"), "5");
  assertEquals(await lastOf("x = 5\nbytearray(10 ** 9)", "x"), "5");
  assertEquals(await lastOf("x = 5\ndef f(): f()\nf()", "x"), "5");
  assertEquals(await lastOf("def f(): raise StopIteration(1)", "f()"), "StopIteration: 1");
});

Deno.test("context: values of earlier runs are not held", async () => {
  const gone = "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a)\na";
  assertEquals(await lastOf(gone, "del a", "r() is None"), "True");
  const raised =
    "import weakref\nclass E(Exception): pass\ne = E()\nr = weakref.ref(e)\ndef f(): raise e\nf()";
  assertEquals(await lastOf(raised, "del e\nimport gc\ngc.collect()\nNone", "r() is None"), "True");
});

Deno.test("context: releasing a run's value is part of the run", async () => {
  const [first, second] = await runs([
    "import atexit\nclass A:\n def __del__(self): print('gone')\natexit.register(print, 'exit')\nA()",
    "1",
  ]);
  assertEquals([first?.stdout, second?.stdout], ["gone\nexit\n", ""]);
});

Deno.test("context: tracebacks show each function's own lines, and line numbers of the run", async () => {
  const outcomes = await runs([
    "def first(x):\n    # a line\n    return 1 / x",
    "def second(x):\n    return first(x) + 100",
    "\nimport traceback\ntry: second(0)\nexcept ZeroDivisionError: traceback.print_exc()",
    "second(0)",
  ]);
  const lines = [
    "Traceback (most recent call last):",
    '  File "main.py", line 1, in <module>',
    "    second(0)",
    "    ~~~~~~^^^",
    '  File "main.py", line 2, in second',
    "    return first(x) + 100",
    "           ~~~~~^^^",
    '  File "main.py", line 3, in first',
    "    return 1 / x",
    "           ~~^~~",
    "ZeroDivisionError: division by zero",
  ];
  const { ending } = outcomes[3] ?? {};
  assert(ending?.kind === "error");
  assertEquals(ending.error.traceback, lines);
  assertEquals(ending.error.lineNumber, 1);
  const printed = (outcomes[2]?.stderr ?? "").trimEnd().split("\n");
  assertEquals(printed.slice(1, 3), [
    '  File "main.py", line 3, in <module>',
    "    try: second(0)",
  ]);
  assertEquals(printed.slice(4), lines.slice(4));
});

Deno.test("context: a stop in a function of an earlier run shows that function's line", async () => {
  const on = await pythonEngine();
  on.reset();
  runIn(on, "def wait():\n    while True:\n        pass");
  const { ending, intact } = runIn(on, "\nwait()", { limits: { fuel: 100_000_000 } });
  on.reset();
  assert(ending.kind === "limit" && !intact);
  assertEquals(ending.traceback.slice(0, 3), [
    "Traceback (most recent call last):",
    '  File "main.py", line 2, in <module>',
    "    wait()",
  ]);
  assert(!ending.traceback.slice(3).join("\n").includes("wait()"), ending.traceback.join("\n"));
});

Deno.test("context: an imported module keeps its state, and reload reads it again", async () => {
  const write = (text: string) => `open('helper.py', 'w').write(${JSON.stringify(text)})`;
  const one = "def version(): return 1\n";
  const two = "def version(): return 2\n";
  const used = "import helper\nhelper.kept = 5";
  const probe = "import helper\n[helper.kept, helper.version()]";
  assertEquals(await lastOf(write(one), used, "1", probe), "[5, 1]");
  assertEquals(await lastOf(write(one), used, write(two), probe), "[5, 1]");
  const reload = "import importlib\nbefore = helper\nimportlib.reload(helper) is before";
  assertEquals(await lastOf(write(one), used, write(two), reload), "True");
  assertEquals(await lastOf(write(one), used, write(two), reload, probe), "[5, 2]");
  assertEquals(await lastOf(`${write(one)}\n${used}\n${write(two)}`, reload, probe), "[5, 2]");
  // what imported it has the same module
  const app = "open('app.py', 'w').write('import helper')\nimport app\napp.x = 1";
  assertEquals(
    await lastOf(write(one), app, used, write(two), reload, "[app.helper is helper, app.x]"),
    "[true, 1]",
  );
  const pack =
    "import os\nos.makedirs('pack', exist_ok=True)\nopen('pack/__init__.py', 'w').close()";
  const part = (n: number) => `open('pack/part.py', 'w').write('X = ${n}')`;
  assertEquals(
    await lastOf(
      `${pack}\n${part(1)}\nfrom pack import part`,
      part(2),
      "import importlib\nimportlib.reload(part).X",
    ),
    "2",
  );
  const classes = "open('shapes.py', 'w').write('class A: pass')\nimport shapes\na = shapes.A()";
  assertEquals(
    await lastOf(
      classes,
      "open('shapes.py', 'a').write('\\n')",
      "import pickle, shapes\ntype(pickle.loads(pickle.dumps(a))) is shapes.A",
    ),
    "True",
  );
});

Deno.test("context: a missing module is found once it exists", async () => {
  const write = "open('late.py', 'w').write('X = 1')";
  assertEquals(await lastOf("import late", write, "import late\nlate.X"), "1");
  const failing = "open('late.py', 'w').write('def f():\\n    return 1 / 0\\n')";
  const [, , , last] = await runs([
    write,
    "import late",
    failing,
    "import importlib\nimportlib.reload(late).f()",
  ]);
  assert(last?.ending.kind === "error");
  assert(last.ending.error.traceback.includes("    return 1 / 0"), shown(last));
});

Deno.test("context: imports see files that are added between two runs", async () => {
  const on = await pythonEngine();
  const encoder = new TextEncoder();
  const outcomes = await runs(
    ["import sys\n'/workspace' in sys.path", "import made\nmade.X"],
    () => {
      on.state.files.importWorkspace([
        { kind: "file", path: "/workspace/made.py", mtimeMs: 0, bytes: encoder.encode("X = 1") },
      ]);
    },
  );
  assertEquals(outcomes.map(shown), ["True", "1"]);
});

Deno.test("context: files, descriptors, mask and randomness", async () => {
  const left = "f = open('a', 'w')\nf.write('text')\nimport os\nos.umask(0o77)\nos.close(0)";
  const probe =
    "import os\nwith open('a') as g:\n  r = [g.read(), g.fileno(), f.closed, os.umask(0o22), os.fstat(0).st_mode > 0]\nr";
  assertEquals(await lastOf(left, probe), `["text", 3, true, ${0o22}, true]`);
  const [first, second] = await runs(["import random\nrandom.random()", "random.random()"]);
  assert(first !== undefined && second !== undefined);
  assertNotEquals(shown(first), shown(second));
  assertEquals(await lastOf("print('a', end='')", "print('b')\n1"), "1");
});

Deno.test("context: environment variables are those of each run", async () => {
  const on = await pythonEngine();
  on.reset();
  const code = "import os\nsorted(os.environ.items())";
  runIn(on, "import os\nos.environ['MINE'] = '1'", { env: { A: "1", B: "2" } });
  const { ending } = runIn(on, code, { env: { B: "3" } });
  on.reset();
  assertEquals(ending, { kind: "json", json: '[["B", "3"]]' });
});

Deno.test("context: the run gets the given cwd, and its answer has the cwd after it", async () => {
  const on = await pythonEngine();
  on.reset();
  runIn(on, "import os\nos.makedirs('/workspace/a/b')\nos.chdir('a/b')");
  assertEquals(on.state.workingDirectory(), "/workspace/a/b");
  on.state.endRun();
  assertEquals(shown(runIn(on, "os.getcwd()", { cwd: "/workspace/a" })), "'/workspace/a'");
  assertEquals(shown(runIn(on, "os.getcwd()")), "'/workspace'");
  on.reset();
});

Deno.test("context: a guest that breaks the start of runs still finds its names", async () => {
  const breaks: readonly string[] = [
    "import sys\nsys.modules.clear()",
    "import sys\ndel sys.modules['__main__']",
    "del __builtins__",
    "import linecache, traceback\nlinecache.cache = traceback.FrameSummary = None",
    "import os\nos.environ = None",
    "import random\nrandom._inst = None",
    "import sys\nsys.path_importer_cache = sys.path = None",
    "import asyncio\nasyncio.Runner = None",
    "import sys\nsys.stdout.close()",
    "import sys\nsys.settrace(lambda *a: None)",
  ];
  for (const code of breaks) {
    assertEquals(await lastOf("kept = 5", code, "kept"), "5", code);
  }
});

Deno.test("context: a thousand runs leave only the names that they bind", async () => {
  const on = await pythonEngine();
  on.reset();
  const count = "import sys\nsys.getallocatedblocks()";
  const body = "def f(): return [1]\nf()";
  for (let turn = 0; turn < 20; turn++) runIn(on, body);
  const early = Number(shown(runIn(on, count)));
  for (let turn = 0; turn < 1000; turn++) runIn(on, turn % 2 === 0 ? body : "1 / 0");
  const late = Number(shown(runIn(on, count)));
  on.reset();
  assert(late - early < 500, `${late - early} blocks more`);
});
