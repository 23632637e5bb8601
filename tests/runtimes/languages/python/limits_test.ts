import { assert, assertEquals } from "@std/assert";
import { errorOf, run, valueOf } from "./support.ts";

Deno.test("memory: too much of it is Python's own MemoryError, with a traceback", async () => {
  const programs = [
    "x = 'a' * 10**9",
    "a = []\nwhile True: a.append(bytes(1_000_000))",
    "d = {}\nfor i in iter(int, 1): d[len(d)] = bytearray(500_000)",
    "bytearray(2**31 - 1)",
    "[0] * 10**9",
  ];
  for (const code of programs) {
    const error = await errorOf(code);
    assertEquals(error.name, "MemoryError", code);
    assert(error.traceback[0]?.startsWith("Traceback"), code);
    assertEquals(await valueOf("1 + 1"), "2");
  }
});

Deno.test("memory: a guest may catch a MemoryError and continue", async () => {
  assertEquals(
    await valueOf("try:\n    x = 'a' * 10**9\nexcept MemoryError:\n    x = 'small'\nx"),
    "'small'",
  );
});

Deno.test("output: arrives as it is written, in order, without added newlines", async () => {
  const ran = await run(
    "import sys\nprint('a', end='')\nsys.stderr.write('e')\nsys.stdout.write('é')\nsys.stdout.buffer.write(b'\\xff')\nprint()",
  );
  assertEquals([ran.stdout, ran.stderr], ["aé\ufffd\n", "e"]);
});

Deno.test("output: is kept when the run is stopped, and stops the run at its limit", async () => {
  const stopped = await run("print('before')\nprint('part', end='')\nwhile True: pass", {
    limits: { fuel: 100_000_000 },
  });
  assertEquals([stopped.stdout, stopped.ending.kind], ["before\npart", "limit"]);
  const flood = await run("while True: print('x' * 100)", { outputBytes: 5000 });
  assert(flood.ending.kind === "limit" && flood.ending.limit === "output");
  assertEquals(flood.ending.traceback.at(-1), "    while True: print('x' * 100)");
  assert(flood.stdout.length <= 5000 && flood.stdout.length > 4800);
  const caught = await run(
    "while True:\n    try:\n        print('x')\n    except BaseException: pass",
    { outputBytes: 100 },
  );
  assertEquals(caught.ending.kind === "limit" && caught.ending.limit, "output");
});

Deno.test("output: streams that were replaced, closed or duplicated do no harm", async () => {
  const programs: readonly (readonly [code: string, stdout: string])[] = [
    ["import sys\nsys.stdout.close()\n5", ""],
    ["import sys\nsys.stdout = None\nprint('lost')\n5", ""],
    ["import sys, io\nsys.stdout = io.StringIO()\nprint('kept back')\n5", ""],
    ["import sys\nsys.stdout = sys.__stderr__\nprint('x')\n5", ""],
    ["import os\nos.close(1)\n5", ""],
    ["import os\nos.write(1, b'raw\\n')\n5", "raw\n"],
    ["import os\nos.dup2(2, 1)\nprint('to err')\n5", ""],
    ["import os\nn = os.dup(1)\nos.write(n, b'dup')\nos.close(n)\n5", "dup"],
    [
      "import sys\nsys.stdout.reconfigure(line_buffering=False, write_through=False)\nprint('buffered')\n5",
      "buffered\n",
    ],
    ["import builtins\nbuiltins.print = None\n5", ""],
    ["print('\\x00\\x1b[31m')\n5", "\x00\x1b[31m\n"],
  ];
  for (const [code, stdout] of programs) {
    const ran = await run(code);
    assertEquals([ran.ending, ran.stdout], [{ kind: "text", text: "5" }, stdout], code);
  }
});

Deno.test("hostile sizes end quickly as errors or limits", async () => {
  const programs = [
    "int('9' * 10**6)",
    "str(2 ** 10**7)",
    "import sys\nsys.set_int_max_str_digits(0)\nstr(2 ** 10**7)",
    "'%2147483647d' % 1",
    "f'{1:2147483647d}'",
    "'x'.ljust(2**31 - 1)",
    "import json\njson.loads('[' * 10**5)",
    "import zlib\nzlib.decompress(zlib.compress(bytes(10**8)))",
    "import zipfile, io\nb = io.BytesIO()\nz = zipfile.ZipFile(b, 'w', zipfile.ZIP_DEFLATED)\nz.writestr('x', bytes(10**8))\nz.close()\nzipfile.ZipFile(b).read('x')",
    "import lzma\nlzma.decompress(lzma.compress(bytes(5 * 10**7)))",
    "import xml.etree.ElementTree as E\nE.fromstring('<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\">' + ''.join(f'<!ENTITY a{i} \"' + (f'&a{i-1};' if i else '&a;') * 10 + '\">' for i in range(9)) + ']><l>&a8;</l>')",
    "import pickle\npickle.loads(b'\\x80\\x04\\x95\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x7f')",
    "import marshal\nmarshal.loads(b'[\\xff\\xff\\xff\\x7f')",
    "import struct\nstruct.pack('2147483647x')",
    "import decimal\ndecimal.getcontext().prec = decimal.MAX_PREC\ndecimal.Decimal(1) / 3",
    "exec('x=' + '(' * 5000)",
    "eval('-' * 60000 + '1')",
    "'a' * 10**6 + __import__('re').sub('(a|aa)+$', '', 'a' * 60 + 'b')",
    "range(10**30)[10**29:].index(5)",
    "list(range(10**30))",
    "import itertools\nlist(itertools.permutations(range(12)))",
    "import array\narray.array('d', bytes(8)) * 10**9",
    "import sqlite3\nsqlite3.connect(':memory:').execute('select hex(zeroblob(200000000))').fetchone()",
  ];
  for (const code of programs) {
    const { ending } = await run(code, { limits: { fuel: 4_000_000_000 } });
    assert(
      ending.kind === "error" || ending.kind === "limit",
      `${JSON.stringify(ending).slice(0, 100)} from ${code}`,
    );
    assertEquals(await valueOf("1 + 1"), "2", code);
  }
});
