/** Programs that break what the driver uses for answers, and values that are hard to show. */
import type { HostileCase } from "../cases.ts";

const ONE = [{ json: { a: 1 } }];

/** After each of these the value must still be correct. */
export const OVERRIDES: readonly HostileCase[] = [
  "import sys\nsys.stdout.close()",
  "import sys\nsys.stdout = None",
  "import sys\nsys.stdout = sys.stderr = object()",
  "import sys\ndel sys.stdout, sys.stderr",
  "import sys\nclass W:\n def write(self, s): raise SystemExit(3)\n def flush(self): raise KeyboardInterrupt\nsys.stdout = W()",
  "import os\nfor n in range(3): os.close(n)",
  "import builtins\nbuiltins.print = builtins.repr = builtins.isinstance = builtins.type = None",
  "import builtins\nbuiltins.str = builtins.dict = builtins.list = builtins.len = None",
  "print = None",
  "import json\njson.dumps = json.JSONEncoder = json.encoder.encode_basestring = None",
  "import sys\nsys.modules.clear()",
  "import sys\nsys.modules['marshal'] = sys.modules['_json'] = None",
  "import sys\nsys.meta_path.clear()\nsys.path_hooks.clear()\nsys.path.clear()",
  "import builtins\nbuiltins.__import__ = None",
  "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)",
  "import traceback\ntraceback.TracebackException = None",
  "import sys\nsys.excepthook = sys.unraisablehook = sys.displayhook = None",
  "import os\nos.environ = None",
  "import random\nrandom._inst = None",
  "import gc\ngc.disable()",
  "import asyncio\nasyncio.Runner = asyncio.ensure_future = None",
  "import marshal\nmarshal.loads = None",
  "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)",
  "import os\nos.umask(0o777)\nos.mkdir('d')\nos.chdir('d')\nos.rmdir('../d')",
].map((code) => ({
  name: `${code} ({'a': 1})`,
  code: `${code}\n{'a': 1}`,
  outcome: "value",
  results: ONE,
}));

const value = (code: string, ...results: readonly unknown[]): HostileCase => ({
  name: `the value of ${code}`,
  code,
  outcome: "value",
  results,
});

export const RESULTS: readonly HostileCase[] = [
  value("{1: 'a', 'b': 2}", { json: { "1": "a", b: 2 } }),
  value("{1: 'a', '1': 2}", { text: "{1: 'a', '1': 2}" }),
  value("{(1, 2): 3}", { text: "{(1, 2): 3}" }),
  value("[float('nan')]", { text: "[nan]" }),
  value("{'x': float('inf')}", { text: "{'x': inf}" }),
  value("(1, 2)", { text: "(1, 2)" }),
  value("[(1, 2), [3]]", { json: [[1, 2], [3]] }),
  value("{3}", { text: "{3}" }),
  value("[{3}]", { text: "[{3}]" }),
  value("b'\\xff'", { text: "b'\\xff'" }),
  value("[b'x']", { text: "[b'x']" }),
  value("x = []\nx.append(x)\nx", { text: "[[...]]" }),
  value("x = {}\nx['x'] = x\nx", { text: "{'x': {...}}" }),
  value("None"),
  value("'\\ud800'", { text: "'\\ud800'" }),
  value("class L(list):\n def __iter__(self): raise SystemExit\nL([1])"),
  value("class L(list):\n def __iter__(self): raise ValueError\nL([1])", { text: "[1]" }),
  ...[
    ["a repr that raises", "class A:\n def __repr__(self): raise ValueError('no')\nA()", "error"],
    ["a repr that loops", "class A:\n def __repr__(self):\n  while True: pass\nA()", "limit"],
    ["a repr that is no text", "class A:\n def __repr__(self): return 5\nA()", "error"],
    [
      "an int subclass that lies",
      "class I(int):\n def __repr__(self): raise OSError\n[I(3)]",
      "any",
    ],
    [
      "a dict subclass that loops",
      "class D(dict):\n def items(self):\n  while True: yield 1, 2\nD(a=1)",
      "any",
    ],
    [
      "an awaitable that loops",
      "class A:\n def __await__(self):\n  while True: pass\nA()",
      "limit",
    ],
    [
      "an exception whose str loops",
      "class E(Exception):\n def __str__(self):\n  while True: pass\nraise E",
      "limit",
    ],
    [
      "an exception whose str raises",
      "class E(Exception):\n def __str__(self): raise E\nraise E",
      "error",
    ],
    [
      "an exception whose class lies",
      "class M(type):\n __name__ = 5\nclass E(Exception, metaclass=M): pass\nraise E",
      "error",
    ],
    [
      "a cycle of causes",
      "a, b = ValueError('a'), ValueError('b')\na.__cause__ = b\nb.__cause__ = a\nraise a",
      "error",
    ],
    [
      "a thousand causes",
      "e = None\nfor n in range(3000):\n x = ValueError(n)\n x.__cause__ = e\n e = x\nraise e",
      "error",
    ],
    [
      "a deep group",
      "e = ValueError()\nfor _ in range(900): e = ExceptionGroup('g', [e])\nraise e",
      "error",
    ],
    ["an exit with an odd status", "import sys\nsys.exit([1, 2])", "error"],
    [
      "an exit whose code loops",
      "import sys\nclass A:\n def __str__(self):\n  while True: pass\nsys.exit(A())",
      "limit",
    ],
    ["a generator as the value", "(x for x in iter(int, 1))", "value"],
    ["KeyboardInterrupt", "raise KeyboardInterrupt", "error"],
    ["a clean exit", "import os\nos._exit(0)", "any"],
  ].map(([name, code, outcome]) => ({
    name: name ?? "",
    code: code ?? "",
    outcome: outcome as HostileCase["outcome"],
  })),
];
