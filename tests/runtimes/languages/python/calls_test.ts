/** Calls of the caller's functions from Python, and questions to the caller. */
import { assertEquals } from "@std/assert";
import { calling } from "../../calls/calling_programs.ts";

/** Programs, what they tell, and what they ask. */
const CASES: readonly (readonly [code: string, told: string, asked: readonly string[]])[] = [
  ["tools.add(a=1, b=2)", "3", ['1 add {"a":1,"b":2}']],
  ["tools.echo()", "{}", ["1 echo {}"]],
  ["tools.echo({'a b': 1})", '{"a b": 1}', ['1 echo {"a b":1}']],
  [
    "tools.crm.find(q='é☃')",
    '{"name": "é☃", "tags": ["a", 2.5, null, true]}',
    ['1 crm.find {"q":"é☃"}'],
  ],
  [
    "tools.echo(n=2**70, self=1, name=[None, True])",
    '{"n": 1.1805916207174113e+21, "self": 1, "name": [null, true]}',
    ['1 echo {"n":1180591620717411303424,"self":1,"name":[null,true]}'],
  ],
  ["tools.echo(a='\\ud800')", '{"a": "\\ud800"}', ['1 echo {"a":"\\ud800"}']],
  // from anywhere
  ["sorted([3, 1, 2], key=lambda x: tools.add(a=x, b=0))", "[1, 2, 3]", [
    '1 add {"a":3,"b":0}',
    '2 add {"a":1,"b":0}',
    '3 add {"a":2,"b":0}',
  ]],
  ["list(tools.add(a=x, b=1) for x in range(2))", "[1, 2]", [
    '1 add {"a":0,"b":1}',
    '2 add {"a":1,"b":1}',
  ]],
  [
    "class A:\n  def __getattr__(self, n): return tools.echo(n=n)['n']\n" +
    "  def __repr__(self): return tools.start()\nf'{A().x} {A()}'",
    "'x start'",
    ['1 echo {"n":"x"}', "2 start {}"],
  ],
  [
    "import re\nre.sub('[ab]', lambda m: str(tools.add(a=1, b=1)), 'ab')",
    "'22'",
    ['1 add {"a":1,"b":1}', '2 add {"a":1,"b":1}'],
  ],
  [
    "import sqlite3\nc = sqlite3.connect(':memory:')\n" +
    "c.create_function('f', 1, lambda x: tools.add(a=x, b=x))\n" +
    "c.execute('select f(21)').fetchone()[0]",
    "42",
    ['1 add {"a":21,"b":21}'],
  ],
  ["import atexit\natexit.register(lambda: print(tools.add(a=1, b=1)))\nNone", "2\n", [
    '1 add {"a":1,"b":1}',
  ]],
  // side by side
  ["import asyncio\nawait asyncio.gather(*(tools.add.start(a=x, b=1) for x in (2, 1)))", "[3, 2]", [
    '1 add {"a":2,"b":1}',
    '2 add {"a":1,"b":1}',
  ]],
  ["await tools.add.start(a=1, b=1)", "2", ['1 add {"a":1,"b":1}']],
  ["[c.result() for c in [tools.add.start(a=x, b=1) for x in (2, 1)]]", "[3, 2]", [
    '1 add {"a":2,"b":1}',
    '2 add {"a":1,"b":1}',
  ]],
  [
    "import asyncio\nstarted = [tools.add.start(a=x, b=1) for x in (2, 1)]\n" +
    "async def main(): return await asyncio.gather(*started)\nasyncio.run(main())",
    "[3, 2]",
    ['1 add {"a":2,"b":1}', '2 add {"a":1,"b":1}'],
  ],
  [
    "import asyncio\nasync with asyncio.TaskGroup() as group:\n" +
    "  async def one(x): return await tools.add.start(a=x, b=1)\n" +
    "  tasks = [group.create_task(one(x)) for x in (2, 1)]\n[t.result() for t in tasks]",
    "[3, 2]",
    ['1 add {"a":2,"b":1}', '2 add {"a":1,"b":1}'],
  ],
  [
    "import asyncio\ntry: await asyncio.wait_for(tools.slow.start(), 1)\n" +
    "except TimeoutError: print('late')\ntools.echo(a=1)",
    'late\n | {"a": 1}',
    ["1 slow {}", '2 echo {"a":1}'],
  ],
  [
    "import asyncio\ndone, left = await asyncio.wait(\n" +
    "  [tools.slow.start(), tools.echo.start()], return_when='FIRST_COMPLETED')\n" +
    "[[d.result() for d in done], len(left)]",
    "[[{}], 1]",
    ["1 slow {}", "2 echo {}"],
  ],
  // names that are words of the language
  [
    "[tools.crm.class_(), tools['crm.class'](), getattr(tools.crm, 'class')(), tools.start()]",
    '["class", "class", "class", "start"]',
    ["1 crm.class {}", "2 crm.class {}", "3 crm.class {}", "4 start {}"],
  ],
  // the tools themselves
  ["dir(tools)", '["add", "crm", "deny", "echo", "expire", "fail", "slow", "start"]', []],
  [
    "[hasattr(tools, 'add'), hasattr(tools, 'nope'), 'crm' in tools, len(tools.crm)]",
    "[true, false, true, 2]",
    [],
  ],
  ["repr(tools.crm)", "'<tools crm.find, class>'", []],
  // errors
  [
    "try: tools.fail()\nexcept ToolError as e: print(type(e).__name__, e, e.tool, e.data)",
    "ToolError no luck fail {'code': 7}\n",
    ["1 fail {}"],
  ],
  [
    "for given in [dict(data={'unknown': True}), dict(data={'unknown': 'yes'}), dict(data=['unknown']), {}]:\n  try: tools.fail(given)\n  except ToolError as e: print(e.unknown)",
    "True\nFalse\nFalse\nFalse\n",
    [
      '1 fail {"data":{"unknown":true}}',
      '2 fail {"data":{"unknown":"yes"}}',
      '3 fail {"data":["unknown"]}',
      "4 fail {}",
    ],
  ],
  [
    "try: tools.deny()\nexcept ToolDenied as e: print(e, isinstance(e, ToolError))",
    "not you True\n",
    ["1 deny {}"],
  ],
  ["try: tools.expire()\nexcept ToolExpired as e: print(e)", "too late\n", ["1 expire {}"]],
  ["try: await tools.fail.start()\nexcept ToolError as e: print(e)", "no luck\n", ["1 fail {}"]],
  ["tools.fail()", "ToolError: no luck", ["1 fail {}"]],
  ["tools.crm.fnid()", "ToolError: there is no tool 'crm.fnid'; did you mean crm.find?", []],
  ["tools.other.thing()", "ToolError: there is no tool 'other'", []],
  [
    "tools.echo(a=b'x')",
    "ToolError: the arguments cannot be written as JSON: " +
    "Object of type bytes is not JSON serializable",
    [],
  ],
  [
    "tools.echo(a=float('inf'))",
    "ToolError: the arguments cannot be written as JSON: " +
    "Out of range float values are not JSON compliant: inf",
    [],
  ],
  [
    "a = []; a.append(a); tools.echo(a=a)",
    "ToolError: the arguments cannot be written as JSON: Circular reference detected",
    [],
  ],
  ["tools.echo(1)", "ToolError: a call has named arguments, or one dict of them", []],
  [
    "tools.echo(a='x' * 65_530)",
    "ToolError: the arguments of a call have at most 65536 bytes of JSON",
    [],
  ],
  [
    "for i in range(65): tools.echo.start()",
    "ToolError: at most 64 calls may be without an answer at a time",
    Array.from({ length: 64 }, (_, index) => `${index + 1} echo {}`),
  ],
  ["tools.add = 1", "AttributeError: tools cannot be changed", []],
  // times
  ["import time\nt = time.time(); tools.slow(); round(time.time() - t, 3)", "5.0", ["1 slow {}"]],
  ["import time\nt = time.time(); time.sleep(2.5); round(time.time() - t, 3)", "2.5", [
    "sleep 2500",
  ]],
  ["import asyncio\nawait asyncio.sleep(3)", "", ["sleep 3000"]],
  ["import time\nt = time.process_time(); time.sleep(9); time.process_time() - t < 1", "True", [
    "sleep 9000",
  ]],
  [
    "import signal, time\ndef ring(*_): raise TimeoutError('rung')\n" +
    "signal.signal(signal.SIGALRM, ring); signal.alarm(3)\ntime.sleep(10)",
    "TimeoutError: rung",
    ["sleep 3000"],
  ],
  ["import select\nselect.select([], [], [], 1.5)[0]", "[]", ["sleep 1500"]],
  // a library that the program has changed
  [
    "import json, posix, os\njson.loads = json.dumps = posix.write = os.write = None\n" +
    "tools.add(a=2, b=2)",
    "4",
    ['1 add {"a":2,"b":2}'],
  ],
];

