/** The standard streams of a context, after a run that closed or replaced them. */
import { assertEquals } from "@std/assert";
import { pythonEngine, runIn } from "./support.ts";

const READ = "import sys\nprint(input())\nprint('noted', file=sys.stderr)";

const DAMAGE = [
  "import sys\nsys.stdin.close()",
  "import sys\nsys.stdin.buffer.close()",
  "import sys\nsys.stdout.close()",
  "import sys\nsys.stderr.close()",
  "import sys, io\nsys.stdin = io.StringIO('other\\n')",
  "import sys, io\nsys.stdout = sys.stderr = io.StringIO()",
  "import sys\nsys.stdin = sys.stdout = sys.stderr = None",
  "import sys\ndel sys.stdin, sys.stdout, sys.stderr",
  "import sys\nsys.stdout = open('/workspace/log.txt', 'w')",
  "import os\nos.close(0)",
  "import os\nos.close(1)\nos.close(2)",
  "import sys\nsys.stdin.detach()",
  "import sys, os\nsys.stdin.close()\nsys.stdout.close()\nos.close(0)\nos.close(1)",
  "import sys, io\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')",
  "open(0).close()",
];

Deno.test("standard streams: a run has its own after any earlier run", async () => {
  const engine = await pythonEngine();
  for (const stdin of [undefined, "first\n"]) {
    for (const code of DAMAGE) {
      engine.reset();
      runIn(engine, code, { inContext: true, ...(stdin === undefined ? {} : { stdin }) });
      engine.state.endRun();
      const ran = runIn(engine, READ, { inContext: true, stdin: "line\n" });
      engine.state.endRun();
      assertEquals([ran.stdout, ran.stderr, ran.ending.kind], ["line\n", "noted\n", "none"], code);
    }
  }
});
