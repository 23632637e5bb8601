import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { errorOf, run, valueOf } from "./support.ts";

/** Modules of the standard library that exist, each with a use. */
const MODULES = `
abc annotationlib argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2
cProfile calendar cmath cmd code codecs codeop collections colorsys compileall compression.zstd
concurrent.futures configparser contextlib contextvars copy copyreg csv dataclasses datetime
dbm dbm.dumb dbm.sqlite3 decimal difflib dis doctest email email.message encodings enum errno fileinput fnmatch fractions
ftplib functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html html.parser
http http.client http.cookies imaplib importlib importlib.metadata importlib.resources inspect io
ipaddress itertools json keyword linecache locale logging logging.config logging.handlers lzma
mailbox marshal math mimetypes mmap modulefinder netrc ntpath numbers opcode operator optparse os
pathlib pdb pickle pickletools pkgutil platform plistlib poplib posixpath pprint profile pstats pwd
py_compile pyclbr pydoc queue quopri random re reprlib resource rlcompleter runpy sched secrets select
selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 stat statistics
string string.templatelib stringprep struct subprocess symtable sys sysconfig tabnanny tarfile
tempfile textwrap this threading time timeit token tokenize tomllib trace traceback tracemalloc turtle
types typing unicodedata unittest unittest.mock urllib.parse urllib.request uuid warnings wave
weakref webbrowser wsgiref xml.dom.minidom xml.etree.ElementTree xml.sax xmlrpc.client zipapp
zipfile zipimport zlib zoneinfo
`.trim().split(/\s+/);

Deno.test("library: every module that CPython in WebAssembly can have exists", async () => {
  const code = `
import contextlib, importlib, io
missing = []
with contextlib.redirect_stdout(io.StringIO()):
    for name in ${JSON.stringify(MODULES)}:
        try:
            importlib.import_module(name)
        except BaseException as error:
            missing.append(f"{name}: {error!r}")
missing
`;
  assertEquals(await valueOf(code), "[]");
});

Deno.test("library: modules come compiled, and still show their source in tracebacks", async () => {
  assertEquals(
    await valueOf(
      "import unittest.mock\nunittest.mock.__cached__ is not None or unittest.mock.__file__.endswith('.pyc')",
    ),
    "True",
  );
  const { ending } = await run("import tomllib\ntomllib.loads('x')");
  assert(ending.kind === "error");
  assertStringIncludes(ending.error.traceback.join("\n"), "/lib/python314.zip/tomllib/_parser.py");
  assertStringIncludes(
    await valueOf("import inspect, textwrap\ninspect.getsource(textwrap.dedent)"),
    "def dedent(text)",
  );
});

Deno.test("library: inspect has the source of the program's classes, and of the program", async () => {
  const program = [
    "import inspect, sys",
    "class Empty: pass",
    "@staticmethod",
    "def f(): pass",
    "class Outer:",
    "    class Inner:",
    "        x = 1",
    "    def method(self): return 2",
    "made = type('Made', (), {})",
    "try: inspect.getsource(made)",
    "except OSError as error: made = type(error).__name__",
    "whole = inspect.getsource(sys.modules['__main__']).count(chr(10))",
    "[*map(inspect.getsource, (Empty, Outer.Inner, Outer.method)), len(inspect.getsource(Outer)), whole, made]",
  ];
  assertEquals(
    await valueOf(program.join("\n")),
    '["class Empty: pass\\n", "    class Inner:\\n        x = 1\\n", ' +
      '"    def method(self): return 2\\n", 75, 13, "OSError"]',
  );
});

Deno.test("library: an unknown time zone is reported as in CPython", async () => {
  const error = await errorOf("import zoneinfo\nzoneinfo.ZoneInfo('Mars/Olympus')");
  assertEquals([error.name, error.message, error.lineNumber], [
    "ZoneInfoNotFoundError",
    "'No time zone found with key Mars/Olympus'",
    2,
  ]);
});

Deno.test("library: time zones exist, with rules for future years", async () => {
  const code = `
import zoneinfo, datetime
zones = zoneinfo.available_timezones()
paris = datetime.datetime(2060, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Paris"))
[len(zones) > 400, paris.utcoffset().total_seconds(), str(zoneinfo.ZoneInfo("UTC")), "Asia/Tokyo" in zones]
`;
  assertEquals(await valueOf(code), '[true, 7200.0, "UTC", true]');
});

Deno.test("library: the environment has the request's variables and no others", async () => {
  const env = { NAME: "välue", EMPTY: "", __proto__x: "1" };
  assertEquals(
    await valueOf("import os\ndict(os.environ)", { env }),
    '{"NAME": "välue", "EMPTY": "", "__proto__x": "1"}',
  );
  assertEquals(await valueOf("import os\nos.environ['NEW'] = '1'\nos.getenv('NEW')"), "'1'");
  assertEquals(await valueOf("import os\ndict(os.environ)"), "{}");
});

