// test: long
/** Hostile programs of the shell that start programs of other languages: all end, by limits. */
import { assert, assertEquals } from "@std/assert";
import { jsonPost } from "../support/json_post.ts";
import { startService } from "../support/service.ts";
import { shellTest } from "../support/shell_engine.ts";

const LIMITS = { fuel: 1_500_000_000, wallMs: 30_000 };

const PROGRAMS: readonly string[] = [
  // many programs
  "while :; do python -c 1; done",
  "while :; do node -e 1 & done; wait",
  "f() { python -c 1 | f; }; f",
  "f() { perl -e 1; f & f & }; f; wait",
  "seq 100000 | xargs -n1 perl -e 1",
  "seq 3000 | xargs -P 100 -n1 ruby -e 1",
  "find / -exec python -c 1 {} \\;",
  ":(){ node -e 1 | :& };:",
  // programs that start programs
  "python -c 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass'",
  "python -c 'import subprocess; subprocess.Popen([\"bash\"])'",
  'node -e \'for (;;) try { require("child_process").spawn("sh") } catch {}\'',
  "perl -e 'while (1) { fork; system \"sh\"; }'",
  "ruby -e 'loop { begin; spawn \"sh\"; rescue Exception; end }'",
  "echo 'python s.py' > s.sh; echo 'import os; os.system(\"bash s.sh\")' > s.py; bash s.sh",
  // endless input and output
  "yes | python -c 'import sys\nfor line in sys.stdin: pass'",
  "yes | head -c 20000000 | node",
  "cat /dev/zero | perl -ne 1",
  "python -c 'while True: print(\"x\" * 1000)'",
  "python -c 'while True: print(1)' | perl -ne print | sort",
  "node -e 'for (;;) console.error(1)' 2>&1",
  "node -e 'for (;;) console.log(1)' > out",
  "perl -e 'print \"x\\n\" while 1' | awk '{ n++ } END { print n }'",
  "awk 'BEGIN { while (1) print 1 }' | perl -ne 1",
  "x=$(ruby -e 'loop { puts 1 }'); echo ${#x}",
  'python -c \'import sys\nwhile True: sys.stdout.write("a"); sys.stderr.write("b"); sys.stdout.flush()\'',
  "python - <<E\n$(yes 'print(1)' | head -300000)\nE",
  // many words, variables and files
  "python -c 1 {1..1000000}",
  "export X=$(printf 'x%.0s' {1..1000000}); for i in 1 2 3 4; do export X$i=$X; done; node -e 1",
  "for i in {1..20000}; do export V$i=1; done; perl -e 1",
  "for i in {1..9000}; do : > f$i; done; python -c 'import os; print(len(os.listdir()))'",
  "python -c 'for i in range(10**6): open(str(i), \"w\")'; echo *",
  'node -e \'require("fs").writeFileSync("big", Buffer.alloc(5e6)); for (;;) require("fs").appendFileSync("big", Buffer.alloc(1e6))\'',
  'perl -e \'mkdir "a" and chdir "a" while 1\'; find . | wc -l',
  // memory, time, patterns
  "python -c 'x = [0]\nwhile True: x += x'",
  "node -e 'a = []; for (;;) a.push(a.join())'",
  "perl -e '$x = \"x\"; $x .= $x while 1'",
  "ruby -e 'a = []; loop { a << a.inspect * 2 }'",
  "python -c 'import time; time.sleep(10**6)'",
  "while :; do perl -e 'sleep 100000'; done",
  "perl -e '(\"a\" x 40) =~ /^(a+)+b/'",
  "trap 'python -c 1; kill -TERM $$' TERM; kill -TERM $$",
  "python -c 'print(\"\\x00\" * 1000)' | node | perl | ruby",
];

interface Answer {
  readonly error?: { readonly name: string; readonly message: string };
  readonly exitCode?: number;
  readonly logs?: { readonly stdout: readonly string[] };
  readonly usage?: { readonly fuelConsumed: number };
}

shellTest("hostile programs with other languages end, and the next run is right", async (t) => {
  await using service = await startService({ LANGUAGES: "javascript,python,perl,ruby,shell" });
  const run = async (code: string, limits: object = LIMITS) => {
    const answer = await fetch(`${service.url}/execute/shell`, jsonPost({ code, limits }));
    const body: Answer = await answer.json();
    return { status: answer.status, body };
  };
  for (const code of PROGRAMS) {
    await t.step(code, async () => {
      const { status, body: { error, exitCode, usage } } = await run(code);
      assertEquals(status, 200);
      assert(error === undefined ? exitCode !== undefined : /limit/i.test(error.message));
      assert((usage?.fuelConsumed ?? 0) <= LIMITS.fuel);
      const next = await run("echo next; python -c 'print(2)'; ls");
      assertEquals(next.body.logs?.stdout, ["next", "2"]);
    });
  }
});
