/**
 * Nothing that a program ordinarily sees reveals the driver: no frame, no file, no name.
 */
import { assert, assertEquals } from "@std/assert";
import { errorOf, run, valueOf } from "./support.ts";

const FILES = "[frame.filename for frame in inspect.stack()]";

Deno.test("traces: __doc__ is the program's own docstring, or None", async () => {
  assertEquals((await run("__doc__")).ending, { kind: "none" });
  assertEquals(await valueOf("'''Says.'''\n__doc__"), "'Says.'");
  assertEquals(
    await valueOf("sorted(globals())"),
    '["__builtins__", "__doc__", "__file__", "__loader__", "__name__", "__package__", "__spec__"]',
  );
});

Deno.test("traces: code that runs while a result is made sees no frame of the driver", async () => {
  const programs = [
    `class A:\n def __repr__(self):\n  print(${FILES})\n  return ''\nA()`,
    `class A(dict):\n def items(self):\n  print(${FILES})\n  return []\nA(x=1)`,
    `class A:\n @property\n def __class__(self):\n  print(${FILES})\n  return dict\nprint([])\nA()`,
    `class E(Exception):\n def __str__(self):\n  print(${FILES})\n  return ''\nraise E`,
    `class M:\n def __str__(self):\n  print(${FILES})\n  return ''\nraise SystemExit(M())`,
    `class A:\n def __del__(self): print(${FILES})\nA()`,
    `class A:\n def __del__(self): print(${FILES})\ndef f():\n a = A()\n 1 / 0\nf()`,
    `import io, sys\nout = sys.stdout\nclass S(io.StringIO):\n def flush(self): out.write(str(${FILES}))\nsys.stdout = S()`,
    `import io\nf = open('a', 'w')\nclass S(io.FileIO):\n def close(self):\n  print(${FILES})\n  super().close()\ns = S('a')`,
    `import atexit\natexit.register(lambda: print(${FILES}))\nNone`,
  ];
  for (const code of programs) {
    const { stdout, stderr, ending } = await run(`import inspect\n${code}`);
    assert(/main\.py|\[\]/.test(stdout + stderr), code);
    assert(!/belljar/.test(stdout + stderr + JSON.stringify(ending)), stdout + stderr);
  }
  assertEquals(
    await valueOf(
      "import sys\nclass A:\n def __repr__(self): return repr(sys._getframe().f_back)\nA()",
    ),
    "None",
  );
});

Deno.test("traces: warnings name no file of the driver", async () => {
  const programs = [
    "async def w(): pass\n[w()]",
    "async def w(): pass\ndef f():\n x = w()\n 1 / 0\nf()",
    "import asyncio\nasync def w(): pass\ndef f(): return asyncio.gather(w(), w())\nf()",
    "import warnings\nclass A:\n def __repr__(self):\n  warnings.warn('w', stacklevel=2)\n  return ''\nA()",
    "import warnings\nclass A:\n def __del__(self): warnings.warn('w', stacklevel=2)\n[A()]",
    "import warnings\nclass E(Exception):\n def __str__(self):\n  warnings.warn('w', stacklevel=3)\n  return ''\nraise E",
  ];
  for (const code of programs) {
    const { stderr } = await run(code);
    assert(/Warning/.test(stderr), code);
    assert(!/belljar/.test(stderr), stderr);
  }
});

Deno.test("traces: replacements of library parts have the library's names", async () => {
  const found = await valueOf(`
import sys
found = set()
def look(place, thing):
    if 'belljar' in str(getattr(thing, '__module__', '')):
        found.add(place)
for name, module in list(sys.modules.items()):
    for key, value in list(vars(module).items()):
        look(f"{name}.{key}", value)
        for part, inner in list(vars(value).items()) if isinstance(value, type) else ():
            look(f"{name}.{key}.{part}", inner)
sorted(found)`);
  assertEquals(found, "[]");
  assertEquals(
    await valueOf(
      "import os, time, _thread\n[f.__qualname__ for f in (os.fork, os._exit, time.sleep, _thread.start_new_thread, os.register_at_fork)]",
    ),
    '["fork", "_exit", "sleep", "start_new_thread", "register_at_fork"]',
  );
  assertEquals(
    await valueOf("import asyncio\nawait asyncio.sleep(0)\nrepr(type(asyncio.get_running_loop()))"),
    "\"<class 'asyncio.unix_events._UnixSelectorEventLoop'>\"",
  );
  const help = await valueOf(
    "import pydoc, os, sys\n''.join(pydoc.render_doc(x) for x in (os.fork, os._exit, sys.modules['__main__']))",
  );
  assert(!/belljar|driver/.test(help), help);
});

Deno.test("traces: replacements of library parts are in no traceback", async () => {
  for (const code of ["import os\nos.fork()", "import time\ntime.sleep(-1)"]) {
    const { traceback } = await errorOf(code);
    assertEquals(traceback.filter((line) => line.startsWith("  File")).length, 1, code);
  }
});
