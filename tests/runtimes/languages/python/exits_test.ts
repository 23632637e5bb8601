/**
 * How a program ends itself: the meaning of its status, and what remains for the next run of its
 * context.
 */
import { assert, assertEquals } from "@std/assert";
import { pythonEngine, type Ran, run, runIn, show } from "./support.ts";

/** Runs programs one after the other in one state, each of which must leave it sound. */
async function runs(...programs: readonly string[]): Promise<readonly Ran[]> {
  const on = await pythonEngine();
  on.reset();
  const outcomes = programs.map((code) => {
    const ran = runIn(on, code, { limits: { fuel: 1_000_000_000 } });
    assert(ran.intact, `rolled back: ${show(ran.ending)} from ${code}`);
    on.state.endRun();
    return ran;
  });
  on.reset();
  return outcomes;
}

function shown({ ending }: Ran): string {
  if (ending.kind === "text") return ending.text;
  return ending.kind === "json" ? ending.json : show(ending);
}

/** The ending and output of a program that calls `os._exit(3)`, and the state after it. */
async function afterLeaving(code: string, probe: string): Promise<readonly string[]> {
  const [left, next] = await runs(`import os\n${code}`, probe);
  assert(left !== undefined && next !== undefined);
  assertEquals(shown(left), "SystemExit: exit status 3", code);
  return [left.stdout + left.stderr, shown(next), next.stdout];
}

Deno.test("exits: the status is the one that a shell would see, however the program ends", async () => {
  const ways: readonly (readonly [code: string, status: number])[] = [
    ["sys.exit(0)", 0],
    ["sys.exit(False)", 0],
    ["sys.exit(256)", 0],
    ["sys.exit(2**40)", 0],
    ["sys.exit(-1)", 255],
    ["sys.exit(257)", 1],
    ["sys.exit(2**70)", 255],
    ["sys.exit(-2**70)", 255],
    ["sys.exit(True)", 1],
    ["sys.exit('told')", 1],
    ["sys.exit(1.5)", 1],
    ["raise SystemExit", 0],
    ["raise SystemExit(-2)", 254],
    ["raise SystemExit(1, 2)", 1],
    ["quit()", 0],
    ["quit(-1)", 255],
    ["exit(512)", 0],
    ["os._exit(0)", 0],
    ["os._exit(256)", 0],
    ["os._exit(-1)", 255],
    ["os._exit(status=7)", 7],
    ["posix._exit(4)", 4],
    ["await asyncio.sleep(0)\nsys.exit(9)", 9],
    ["await asyncio.sleep(0)\nos._exit(9)", 9],
  ];
  for (const [code, status] of ways) {
    const { ending, intact } = await run(`import asyncio, os, posix, sys\n${code}\nprint('on')`);
    const message = `exit status ${status}`;
    assertEquals(
      ending,
      status === 0
        ? { kind: "none" }
        : { kind: "error", error: { name: "SystemExit", message, traceback: [] } },
      code,
    );
    assert(intact, code);
  }
});

Deno.test("exits: an invalid status is refused as in CPython", async () => {
  const [text, wide] = await runs("import os\nos._exit('x')", "os._exit(2**40)");
  assert(text !== undefined && wide !== undefined);
  assertEquals(shown(text), "TypeError: 'str' object cannot be interpreted as an integer");
  assertEquals(shown(wide), "OverflowError: Python int too large to convert to C int");
});

Deno.test("exits: an exception that lies about its status, or a message that fails, ends the run", async () => {
  const lying =
    "class E(SystemExit):\n  code = property(lambda self: 1 / 0)\n  __class__ = int\nraise E(3)";
  const mute = "class M:\n  def __str__(self): raise KeyError\nraise SystemExit(M())";
  const [first, second, third] = await runs(lying, mute, "1");
  assert(first !== undefined && second !== undefined && third !== undefined);
  assertEquals(shown(first), "SystemExit: exit status 3");
  assertEquals(shown(second), "SystemExit: exit status 1");
  assertEquals(shown(third), "1");
});

Deno.test("exits: every exit keeps the program's earlier effects", async () => {
  for (const exit of ["sys.exit(3)", "quit(3)", "exit(3)", "raise SystemExit(3)", "os._exit(3)"]) {
    const [, next] = await runs(
      `import os, sys\ny = 2\nf = open('a', 'w')\nf.write('text')\n${exit}`,
      "[y, open('a').read()]",
    );
    assertEquals(next && shown(next), '[2, "text"]', exit);
  }
});

Deno.test("exits: quit leaves the standard streams open", async () => {
  const [, next] = await runs("quit()", "import sys\n[sys.stdin.closed, sys.stdin.read()]");
  assertEquals(next && shown(next), '[false, ""]');
});

Deno.test("exits: after os._exit no handler, finalizer or exit function of the program runs", async () => {
  const programs = [
    "try: os._exit(3)\nexcept BaseException: print('caught')\nfinally: print('finally')",
    "try: os._exit(3)\nfinally:\n  while True: pass",
    "def f():\n  try: os._exit(3)\n  except BaseException: return 1\nwhile True:\n  try: f()\n  except: print('on')",
    "try: 1 / 0\nexcept ZeroDivisionError:\n  try: os._exit(3)\n  except* SystemExit: print('caught')",
    "class C:\n  def __enter__(self): pass\n  def __exit__(self, *a): print('left')\nwith C(): os._exit(3)",
    "class D:\n  def __del__(self): print('gone')\ndef f():\n  d = D()\n  os._exit(3)\nf()",
    "import atexit\natexit.register(print, 'exit')\nos._exit(3)",
    "def g():\n  try:\n    yield 1\n    os._exit(3)\n  finally: print('finally')\nlist(g())",
    "def g():\n  try: yield 1\n  finally: print('finally')\ndef f():\n  h = g()\n  next(h)\n  os._exit(3)\nf()",
    "import asyncio\nasync def other():\n  try: await asyncio.sleep(9)\n  finally: print('finally')\nasync def main():\n  t = asyncio.create_task(other())\n  await asyncio.sleep(1)\n  os._exit(3)\nasyncio.run(main())",
    "import asyncio\nasync def other():\n  try: await asyncio.sleep(9)\n  finally: print('finally')\nts = [asyncio.create_task(other()) for _ in range(3)]\nawait asyncio.sleep(1)\nos._exit(3)",
    "async def g():\n  try:\n    yield 1\n    os._exit(3)\n  finally: print('finally')\nasync for x in g(): pass",
  ];
  for (const code of programs) {
    assertEquals(await afterLeaving(code, "1 + 1"), ["", "2", ""], code);
  }
});

