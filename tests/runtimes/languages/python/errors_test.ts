import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { errorOf, run, valueOf } from "./support.ts";

const OURS = /belljar|\/lib\/belljar/;

Deno.test("errors: a traceback has source lines and carets, and no frame of the driver", async () => {
  assertEquals(await errorOf("def f(x):\n    return 1 / x\n\nf(0)"), {
    name: "ZeroDivisionError",
    message: "division by zero",
    traceback: [
      "Traceback (most recent call last):",
      '  File "main.py", line 4, in <module>',
      "    f(0)",
      "    ~^^^",
      '  File "main.py", line 2, in f',
      "    return 1 / x",
      "           ~~^~~",
      "ZeroDivisionError: division by zero",
    ],
    lineNumber: 2,
  });
});

Deno.test("errors: a syntax error shows its line and position", async () => {
  const error = await errorOf("x = 1\ny = (\nz = 3\n");
  assertEquals([error.name, error.lineNumber], ["SyntaxError", 2]);
  assertEquals(error.traceback, [
    '  File "main.py", line 2',
    "    y = (",
    "        ^",
    "SyntaxError: '(' was never closed",
  ]);
  const inner = await errorOf("x = 1\neval('1 +')");
  assertEquals([inner.name, inner.lineNumber], ["SyntaxError", 2]);
});

Deno.test("errors: no traceback of any kind shows the driver", async () => {
  const programs = [
    "1 / 0",
    "1 +",
    "import asyncio\nasync def f(): 1 / 0\nasyncio.run(f())",
    "async def f(): 1 / 0\nawait f()",
    "async def f(): 1 / 0\nf()",
    "import time\ntime.sleep('x')",
    "import threading\nthreading.Thread(target=print).start()",
    "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ExceptionGroup('g', [e, ValueError()])",
    "import asyncio\nawait asyncio.get_running_loop().create_future()",
    "class A:\n    def __repr__(self): return 5\nA()",
    "import asyncio\nawait asyncio.to_thread(int, 'x')",
  ];
  for (const code of programs) {
    const { traceback } = await errorOf(code);
    assert(!traceback.some((line) => OURS.test(line)), `${code}\n${traceback.join("\n")}`);
  }
});

Deno.test("errors: a long chain of frames is folded and keeps within its limit", async () => {
  const error = await errorOf("def f(n):\n    return f(n + 1)\nf(0)");
  assertEquals(error.name, "RecursionError");
  assertStringIncludes(error.traceback.join("\n"), "[Previous line repeated");
  const limits = { tracebackBytes: 400 };
  const cut = await errorOf("def f(n):\n    return f(n + 1)\nf(0)", { limits });
  assert(new TextEncoder().encode(cut.traceback.join("\n")).length <= 400);
});

Deno.test("errors: an exit is a success, or reports its status", async () => {
  for (
    const code of [
      "exit()",
      "import sys\nsys.exit(0)",
      "raise SystemExit",
      "import os\nos._exit(0)",
    ]
  ) {
    assertEquals((await run(code)).ending, { kind: "none" }, code);
  }
  const exits = [["sys.exit(3)", 3], ["os._exit(4)", 4], ["sys.exit('no')", 1], [
    "quit(2)",
    2,
  ]] as const;
  for (const [code, status] of exits) {
    const { ending } = await run(`import sys, os\nprint('before')\n${code}\nprint('after')`);
    const error = { name: "SystemExit", message: `exit status ${status}`, traceback: [] };
    assertEquals(ending, { kind: "error", error }, code);
  }
  const told = await run("import sys\nsys.exit('because')");
  assertEquals([told.stdout, told.stderr], ["", "because\n"]);
});

Deno.test("errors: exit functions run, and may fail or never end", async () => {
  const ran = await run("import atexit\natexit.register(print, 'bye')\nprint('hi')\n1");
  assertEquals([ran.stdout, ran.ending], ["hi\nbye\n", { kind: "text", text: "1" }]);
  const endless = await run("import atexit\natexit.register(lambda: [0 for _ in iter(int, 1)])");
  assertEquals(endless.ending.kind, "limit");
});

