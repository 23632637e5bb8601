// test: long
/** Programs of other languages that the shell starts: on the same files, in one run. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { jsonPost } from "../support/json_post.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { eventsOf, streamHeaders } from "../support/run_stream.ts";
import { type Service, startService } from "../support/service.ts";
import { shellTest } from "../support/shell_engine.ts";

const LANGUAGES = "javascript,python,perl,ruby,shell";

interface Ran {
  readonly exitCode?: number;
  readonly logs: { readonly stdout: readonly string[]; readonly stderr: readonly string[] };
  readonly error?: { readonly name: string; readonly message: string };
  readonly usage?: { readonly fuelConsumed: number };
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const init = jsonPost(body);
  const response = await fetch(url, { ...init, headers: { ...init.headers, ...headers } });
  return await response.json();
}

async function run({ url }: Pick<Service, "url">, code: string, more: object = {}): Promise<Ran> {
  return await post(`${url}/execute/shell`, { code, ...more });
}

/** Commands, and the lines and the exit code of each. */
const KINDS: readonly (readonly [code: string, stdout: readonly string[], exitCode?: number])[] = [
  // arguments, exit codes, variables, directories
  ["python3 -c 'import sys; print(sys.argv)' a 'b c' ü", ["['-c', 'a', 'b c', 'ü']"]],
  ["node -e 'console.log(process.argv.slice(1))' a 'b c'", ["[ 'a', 'b c' ]"]],
  ["perl -e 'print join(\",\", @ARGV), \"\\n\"' a 'b c'", ["a,b c"]],
  ["ruby -e 'p ARGV' a 'b c'", ['["a", "b c"]']],
  ["python -c 'import sys; sys.exit(3)'", [], 3],
  ["node -e 'process.exit(4)'", [], 4],
  ["perl -e 'exit 5'", [], 5],
  ["ruby -e 'exit 6'", [], 6],
  ["python -c 'raise ValueError'", [], 1],
  ["node -e 'throw new Error(\"no\")'", [], 1],
  ["perl -e 'die \"no\"'", [], 255],
  ["ruby -e 'raise \"no\"'", [], 1],
  ["set -e; python -c 'exit(7)'; echo not here", [], 7],
  ['python nothing.py || echo "$?"', ["2"]],
  ["X=1 python -c 'import os; print(os.environ[\"X\"])'", ["1"]],
  ["export Y=2; node -p 'process.env.Y'", ["2"]],
  ["mkdir d; cd d; python -c 'import os; print(os.getcwd())'", ["/workspace/d"]],
  ["cd /tmp; perl -MCwd -e 'print getcwd, \"\\n\"'", ["/tmp"]],
  // standard input: pipes, here-documents, scripts from it
  ["seq 3 | python -c 'import sys; print(sum(map(int, sys.stdin)))'", ["6"]],
  ["python - a <<< 'import sys; print(sys.argv)'", ["['-', 'a']"]],
  ["echo 'console.log(1)' | node", ["1"]],
  ["printf 'a b\\nc d\\n' | perl -lane 'print $F[1]'", ["b", "d"]],
  ["printf 'a\\n' | ruby -e 'puts STDIN.read.upcase'", ["A"]],
  [
    "printf '\\377\\0x' | python -c 'import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)' | od -An -tx1",
    [" ff 00 78"],
  ],
  ["python -c 'print(end=\"x\")'; echo y", ["xy"]],
  ["python -c 'import sys; print(1, file=sys.stderr)' 2>&1 | cat", ["1"]],
  ["python -c 'print(\"x\" * 100000)' | wc -c", ["100001"]],
  ["x=$(python -c 'print(5)'); echo $((x + 1))", ["6"]],
  ['for i in 1 2; do python -c "print($i)"; done | sort -r', ["2", "1"]],
  ["seq 2 | xargs -n1 python -c 'import sys; print(sys.argv[1])'", ["1", "2"]],
  ["if python -c 'exit(1)'; then echo a; else echo b; fi", ["b"]],
  // scripts and files
  ["echo 'import sys; print(__name__, sys.argv)' > s.py; python s.py a", [
    "__main__ ['s.py', 'a']",
  ]],
  ["mkdir m; echo 'x = 5' > m/l.py; echo 'import l; print(l.x)' > m/s.py; python m/s.py", ["5"]],
  ["echo 'print(1)' > m.py; python -m m", ["1"]],
  ["echo 'console.log(require.main === module)' > s.js; node s.js", ["true"]],
  [
    "mkdir n; echo 'module.exports = 5' > n/l.js; echo 'console.log(require(\"./l\"))' > n/s.js; node n/s",
    ["5"],
  ],
  ["echo 'const x: number = 4; console.log(x)' > s.ts; node s.ts", ["4"]],
  ["printf 'print <DATA>;\\n__END__\\nd\\n' > s.pl; perl s.pl", ["d"]],
  ["printf 'p __FILE__ == $0\\nat_exit { p 2 }\\n' > s.rb; ruby s.rb", ["true", "2"]],
  ["printf '#!/usr/bin/env python3\\nprint(7)\\n' > r; chmod +x r; ./r", ["7"]],
  ["echo a > f; perl -pi -e 's/a/b/' f; cat f", ["b"]],
  [
    'echo 1 > /tmp/a; python -c \'print(open("/tmp/a").read(), end=""); open("/tmp/b", "w").write("2")\'; cat /tmp/b',
    ["1", "2"],
  ],
  [
    'python -c \'import os; os.makedirs("a/b"); open("a/b/c", "w")\'; find a | sort; rm -r a; python -c \'import os; print(os.path.exists("a"))\'',
    ["a", "a/b", "a/b/c", "False"],
  ],
  ['touch g; python -c \'import os; os.remove("g"); os.mkdir("g")\'; stat -c %F g', ["directory"]],
  ["python -c 'import atexit; atexit.register(print, 3)'", ["3"]],
  ["which python; /usr/bin/python3 -c 'print(1)'", ["/usr/bin/python", "1"]],
];