Deno.test("python calls: programs call, wait and catch", async (t) => {
  for (const [code, told, asked] of CASES) {
    await t.step(code, async () => assertEquals(await calling("python", code), { told, asked }));
  }
});

Deno.test("python calls: the call after the thousandth ends the run, and cannot be caught", async () => {
  const code = "while True:\n  try: tools.echo()\n  except BaseException: pass";
  const { told, asked } = await calling("python", code);
  assertEquals([told, asked.length], ["limit calls", 1_000]);
});

Deno.test("python calls: lines of input are asked for, one by one", async () => {
  const input = ["Ann\n", "blue\n"];
  const cases: readonly (readonly [code: string, told: string, asked: readonly string[]])[] = [
    [
      "n = input('Name? ')\ntools.echo(n=n)\n[n, input('Colour? ')]",
      'Name? Colour?  | ["Ann", "blue"]',
      ["input", '1 echo {"n":"Ann"}', "input"],
    ],
    ["import sys\nfor line in sys.stdin: print(line, end='')", "Ann\nblue\n", [
      "input",
      "input",
      "input",
    ]],
    [
      "import sys\n[sys.stdin.readline(), sys.stdin.read(), sys.stdin.read()]",
      '["Ann\\n", "blue\\n", ""]',
      ["input", "input", "input"],
    ],
    ["input(); input(); input()", "EOFError: EOF when reading a line", ["input", "input", "input"]],
    ["open(0, closefd=False).read(3)", "'Ann'", ["input"]],
  ];
  for (const [code, told, asked] of cases) {
    assertEquals(await calling("python", code, { input }), { told, asked }, code);
  }
});

