// test: long
/**
 * Limits and cancelled runs in contexts: variables and files are as they were before.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ContextCaller, withServices } from "../support/context_caller.ts";
import { GUEST_LANGUAGES, type GuestLanguage } from "../support/kill_guests.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";

interface Programs {
  /**
   * Sets the variable to 1, and writes the file `f` in a new directory, which becomes the current
   * one.
   */
  readonly begin: string;
  /** Changes the variable, the file and the directory; the code after it decides the outcome. */
  readonly spoil: string;
  /** The variable, the file and the current directory. */
  readonly look: string;
  readonly forever: string;
  readonly sleep: string;
  readonly flood: string;
  readonly throws: string;
}

const PROGRAMS: Readonly<Record<GuestLanguage, Programs>> = {
  javascript: {
    begin: `globalThis.n = 1; const fs = require("fs"); fs.mkdirSync("d"); process.chdir("d");
      fs.writeFileSync("f", "1")`,
    spoil: `n = 2; fs.writeFileSync("/workspace/d/f", "2"); fs.writeFileSync("/workspace/g", "2");
      fs.mkdirSync("/workspace/e"); process.chdir("/workspace/e");`,
    look: `[n, require("fs").readFileSync("/workspace/d/f", "utf8"), process.cwd()]`,
    forever: "for (;;);",
    sleep: "await new Promise((done) => setTimeout(done, 3600_000))",
    flood: "for (;;) console.log('x'.repeat(10_000))",
    throws: "throw new Error('oh')",
  },
  python: {
    begin: `import os
n = 1
os.mkdir("d"); os.chdir("d")
with open("f", "w") as out: _ = out.write("1")`,
    spoil: `n = 2
with open("/workspace/d/f", "w") as out: _ = out.write("2")
with open("/workspace/g", "w") as out: _ = out.write("2")
os.mkdir("/workspace/e"); os.chdir("/workspace/e")
`,
    look: `[n, open("/workspace/d/f").read(), os.getcwd()]`,
    forever: "while True: pass",
    sleep: "import time; time.sleep(3600)",
    flood: "while True: print('x' * 10_000)",
    throws: "raise ValueError('oh')",
  },
  perl: {
    begin:
      `use Cwd; our $n = 1; mkdir 'd'; chdir 'd'; open(my $o, '>', 'f'); print $o 1; close $o;`,
    spoil: `$n = 2; for my $p ('/workspace/d/f', '/workspace/g') {
        open(my $o, '>', $p) or die; print $o 2; close $o }
      mkdir '/workspace/e'; chdir '/workspace/e'; `,
    look: `open(my $in, '<', '/workspace/d/f'); my $t = <$in>; [$n + 0, "$t", getcwd()]`,
    forever: "1 while 1;",
    sleep: "sleep 3600;",
    flood: "print 'x' x 10_000, qq{\\n} while 1;",
    throws: "die 'oh';",
  },
  ruby: {
    begin: "n = 1; Dir.mkdir('d'); Dir.chdir('d'); File.write('f', '1')",
    spoil: `n = 2; %w[/workspace/d/f /workspace/g].each { |path| File.write(path, "2") }
      Dir.mkdir("/workspace/e"); Dir.chdir("/workspace/e"); `,
    look: `[n, File.read("/workspace/d/f"), Dir.pwd]`,
    forever: "loop {}",
    sleep: "sleep 3600",
    flood: "loop { puts 'x' * 10_000 }",
    throws: "raise 'oh'",
  },
};

const BEFORE = [1, "1", "/workspace/d"];
const AFTER = [2, "2", "/workspace/e"];

async function assertUnchanged(caller: ContextCaller, programs: Programs, executions: number) {
  assertEquals(await caller.executions(), executions);
  assertEquals([await caller.text("d/f"), await caller.text("g")], ["1", undefined]);
  assertEquals(await caller.value(programs.look), BEFORE);
}

for (const language of GUEST_LANGUAGES) {
  const programs = PROGRAMS[language];
  const { begin, spoil } = programs;

  Deno.test(`context rollback: limits in ${language} leave everything as it was, and count`, () =>
    withServices(1, {
      LANGUAGES: language,
      [`FUEL_${language.toUpperCase()}`]: "1000000000",
      OUTPUT_BYTES: "100000",
    }, async ({ urls: [url = ""], kv }) => {
      const caller = new ContextCaller(url, language);
      await caller.result(begin);
      let executions = 1;
      for (
        const [program, limit] of [
          [programs.forever, "Fuel limit"],
          [programs.sleep, "Wall clock limit"],
          [programs.flood, "Output limit"],
        ] as const
      ) {
        const { error, context, executionCount } = await caller.result(`${spoil}${program}`);
        assertEquals([error?.name, context?.rolledBack], ["ExecutionLimitError", true]);
        assertStringIncludes(error?.message ?? "", limit);
        assertEquals([context?.cwd, executionCount], ["/workspace/d", ++executions]);
        await assertUnchanged(caller, programs, executions++);
      }
      const thrown = await caller.result(`${spoil}${programs.throws}`);
      assertEquals([thrown.error === undefined, thrown.context?.rolledBack], [false, undefined]);
      assertEquals(await caller.value(programs.look), AFTER);
      await sweep(kv, 1_000);
      assertEquals(await wrongKeys(kv), []);
    }));

  Deno.test(`context rollback: a caller who leaves in mid-run in ${language} leaves nothing`, () =>
    withServices(1, {
      LANGUAGES: language,
      ISOLATES: "2",
      WALL_MS: "60000",
      [`FUEL_${language.toUpperCase()}`]: String(2 ** 50),
    }, async ({ urls: [url = ""], kv }) => {
      const caller = new ContextCaller(url, language);
      await caller.result(begin);
      const leaving = async (ms: number) => {
        const controller = new AbortController();
        const timer = setTimeout(() => controller.abort(new Error("left")), ms);
        const { signal } = controller;
        const answer = await caller.run(`${spoil}${programs.forever}`, { signal }).catch(String);
        clearTimeout(timer);
        assertEquals(answer, "Error: left");
      };
      await leaving(700);
      await assertUnchanged(caller, programs, 1);
      // two runs at the same time: one caller leaves while it waits for the other
      await Promise.all([leaving(700), leaving(300)]);
      await assertUnchanged(caller, programs, 2);
      assert((await caller.result(programs.look)).executionCount === 4);
      await sweep(kv, 1_000);
      assertEquals(await wrongKeys(kv), []);
    }));
}