shellTest("programs of four languages have arguments, input, files and exit codes", async (t) => {
  await using service = await startService({ LANGUAGES });
  for (const [code, stdout, exitCode = 0] of KINDS) {
    await t.step(code, async () => {
      const { logs, exitCode: status, error } = await run(service, code);
      assertEquals(
        [logs.stdout, status, error],
        [stdout, exitCode, undefined],
        logs.stderr.join("\n"),
      );
    });
  }
  await t.step("a traceback has the lines of the script, and nothing of ours", async () => {
    const { logs } = await run(
      service,
      "printf 'def f():\\n  1/0\\nf()\\n' > main.py; python main.py",
    );
    assertEquals(logs.stderr.filter((line) => line.includes("File")), [
      '  File "/workspace/main.py", line 3, in <module>',
      '  File "/workspace/main.py", line 2, in f',
    ]);
  });
  await t.step("fuel and time are shared with the shell", async () => {
    const one = await run(service, "python -c 'for _ in range(100000): pass'");
    const two = await run(
      service,
      "for i in 1 2; do python -c 'for _ in range(100000): pass'; done",
    );
    const [first, second] = [one, two].map(({ usage }) => usage?.fuelConsumed ?? 0);
    assert((second ?? 0) > 1.8 * (first ?? 0), `${first} ${second}`);
    for (
      const code of ["python -c 'while True: pass'", "while :; do python -c 1; done", "yes | node"]
    ) {
      const { error } = await run(service, `${code}; echo after`, { limits: { fuel: 1e9 } });
      assertStringIncludes(error?.message ?? code, "limit reached");
    }
    const late = await run(service, "python -c 'while True: pass'; echo after", {
      limits: { wallMs: 1_000 },
    });
    assertStringIncludes(late.error?.message ?? "", "limit reached");
    assertEquals(late.logs.stdout, []);
  });
  await t.step("no language starts a shell", async () => {
    const { logs } = await run(
      service,
      `python -c 'import os; os.system("sh")' || echo 1
      perl -e 'exit(system("sh") == 0 ? 0 : 1)' || echo 2
      ruby -e 'system("sh") or exit 1' || echo 3
      node -e 'require("child_process").execSync("sh")' || echo 4`,
    );
    assertEquals(logs.stdout, ["1", "2", "3", "4"]);
  });
  await t.step("memory that a program may not have ends the program", async () => {
    const { logs, exitCode } = await run(service, "python -c 'x = b\"a\" * 10**9' || echo went on");
    assertEquals([logs.stdout, exitCode], [["went on"], 0]);
  });
});