Deno.test("errors: an error is reported even if its str fails, never ends or is not text", async () => {
  const silent = await errorOf("class E(Exception):\n    def __str__(self): 1 / 0\nraise E");
  assertEquals([silent.name, silent.lineNumber], ["E", 3]);
  const looping = await run(
    "class E(Exception):\n    def __str__(self):\n        while 1: pass\nraise E",
  );
  assertEquals(looping.ending.kind, "limit");
  const odd = await errorOf("E = type('E\\ud800' * 500, (Exception,), {})\nraise E('\\ud800')");
  assert(odd.name.length <= 256);
});

Deno.test("errors: the error for a missing package lists the available ones", async () => {
  const error = await errorOf("import numpy as np");
  assertEquals(error.name, "ModuleNotFoundError");
  assertEquals(
    error.message,
    "No module named 'numpy'. Only the standard library is installed here. " +
      "The operator of the service adds packages: deno task wheels add numpy",
  );
  const others = { sklearn: "scikit-learn", cv2: "opencv-python", "bs4.element": "beautifulsoup4" };
  for (const [module, name] of Object.entries(others)) {
    const { message } = await errorOf(`import ${module}`);
    assert(message.endsWith(`deno task wheels add ${name}`), message);
  }
  const part = await errorOf("import tkinter");
  assertStringIncludes(part.message, "This part of the standard library is not available here.");
  assertEquals(
    (await run("import importlib.util\nimportlib.util.find_spec('numpy') is None")).ending,
    {
      kind: "text",
      text: "True",
    },
  );
});

Deno.test("errors: KeyboardInterrupt, notes, groups and warnings are as in CPython", async () => {
  assertEquals((await errorOf("raise KeyboardInterrupt")).name, "KeyboardInterrupt");
  const signal = await errorOf("import signal\nsignal.raise_signal(signal.SIGINT)");
  assertEquals(signal.name, "KeyboardInterrupt");
  const noted = await errorOf("e = ValueError('v')\ne.add_note('see here')\nraise e");
  assertEquals(noted.traceback.at(-1), "see here");
  const warned = await run("import warnings\nwarnings.warn('careful')");
  assertEquals(warned.stderr, "main.py:2: UserWarning: careful\n  warnings.warn('careful')\n");
});

Deno.test("errors: frames that differ are formatted separately, also when they are formatted again", async () => {
  const code = `
import traceback
def f(n):
    if n: f(n - 1); return
    [f(n) for n in ("a" / 1,)]
class Numbered(traceback.StackSummary):
    def format_frame_summary(self, frame, **colours):
        return f"{frame.lineno} " + super().format_frame_summary(frame, **colours)
try:
    f(2)
except TypeError as error:
    plain = traceback.extract_tb(error.__traceback__)
    numbered = Numbered(plain).format()
    told = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), capture_locals=True)
str([len(set(plain.format())), [line.split()[0] for line in numbered], told.format()[2].split()[-3:]])`;
  assertEquals(await valueOf(code), `"[3, ['10', '4', '4', '5'], ['n', '=', '1']]"`);
});

Deno.test("errors: messages, names and file names of any length do no harm", async () => {
  const huge = await errorOf("raise ValueError('x' * 50_000_000)");
  assertEquals(huge.name, "ValueError");
  assert(huge.message.length <= 65_536 && huge.message.startsWith("xxx"));
  assert(huge.traceback.join("\n").length <= 65_536);
  const named = await run(
    "code = compile('while True: pass', 'f' * 10_000_000, 'exec')\nexec(code)",
    { limits: { fuel: 200_000_000 } },
  );
  assert(named.ending.kind === "limit");
  assert(named.ending.traceback.join("\n").length < 10_000);
  const driver = `
import gc
run = next(o for o in gc.get_objects()
           if type(o).__name__ == 'generator' and o.gi_code.co_name == '_steps')
def close_all():
    run.gi_frame.f_locals['answer'] = b'e' + b'x' * 20_000_000
    yield int
run.gi_frame.f_globals['open_files'].close_all = close_all
`;
  assertEquals((await errorOf(driver)).message, "The error could not be described");
  const { ending } = await run("'x' * 50_000_000");
  assertEquals(ending, { kind: "limit", limit: "result", traceback: [] });
});
