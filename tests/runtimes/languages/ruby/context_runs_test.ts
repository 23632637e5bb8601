/** Runs of Ruby that continue from one another: what each leaves to the next, and what ends with it. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import {
  type ContextRan,
  type ContextState,
  EngineBench,
  stateOf,
} from "../../engine/snapshot/engine_bench.ts";

type Step = readonly [code: string, told: string];

/** Its files are in the engine alone. */
const WITH_FILES = "files and streams";

/** Programs in order, and for each its outcome and its output. */
const SEQUENCES: Readonly<Record<string, readonly Step[]>> = {
  "names of the top level": [
    ["x = 1; X = 1; $x = 1; @x = 1; def x(n) = n; 1", "1"],
    ["[x, X, $x, @x, x(2), defined?(y).inspect]", '[1,1,1,1,2,"nil"]'],
    [
      "X = 2",
      "2 | main.rb:1: warning: already initialized constant X\nmain.rb:1: warning: previous definition of X was here\n",
    ],
    ["x = 5; raise 'late'", "RuntimeError: late, line 1"],
    ["y = x; y =", "SyntaxError, line 1"],
    ["[x, binding.local_variables.size > 1]", "[5,false]"],
    ["using(Module.new { refine(String) { def loud = upcase } }); 'a'.loud", '"A"'],
    ["'b'.loud", '"B"'],
    ["return 7", "none"],
    ["x", "5"],
  ],
  "ends of runs": [
    [
      "at_exit { puts 'last' }\nEND { puts 'END' }\ntrap('EXIT') { puts 'trap' }; puts 'first'",
      "none | first\ntrap\nEND\nlast\n",
    ],
    ["puts 'nothing else'", "none | nothing else\n"],
    ["x = 1; exit 3", "SystemExit: exit status 3"],
    ["x += 1; at_exit { puts 'no' }; exit!", "SystemExit: exit status 1"],
    ["begin; exit! 0; ensure; x += 1; end", "none"],
    ["Process.exit!(4)", "SystemExit: exit status 4"],
    ["Fiber.new { exit! 5 }.resume", "SystemExit: exit status 5"],
    ["at_exit { exit! 6 }; abort", "SystemExit: exit status 6"],
    ["abort 'words'", "SystemExit: exit status 1 | words\n"],
    ["x", "3"],
  ],
  [WITH_FILES]: [
    ["f = File.open('f', 'w'); f << 'held'; d = Dir.open('.'); raw = IO.sysopen('r', 'w'); 1", "1"],
    [
      "[f.closed?, File.read('f'), (d.read rescue 'closed'), (IO.for_fd(raw).write('x') rescue 'bad')]",
      '[true,"held","closed","bad"]',
    ],
    ["$stdout = File.open('log', 'w'); puts 'logged'", "none"],
    ["puts 'shown'; File.read('log')", '"logged\\n" | shown\n'],
    ["require 'stringio'; $stdout = StringIO.new; puts 'kept'", "none"],
    ["puts 'too'; $stdout.string", '"kept\\ntoo\\n"'],
    ["$stdout = STDOUT; STDOUT.reopen('s', 'w'); puts 'away'", "none"],
    ["puts 'back'; File.read('s')", '"away\\n" | back\n'],
    ["$stdout.close; $stderr.close", "none"],
    ["puts 'open'; warn 'both'", "none | open\nboth\n"],
    ["$stdout.sync = false; print 'held'", "none | held"],
    ["exit!(0) if print('not lost')", "none | not lost"],
  ],
  "data behind the program": [
    ["DATA.read\n__END__\nfirst", '"first"'],
    ["DATA.read\n__END__\nsecond", '"second"'],
    ["DATA.rewind; DATA.read", '"second"'],
  ],
  "times and collections": [
    [
      "require 'timeout'; late = Fiber.new { Timeout.timeout(1) { Fiber.yield 1; sleep 1; 'in time' } }; late.resume",
      "1",
    ],
    ["sleep 5; 1", "1"],
    ["GC.stress = true; 1", "1"],
    ["GC.stress", "false"],
    ["r = Random.new(3); r.rand(100)", "24"],
    ["r.rand(100)", "3"],
  ],
};

function told({ ending, shown, output }: ContextRan): string {
  const error = ending.kind === "error" ? ending.error : undefined;
  const name = error?.name === "SyntaxError" ? error.name : shown;
  const line = error?.lineNumber === undefined ? name : `${name}, line ${error.lineNumber}`;
  return output === "" ? line : `${line} | ${output}`;
}

for (const [name, steps] of Object.entries(SEQUENCES)) {
  Deno.test(`ruby runs of a context: ${name}`, async () => {
    const bench = await EngineBench.create("ruby");
    for (const restores of name === WITH_FILES ? [false] : [false, true]) {
      let kept: ContextState | undefined;
      for (const [index, [code, expected]] of steps.entries()) {
        const ran = bench.run(code, { from: index === 0 || restores ? kept : "resume" });
        assertEquals(told(ran), expected, code);
        kept = stateOf(ran);
      }
    }
  });
}

Deno.test("ruby runs of a context: an error's line is one of its own program, in every run", async () => {
  const bench = await EngineBench.create("ruby");
  bench.run("def old = raise('é')\nblock = -> { old }\n1");
  const program = 'own = -> { block.() }\n\n\nputs "#{__FILE__}é", caller(0)[0]\n\nown.()';
  for (let run = 1; run < 80; run++) {
    const { ending, output } = bench.run(program, { from: "resume" });
    assert(ending.kind === "error");
    assertEquals([ending.error.lineNumber, output], [1, "main.rbé\nmain.rb:4:in '<main>'\n"]);
    assertEquals(ending.error.traceback.at(-1), "main.rb:6:in '<main>'");
  }
});

Deno.test("ruby runs of a context: hundreds of them, with long programs, do not grow", async () => {
  const bench = await EngineBench.create("ruby");
  const program = `# ${"long".repeat(2_000)}\n$n = ($n || 0) + 1; "#{$n}" * 1_000; $n`;
  const pages: number[] = [];
  for (let run = 1; run <= 200; run++) {
    const ran = bench.run(program, run === 1 ? {} : { from: "resume" });
    assertEquals(ran.shown, String(run));
    pages.push(ran.head?.pages ?? 0);
  }
  assertGreater(pages[0] ?? 0, 0);
  assertLess(pages[199] ?? 0, 2 * (pages[19] ?? 0));
});
