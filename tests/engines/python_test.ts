import { testEngine } from "./conformance.ts";
import { anotherEngine } from "../runtimes/languages/python/support.ts";

testEngine({
  language: "python",
  makeEngine: anotherEngine,
  programs: {
    bothStreams: "import sys\nprint('out')\nprint('err', file=sys.stderr)",
    noNewline: "print('no newline', end='')",
    endlessOutput: "print('first')\nwhile True: print('x')",
    number: "6 * 7",
    container: "{'a': 1, 'b': [1, 'x']}",
    nothing: "x = 1",
    longText: "'x' * 5000",
    exception: { code: "\n\nraise TypeError('bad thing')", name: "TypeError" },
    syntaxError: { code: "a = 1\nb = = 2\n", name: "SyntaxError" },
    endlessLoop: "while True: pass",
    endlessCatch:
      "while True:\n    try:\n        while True: pass\n    except BaseException: continue\n    finally:\n        while True: pass",
    memoryHog: "held = []\nwhile True: held.append(bytes(1 << 20))",
    deepRecursion: "def f(): return f() + 1\nf()",
    sleep: "import time\ntime.sleep(5)\n1",
    longSleep: "import time\ntime.sleep(3600)\n1",
    random: "import random\nrandom.random()",
    environment: "import os\nprint(os.environ.get('BELLJAR_TEST', 'none'))",
    define: "kept = 'yes'",
    isUndefined: "1 if 'kept' not in globals() else 0",
    exitZero: "import sys\nsys.exit(0)\nprint('after')",
    exitThree: "import sys\nsys.exit(3)",
    work: "d = {f'k{i}': [i] for i in range(500)}\nlen(repr(d))",
  },
});
