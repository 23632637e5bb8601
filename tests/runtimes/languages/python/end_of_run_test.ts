/**
 * The driver's work when a program ends: files are closed. And its own frames, which no
 * printed stack shows.
 */
import { assertEquals } from "@std/assert";
import { errorOf, pythonEngine, run, runIn, show, valueOf } from "./support.ts";

/** Runs two programs, one after the other, in the same state; gives the second one's value. */
async function after(first: string, second: string): Promise<string> {
  const on = await pythonEngine();
  on.reset();
  const began = runIn(on, first).ending;
  assertEquals(began.kind === "limit" || began.kind === "crash", false, show(began));
  const { ending } = runIn(on, second);
  on.reset();
  return ending.kind === "text" ? ending.text : show(ending);
}

const OPEN_DESCRIPTORS = `
import os
def is_open(n):
    try:
        os.fstat(n)
        return True
    except OSError:
        return False
str([n for n in range(32) if is_open(n)])`;

Deno.test("end of a run: files left open are flushed and closed", async () => {
  const cases: readonly (readonly [leaving: string, value: string])[] = [
    ["f = open('a', 'w')\nf.write('text')", "b'text'"],
    ["f = open('a', 'wb')\nf.write(b'bytes')\ng = open('/dev/null', 'wb')", "b'bytes'"],
    ["f = open('a', 'w')\nf.write('before')\n1 / 0", "b'before'"],
    ["import sys\nf = open('a', 'w')\nf.write('exit')\nsys.exit(0)", "b'exit'"],
    ["import os\nfd = os.open('a', os.O_CREAT | os.O_WRONLY)\nos.write(fd, b'raw')", "b'raw'"],
    [
      "g = open('b', 'w')\nf = open('a', 'w')\ng.close()\nf.write('behind a gap')",
      "b'behind a gap'",
    ],
    [
      "import io\nf = open('a', 'wb')\nt = io.TextIOWrapper(io.BufferedWriter(f.raw))\nt.write('layers')",
      "b'layers'",
    ],
    [
      "class Evil(__import__('io').StringIO):\n def close(self): raise SystemExit\n @property\n def closed(self): raise ValueError\ne = Evil()\nf = open('a', 'w')\nf.write('still')",
      "b'still'",
    ],
  ];
  for (const [leaving, value] of cases) {
    assertEquals(await after(leaving, "open('a', 'rb').read()"), value, leaving);
    assertEquals(await after(leaving, OPEN_DESCRIPTORS), "'[0, 1, 2]'", leaving);
  }
  const zipped = "import gzip\nf = gzip.open('a', 'wt')\nf.write('packed')";
  assertEquals(await after(zipped, "import gzip\ngzip.open('a', 'rt').read()"), "'packed'");
});

Deno.test("end of a run: in-memory files and the standard streams stay open", async () => {
  const buffers =
    "import io\nf = open('/dev/null')\nb = io.BytesIO(b'kept')\ns = io.StringIO('too')";
  assertEquals(await after(buffers, "b.getvalue() + s.read().encode()"), "b'kepttoo'");
  const on = await pythonEngine();
  on.reset();
  runIn(on, "f = open('/dev/null')\nimport sys\nw = open(1, 'w', closefd=False)\nw.write('later')");
  assertEquals(runIn(on, "print('again')").stdout, "again\n");
  const wrapped = await run("f = open('/dev/null')\nw = open(1, 'w')\nw.write('flushed')");
  assertEquals(wrapped.stdout, "flushed");
});

Deno.test("stacks: a stack that a program prints has no frame of the driver", async () => {
  const programs = [
    "import traceback\ntraceback.print_stack()",
    "import traceback\ndef f(): print(''.join(traceback.format_stack()))\nf()",
    "import inspect\nprint([s.filename for s in inspect.stack()])",
    "import logging\nlogging.warning('x', stack_info=True)",
    "import asyncio, traceback\nasync def f(): traceback.print_stack()\nasyncio.run(f())",
    "import traceback\nasync def f(): traceback.print_stack()\nawait f()",
    "import traceback\nasync def f(): traceback.print_stack()\nf()",
    "import atexit, traceback\ndef f():\n  # main.py\n  traceback.print_stack()\natexit.register(f)\nNone",
    "import traceback\nclass A:\n def __del__(self): traceback.print_stack()\na = A()\ndel a",
    "import time, traceback\ntry: time.sleep(-1)\nexcept ValueError: traceback.print_exc()",
    "import logging, threading\ntry: threading.Thread(target=print).start()\nexcept RuntimeError: logging.exception('x')",
    "import traceback, os\ntry: os.system('x')\nexcept OSError as e: print(traceback.extract_tb(e.__traceback__))",
  ];
  for (const code of programs) {
    const { stdout, stderr, ending } = await run(code);
    assertEquals(ending, { kind: "none" }, code);
    assertEquals(/main\.py/.test(stdout + stderr), true, code);
    assertEquals(/belljar/.test(stdout + stderr), false, stdout + stderr);
  }
});

Deno.test("stacks: a program's first frame is the outermost one", async () => {
  assertEquals(await valueOf("import sys\nsys._getframe().f_back is None"), "True");
  assertEquals(
    await valueOf("import inspect\n[(s.filename, s.lineno, s.function) for s in inspect.stack()]"),
    '[["main.py", 2, "<module>"]]',
  );
  const error = await errorOf("import sys\nsys._getframe(1)");
  assertEquals([error.name, error.message], ["ValueError", "call stack is not deep enough"]);
  const outermost =
    "f = sys._getframe()\n while f.f_back: f = f.f_back\n return f.f_code.co_filename";
  const file = await valueOf(`import sys\nasync def g():\n ${outermost}\nawait g()`);
  assertEquals(file, "'/lib/python314.zip/asyncio/base_events.py'");
});