Deno.test("exits: the program ends even if C code swallows the exit", async () => {
  const programs = [
    "class D:\n  def __del__(self): os._exit(3)\nD()\nprint('on')",
    "import sqlite3\nc = sqlite3.connect(':memory:')\nc.create_function('f', 1, lambda x: os._exit(3))\ntry: c.execute('select f(1)').fetchall()\nexcept BaseException: print('caught')\nwhile True: pass",
    "import weakref\nclass A: pass\na = A()\nr = weakref.ref(a, lambda r: os._exit(3))\ndel a\nprint('on')",
    "import atexit\natexit.register(os._exit, 3)\n",
    "class R:\n  def __repr__(self): os._exit(3)\nR()",
    "class E(Exception):\n  def __str__(self): os._exit(3)\nraise E",
    "import sys\nclass S:\n  def write(self, text): pass\n  def flush(self): os._exit(3)\nsys.stdout = S()",
  ];
  for (const code of programs) {
    assertEquals(await afterLeaving(code, "1 + 1"), ["", "2", ""], code);
  }
});

Deno.test("exits: the library is in order after os._exit", async () => {
  const cases: readonly (readonly [code: string, probe: string, value: string])[] = [
    [
      "import asyncio\nasync def f(): os._exit(3)\nasyncio.run(f())",
      "async def g(): return 7\nasyncio.run(g())",
      "7",
    ],
    ["import asyncio\nawait asyncio.sleep(0)\nos._exit(3)", "await asyncio.sleep(0, 7)", "7"],
    [
      "open('m.py', 'w').write('import os\\nos._exit(3)')\nimport m",
      "open('m.py', 'w').write('X = 7')\nimport m\nm.X",
      "7",
    ],
    [
      "try: 1 / 0\nexcept ZeroDivisionError: os._exit(3)",
      "import sys\nstr(sys.exception())",
      "'None'",
    ],
    [
      "try: 1 / 0\nexcept ZeroDivisionError:\n  with open('a') as f, open('b') as g: pass\nfinally: os._exit(3)",
      "try: raise KeyError\nexcept KeyError as e: kept = repr(e.__context__)\nkept",
      "'None'",
    ],
    [
      "import logging\nclass H(logging.Handler):\n  def emit(self, r): os._exit(3)\nlogging.getLogger().addHandler(H())\nlogging.warning('x')",
      "logging.getLogger().handlers.clear()\nlogging.warning('y')\n7",
      "7",
    ],
    ["import sys\nhook = sys.unraisablehook\nos._exit(3)", "sys.unraisablehook is hook", "True"],
    [
      "import sys\nsys.monitoring.use_tool_id(5, 'mine')\nos._exit(3)",
      "[sys.monitoring.get_tool(n) for n in range(6)]",
      '[null, null, null, null, null, "mine"]',
    ],
    ["def f(): os._exit(3)\nsorted([2, 1], key=lambda x: f())", "f.__name__ * 2", "'ff'"],
  ];
  for (const [code, probe, value] of cases) {
    assertEquals((await afterLeaving(code, probe))[1], value, code);
  }
});

Deno.test("exits: redirected output is shown again after os._exit", async () => {
  const code = "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()): os._exit(3)";
  assertEquals(await afterLeaving(code, "print('seen')"), ["", '{"kind":"none"}', "seen\n"]);
});

Deno.test("exits: a guest that resists os._exit still ends", async () => {
  const programs = [
    "import sys\nfor n in range(6): sys.monitoring.use_tool_id(n, 'mine')\nwhile True:\n  try: os._exit(3)\n  except BaseException: pass",
    "import sys\ndef t(*a): return t\nsys.settrace(t)\nwhile True:\n  try: os._exit(3)\n  except BaseException: pass",
    "import sys\nsys.unraisablehook = lambda *a: print('hooked')\nclass D:\n  def __del__(self): os._exit(3)\nwhile True: D()",
  ];
  for (const code of programs) {
    assertEquals(await afterLeaving(code, "1 + 1"), ["", "2", ""], code);
  }
  const forged = `import os
code = compile("while True:\\n  try: os._exit(3)\\n  except BaseException: pass", "/lib/x", "exec")
exec(code)`;
  const { ending } = await run(forged, { limits: { fuel: 300_000_000 } });
  assert(ending.kind === "limit" && ending.limit === "fuel", show(ending));
});

Deno.test("exits: a process that a signal kills, or that aborts, is a crash", async () => {
  const programs = [
    "os.abort()",
    "os.kill(os.getpid(), 9)",
    "os.kill(os.getpid(), signal.SIGTERM)",
    "signal.raise_signal(signal.SIGTERM)",
    "signal.raise_signal(signal.SIGABRT)",
  ];
  for (const code of programs) {
    const { ending, intact } = await run(`import os, signal\n${code}`);
    assertEquals([ending, intact], [{ kind: "crash" }, false], code);
  }
});
