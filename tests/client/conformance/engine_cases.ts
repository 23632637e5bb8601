/** Cases that need a service with real engines, through the client. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { runCode, SandboxError } from "../../../client/mod.ts";
import { type Binding, type ConformanceCase, inSandbox } from "./case.ts";

/** Programs that make and change a variable, a function and a file, in each language. */
interface Program {
  readonly binding: Binding;
  readonly first: string;
  /** Its value is `"6 from the client"`, as text. */
  readonly second: string;
  readonly endless: string;
  /** Prints a line and goes on without end. */
  readonly chatty: string;
  /** Its value is the number of characters of standard input, as text. */
  readonly reading: string;
}

const PROGRAMS: readonly Program[] = [
  {
    binding: "JAVASCRIPT",
    first: "const fs = require('fs'); let n = 2; const triple = (x) => 3 * x; " +
      "fs.writeFileSync('from_guest.txt', 'grüße');",
    second: "`${triple(n)} ${fs.readFileSync('from_client.txt', 'utf8')}`",
    endless: "n = 5; fs.writeFileSync('late.txt', ''); while (true) {}",
    chatty: "console.log('here'); while (true) {}",
    reading: "require('fs').readFileSync(0, 'utf8').length",
  },
  {
    binding: "PYTHON",
    first: "n = 2\ndef triple(x): return 3 * x\n" +
      "with open('from_guest.txt', 'w') as file: _ = file.write('grüße')",
    second: "f'{triple(n)} ' + open('from_client.txt').read()",
    endless: "n = 5\nopen('late.txt', 'w').close()\nwhile True: pass",
    chatty: "print('here')\nwhile True: pass",
    reading: "import sys\nlen(sys.stdin.read())",
  },
  {
    binding: "PERL",
    first: "our $n = 2; sub triple { 3 * $_[0] } " +
      "open(my $out, '>', 'from_guest.txt') or die; print $out 'grüße'; close $out;",
    second: "open(my $in, '<', 'from_client.txt') or die; my $text = <$in>; " +
      "triple($n) . ' ' . $text",
    endless: "$n = 5; open(my $late, '>', 'late.txt'); close $late; while (1) {}",
    chatty: 'print "here\\n"; while (1) {}',
    reading: "my $all = join('', <STDIN>); length($all)",
  },
];

/** Programs cannot be ended before they began; nothing that is asserted depends on it. */
const UNDER_WAY_MS = 300;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MS));
}