Deno.test("python calls: nobody is asked where the run is not interactive", async () => {
  assertEquals(await calling("python", "import sys\nsys.stdin.read()"), { told: "''", asked: [] });
});

Deno.test("python calls: the built-ins are those of the run", async () => {
  const run = (code: string, plain: boolean) => calling("python", code, { inContext: true, plain });
  await calling("python", "0", { plain: true });
  const names = "import builtins\n" +
    "[hasattr(builtins, n) for n in ('tools', 'ToolError', 'ToolDenied', 'ToolExpired')]";
  const none = "[false, false, false, false]";
  assertEquals((await run(names, true)).told, none);
  const all = await run(
    `kept = tools\ntry: tools.fail()\nexcept Exception as e: failed = e\n${names}`,
    false,
  );
  assertEquals(all.told, "[true, true, true, true]");
  assertEquals((await run(names, true)).told, none);
  assertEquals(
    (await run("kept.add(a=1, b=1)", true)).told,
    "ToolError: the run of this tool has ended",
  );
  assertEquals(
    (await run("[isinstance(failed, ToolError), tools.add(a=1, b=1)]", false)).told,
    "[true, 2]",
  );
  assertEquals((await run("tools = [1]; tools", true)).told, "[1]");
  assertEquals((await run("tools", false)).told, "[1]");
});

Deno.test("python calls: a program that opens the device gets as far as the driver", async () => {
  const code = `
import os
fd = os.open('/dev/call', os.O_RDWR)
def send(line):
  try: os.write(fd, line); return 'ok'
  except OSError as e: return 'no'
lines = [b'call 1 a {}', b'call 1 a {}', b'call 2 a', b'call 2 a []', b'call 2 a b {}', b'x', b'',
  b'wait 9 -', b'wait - -', b'wait 1 x', b'call 2 \\xff {}', b'wait - 1e9', b'wait 2 -',
  b'call 2 a {"b":' + b'[' * 60_000 + b'}', b'call 2 a {}\\nwait 1,2 5']
told = [send(line + b'\\n') for line in lines]
[' '.join(told), send(b'x' * 70_000), os.read(fd, 99).decode(), send(b'wait 2 -\\n'), os.read(fd, 99).decode()]`;
  const { told, asked } = await calling("python", code, { functions: { a: () => 1 } });
  assertEquals(told, `["ok ${"no ".repeat(13)}ok", "no", "value 1 1\\n", "ok", "value 2 1\\n"]`);
  assertEquals(asked, ["1 a {}", "2 a {}"]);
  const without = await calling(
    "python",
    "import os\n[os.path.exists('/dev/call'), " +
      "os.listdir('/dev'), os.stat('/dev/stderr').st_ino]",
    { plain: true },
  );
  const within = await calling(
    "python",
    "import os\n[os.path.exists('/dev/call'), " +
      "os.listdir('/dev'), os.stat('/dev/stderr').st_ino]",
  );
  assertEquals(within.told.replace("true", "false"), without.told);
});