Deno.test("library: files have errors, times, modes and limits as on Linux", async () => {
  const cases: readonly (readonly [code: string, value: string])[] = [
    [
      "import os\nopen('a', 'w').write('x' * 5)\nos.stat('a').st_size, oct(os.stat('a').st_mode)",
      "(5, '0o100644')",
    ],
    ["import os\nos.umask(0o077)\nopen('a', 'w').close()\noct(os.stat('a').st_mode)", "'0o100600'"],
    ["import os\nos.mkdir('d')\nos.chmod('d', 0o500)\noct(os.stat('d').st_mode)", "'0o40500'"],
    [
      "import os, time\nopen('a', 'w').close()\nabs(os.path.getmtime('a') - time.time()) < 5",
      "True",
    ],
    [
      "import os\nopen('a', 'w').close()\nos.utime('a', (1, 1234567890.5))\nos.stat('a').st_mtime",
      "1234567890.5",
    ],
    [
      "import os\nfd = os.open('a', os.O_RDWR | os.O_CREAT)\nos.write(fd, b'hello')\nos.lseek(fd, 1, 0)\nos.pread(fd, 2, 3), os.read(fd, 9), os.fstat(fd).st_size",
      "(b'lo', b'ello', 5)",
    ],
    [
      "import os\nfd = os.open('a', os.O_WRONLY | os.O_CREAT)\nos.ftruncate(fd, 3)\nopen('a', 'rb').read()",
      "b'\\x00\\x00\\x00'",
    ],
    ["import os\nopen('a', 'w').close()\nos.rename('a', 'b')\nos.listdir('.')", '["b"]'],
    ["import os\nfor n in 'cab': os.mkdir(n)\nos.listdir()", '["a", "b", "c"]'],
    [
      "import os\nfor i in range(600): open(f'{i:04}', 'w').close()\nlen(os.listdir()), len(set(os.listdir()))",
      "(600, 600)",
    ],
    ["import os\nos.chdir('/tmp')\nos.getcwd(), os.path.realpath('x')", "('/tmp', '/tmp/x')"],
    [
      "import os\n[os.path.islink('/tmp'), os.access('/lib', os.W_OK), os.access('/workspace', os.W_OK)]",
      "[false, false, true]",
    ],
    [
      "import os, mmap\nopen('m', 'wb').write(b'abcdef')\nf = open('m', 'r+b')\nm = mmap.mmap(f.fileno(), 0)\nm[0:1] = b'Z'\nm.close()\nopen('m').read()",
      "'Zbcdef'",
    ],
    ["import shutil\nshutil.disk_usage('/workspace').total", "16777216"],
    [
      "import tempfile\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')\n    f.seek(0)\n    r = f.read()\nr",
      "b'x'",
    ],
    [
      "import sys, os\nopen('helper.py', 'w').write('V = 42')\nimport helper\nhelper.V, helper.__file__",
      "(42, '/workspace/helper.py')",
    ],
    [
      "import fcntl\nf = open('l', 'w')\nfcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB) if hasattr(fcntl, 'flock') else None\n1",
      "1",
    ],
  ];
  for (const [code, value] of cases) assertEquals(await valueOf(code), value, code);
  const refused: readonly (readonly [code: string, name: string])[] = [
    ["open('big', 'wb').write(bytes(5_000_000))", "OSError"],
    ["for i in range(9): open(str(i), 'wb').write(bytes(3_000_000))", "OSError"],
    ["for i in range(5000): open(str(i), 'w').close()", "OSError"],
    ["held = [open('/dev/null') for _ in range(400)]", "OSError"],
    ["open('x' * 300, 'w')", "OSError"],
    ["open('a/b', 'w')", "FileNotFoundError"],
    ["open('\\udcff', 'w')", "OSError"],
    ["import os\nos.rmdir('/workspace')", "OSError"],
  ];
  for (const [code, name] of refused) {
    const { ending } = await run(code);
    assertEquals(ending.kind === "error" && ending.error.name, name, code);
  }
});

Deno.test("library: asyncio runs, waits, gathers and times out on virtual time", async () => {
  const code = `
import asyncio, time
async def work(n):
    await asyncio.sleep(n)
    return n
async def main():
    start = time.monotonic()
    both = await asyncio.gather(work(2), work(1))
    try:
        await asyncio.wait_for(work(100), 3)
    except TimeoutError:
        both.append("late")
    return both, 5 <= time.monotonic() - start < 6
asyncio.run(main())
`;
  assertEquals(await valueOf(code), "([2, 1, 'late'], True)");
  assertEquals(await valueOf("import asyncio\nx = await asyncio.sleep(1, 'r')\nx"), "'r'");
  assertEquals(
    await valueOf("async def g():\n    for i in range(3): yield i\n[x async for x in g()]"),
    "[0, 1, 2]",
  );
  const never = await run("import asyncio\nawait asyncio.get_running_loop().create_future()");
  assert(never.ending.kind === "error");
  assertEquals([never.ending.error.name, never.ending.error.message], [
    "RuntimeError",
    "the awaited object never settles: nothing is left to run that could settle it",
  ]);
});