/** Cases that a fake has no way to pass. */
export const ENGINE_CASES: readonly ConformanceCase[] = [
  ...PROGRAMS.flatMap(({ binding, first, second, endless, chatty, reading }) => [
    inSandbox(`contexts: ${binding} keeps variables, functions and files`, async (sandbox) => {
      const { interpreter, files } = sandbox;
      const context = await interpreter.createCodeContext({ binding });
      assertEquals((await interpreter.runCode(first, { context })).error, undefined);
      assertEquals(await files.read("from_guest.txt"), "grüße");
      await files.write("from_client.txt", "from the client");
      const { error, results } = await interpreter.runCode(second, { context });
      assertEquals([error, results.length], [undefined, 1]);
      assertEquals(results[0]?.text?.replaceAll("'", ""), "6 from the client");
    }),
    inSandbox(`contexts: ${binding} is put back after a limit, and says so`, async (sandbox) => {
      const { interpreter, files } = sandbox;
      await interpreter.runCode(first, { binding });
      const limits = { fuel: 300_000_000 };
      const ended = await interpreter.runCode(endless, { binding, limits });
      assertEquals(ended.error?.name, "ExecutionLimitError");
      assertEquals([ended.context?.rolledBack, ended.executionCount], [true, 2]);
      assertEquals(await files.exists("late.txt"), false);
      await files.write("from_client.txt", "from the client");
      const { results } = await interpreter.runCode(second, { binding });
      assertEquals(results[0]?.text?.replaceAll("'", ""), "6 from the client");
    }),
    // a run that is ended does not count; one that ran into its limit does
    inSandbox(`callbacks: ${binding} is heard while it runs, and can be ended`, async (sandbox) => {
      const { interpreter } = sandbox;
      const context = await interpreter.createCodeContext({ binding });
      const told: string[] = [];
      const enough = new Error("enough");
      const run = interpreter.runCode(chatty, {
        context,
        onStdout: ({ text }) => {
          told.push(text);
          throw enough;
        },
      });
      assertEquals(await run.catch((error: unknown) => error), enough);
      assertEquals(told, ["here"]);
      assertEquals((await interpreter.runCode("1", { context })).executionCount, 1);
    }),
    inSandbox(`stdin: ${binding} reads it to its end, in each run`, async ({ interpreter }) => {
      for (const stdin of ["one\ntwo", "x".repeat(60_000), undefined]) {
        const { error, results } = await interpreter.runCode(reading, { binding, stdin });
        assertEquals([error, results[0]?.text], [undefined, `${stdin?.length ?? 0}`]);
      }
    }),
  ]),
  inSandbox(
    "signal: an abort in the middle of a run leaves the context as it was",
    async (sandbox) => {
      const { interpreter, files } = sandbox;
      const context = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
      await interpreter.runCode("let n = 1;", { context });
      const controller = new AbortController();
      const reason = new Error("changed my mind");
      const code = "n = 2; require('fs').writeFileSync('late.txt', ''); while (true) {}";
      const run = interpreter.runCode(code, { context, signal: controller.signal });
      const seen = run.then(() => "resolved", (thrown: unknown) => thrown);
      await pause();
      controller.abort(reason);
      assertEquals(await seen, reason);
      const { results, executionCount } = await interpreter.runCode("n", { context });
      assertEquals([results[0]?.text, executionCount], ["1", 2]);
      assertEquals(await files.exists("late.txt"), false);
    },
  ),
  inSandbox("timeout: a run that takes longer rejects with a TimeoutError", async (sandbox) => {
    const { interpreter } = sandbox;
    const options = { binding: "JAVASCRIPT", timeout: UNDER_WAY_MS } as const;
    await interpreter.runCode("let n = 1;", { binding: "JAVASCRIPT" });
    const late = () => interpreter.runCode("n = 2; while (true) {}", options);
    assertEquals((await assertRejects(late, DOMException)).name, "TimeoutError");
    const { results } = await interpreter.runCode("n", { binding: "JAVASCRIPT" });
    assertEquals(results[0]?.text, "1");
  }),
  inSandbox("destroy: a run under way is a SandboxError, and leaves nothing", async (sandbox) => {
    const { interpreter } = sandbox;
    const context = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    const run = interpreter.runCode("while (true) {}", { context });
    const seen = assertRejects(() => run, SandboxError);
    await pause();
    await sandbox.destroy();
    const { code } = await seen;
    assert(["CONFLICT", "CONTEXT_NOT_FOUND"].includes(code), code);
    const { createdAt, contexts } = await sandbox.info();
    assertEquals([createdAt, contexts], [null, []]);
  }),
  inSandbox("runs of one context take turns, those of others beside them", async (sandbox) => {
    const { interpreter } = sandbox;
    await interpreter.runCode("let n = 0;", { binding: "JAVASCRIPT" });
    await interpreter.runCode("n = 0", { binding: "PYTHON" });
    const runs = Array.from({ length: 12 }, (_, index) => {
      const binding = index % 2 === 0 ? "JAVASCRIPT" : "PYTHON";
      return interpreter.runCode("n = n + 1; n", { binding });
    });
    const texts = (await Promise.all(runs)).map(({ results }) => results[0]?.text ?? "");
    assertEquals(texts.sort(), ["1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6", "6"]);
  }),
  inSandbox("files: one as large as may be, seen by a guest", async ({ files, interpreter }) => {
    const bytes = Uint8Array.from({ length: 4 * 1024 * 1024 }, (_, index) => (index * 31) % 251);
    await files.write("large.bin", bytes);
    const code = "data = open('large.bin', 'rb').read()\nlen(data), sum(data)";
    const { results } = await interpreter.runCode(code, { binding: "PYTHON" });
    const sum = bytes.reduce((total, byte) => total + byte, 0);
    assertEquals(results[0]?.text, `(${bytes.length}, ${sum})`);
    assertEquals(await files.readBytes("large.bin"), bytes);
  }),
  {
    name: "runCode: thousands of lines and a long result arrive whole",
    run: async ({ PYTHON }) => {
      const code = "for n in range(9000): print(n, '🌍')\n'ü' * 100_000";
      const { logs, results } = await runCode(PYTHON, code);
      assertEquals([logs.stdout.length, logs.stdout[8999]], [9000, "8999 🌍"]);
      assertEquals(results[0]?.text, `'${"ü".repeat(100_000)}'`);
    },
  },
  {
    name: "callbacks: thousands of lines are told in order, and are the logs",
    run: async ({ PYTHON }) => {
      const told: string[] = [];
      const { logs } = await runCode(PYTHON, "for n in range(9000): print(n, '🌍')", {
        onStdout: ({ text }) => void told.push(text),
      });
      assertEquals(told, [...logs.stdout]);
      assertEquals([told.length, told[8999]], [9000, "8999 🌍"]);
    },
  },
  inSandbox("idempotencyKey: many calls at once are one run", async ({ interpreter }) => {
    const options = { binding: "PYTHON", idempotencyKey: crypto.randomUUID() } as const;
    await interpreter.runCode("n = 0", { binding: "PYTHON" });
    const runs = Array.from({ length: 6 }, () => interpreter.runCode("n += 1\nn", options));
    for (const result of await Promise.all(runs)) {
      assertEquals([result.results[0]?.text, result.executionCount], ["1", 2]);
    }
  }),
  inSandbox("files: what is uploaded is there for the guest, and back", async (sandbox) => {
    const { files, interpreter } = sandbox;
    const bytes = Uint8Array.from({ length: 4 * 1024 * 1024 }, (_, index) => (index * 31) % 251);
    await files.upload("data/large.bin", new Blob([bytes]).stream());
    const code = "data = open('data/large.bin', 'rb').read()\nopen('copy', 'wb').write(data[::-1])";
    const { results } = await interpreter.runCode(code, { binding: "PYTHON" });
    assertEquals(results[0]?.text, `${bytes.length}`);
    assertEquals(await files.download("copy"), bytes.toReversed());
  }),
];