shellTest("output of a program comes while the program runs", async (t) => {
  await using service = await startService({ LANGUAGES, ...SERVICE_LIMITS });
  const endless = "import sys\nprint(1, flush=True)\nprint(2, file=sys.stderr)\nwhile True: pass";
  const cases: readonly (readonly [code: string, lines: readonly string[]])[] = [
    [`python -c '${endless}'`, ["stdout 1", "stderr 2"]],
    [`python -c '${endless}' 2>&1`, ["stdout 1", "stdout 2"]],
    [`timeout 50 python -c '${endless}'`, ["stdout 1", "stderr 2"]],
    [`python -c '${endless}' 2> /dev/null`, ["stdout 1"]],
    ["echo 0; node -e 'console.log(1); for (;;);' > f; echo 3", ["stdout 0"]],
    ["f() { perl -e '$| = 1; print \"1\\n\"; 1 while 1'; }; f", ["stdout 1"]],
    ["seq 2 | ruby -e '$stdout.sync = true; puts STDIN.read; loop {}'", ["stdout 1", "stdout 2"]],
  ];
  for (const [code, lines] of cases) {
    await t.step(code, async () => {
      const gone = new AbortController();
      const answer = await fetch(`${service.url}/execute/shell`, {
        ...jsonPost({ code }),
        headers: streamHeaders(),
        signal: gone.signal,
      });
      const told: string[] = [];
      for await (const event of eventsOf(answer)) {
        if (event.type === "stdout" || event.type === "stderr") {
          told.push(`${event.type} ${event.text}`);
        }
        if (told.length === lines.length) break;
      }
      gone.abort();
      assertEquals(told.toSorted(), lines.toSorted());
    });
  }
  await t.step("it counts to the limit of the run, and the run has what fits", async () => {
    const print = "python -c 'for i in range(20000): print(i)'";
    const live = await run(service, `${print}; echo after`);
    assertStringIncludes(live.error?.message ?? "", "utput");
    assertEquals(live.logs.stdout, Array.from({ length: 10_000 }, (_, i) => String(i)));
    const later = await run(service, `x=$(${print}); echo "\${#x}"`);
    assertEquals(later.logs.stdout, ["108889"]);
    const once = await run(service, "python -c 'print(1)'");
    const twice = await run(service, "python -c 'print(1)'");
    assertEquals(once.usage?.fuelConsumed, twice.usage?.fuelConsumed);
    assertEquals((await run(service, "echo next; python -c 'print(2)'")).logs.stdout, [
      "next",
      "2",
    ]);
  });
});

shellTest("a language that the service does not run is named", async () => {
  await using service = await startService({ LANGUAGES: "python,shell" });
  const { logs, exitCode } = await run(service, "node -e 1");
  assertEquals(exitCode, 127);
  assertStringIncludes(logs.stderr.join(), "does not run JavaScript");
});

shellTest("tenants with one isolate for each language do not wait for each other", async () => {
  const tenants = ["a", "b", "c"];
  const TOKENS = tenants.map((name) => `${name}:token-of-${name}`).join();
  await using service = await startService({ LANGUAGES: "python,shell", ISOLATES: "1", TOKENS });
  const runs = tenants.flatMap((name) => {
    const headers = { authorization: `Bearer token-of-${name}` };
    const shell = { code: "for i in 1 2 3; do echo $i | python -c 'print(input())'; done" };
    return [
      post(`${service.url}/execute/shell`, shell, headers),
      post(`${service.url}/execute/python`, { code: "print(1)" }, headers),
    ];
  });
  const answers: readonly Ran[] = await Promise.all(runs);
  assertEquals(
    answers.map(({ logs }) => logs.stdout.join("")),
    tenants.flatMap(() => ["123", "1"]),
  );
});
