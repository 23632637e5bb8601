/** Standard input of stateless runs, in every language: all ordinary ways of reading it. */
import { assert, assertEquals, assertLess } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import type { Engine, RunLimits, RunOutcome } from "../../runtimes/engine/engine.ts";
import { createJavaScriptEngine } from "../../runtimes/languages/javascript/create.ts";
import { limitOutput } from "../../runtimes/isolate/output.ts";
import { createPerlEngine } from "../../runtimes/languages/perl/create.ts";
import { createPythonEngine } from "../../runtimes/languages/python/create.ts";
import { createRubyEngine } from "../../runtimes/languages/ruby/create.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../support/built.ts";
import { count } from "../support/counts.ts";
import { printedSeed } from "../support/random.ts";
import { randomInput } from "./stdin/random_input.ts";
import type { InputCase } from "./stdin/input_case.ts";
import { JAVASCRIPT_CASES, JAVASCRIPT_OWN_CASES } from "./stdin/javascript_cases.ts";
import { PERL_CASES } from "./stdin/perl_cases.ts";
import { PYTHON_CASES } from "./stdin/python_cases.ts";
import { RUBY_CASES } from "./stdin/ruby_cases.ts";

const CREATORS = {
  javascript: createJavaScriptEngine,
  python: createPythonEngine,
  perl: createPerlEngine,
  ruby: createRubyEngine,
};
const LIMITS: RunLimits = { ...SHARED_LIMITS, fuel: 10_000_000_000 };

/** Words of a language for what holds in all of them. */
interface Words {
  readonly cases: readonly InputCase[];
  /** Writes all bytes in hexadecimal. */
  readonly whole: string;
  /** Writes each line, its end included, in hexadecimal, and a space. */
  readonly lines: string;
  /** Reads one byte, or less if there is none. */
  readonly one: string;
  /** Reads nothing. */
  readonly none: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  python: {
    cases: PYTHON_CASES,
    whole: "import sys\nprint(sys.stdin.read().encode('utf-8', 'surrogateescape').hex(), end='')",
    lines: "import sys\nfor line in sys.stdin: print(line.encode().hex(), end=' ')",
    one: "import os\nos.read(0, 1)",
    none: "1",
  },
  perl: {
    cases: PERL_CASES,
    whole: "local $/; print unpack 'H*', <STDIN> // ''",
    lines: "while (<>) { print unpack('H*', $_), ' ' }",
    one: "sysread STDIN, my $x, 1",
    none: "1",
  },
  ruby: {
    cases: RUBY_CASES,
    whole: "print STDIN.read.unpack1('H*')",
    lines: "while line = gets\n  print line.unpack1('H*'), ' '\nend",
    one: "STDIN.read(1)",
    none: "1",
  },
  javascript: {
    cases: [...JAVASCRIPT_CASES, ...JAVASCRIPT_OWN_CASES],
    whole: "let b = []; for await (const c of process.stdin) b.push(c)\n" +
      "process.stdout.write(Buffer.concat(b).toString('hex'))",
    lines: "require('fs').readFileSync(0, 'utf8').match(/[^\\n]*\\n|[^\\n]+/g)" +
      "?.forEach((l) => process.stdout.write(Buffer.from(l).toString('hex') + ' '))",
    one: "require('fs').readSync(0, Buffer.alloc(1))",
    none: "1",
  },
};

interface Ran extends RunOutcome {
  readonly stdout: string;
}

const encoder = new TextEncoder();

function run(engine: Engine, code: string, stdin?: string, typescript = false): Ran {
  engine.reset();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let stdout = "";
  const output = limitOutput(LIMITS, (stream, bytes) => {
    if (stream === 1) stdout += decoder.decode(bytes, { stream: true });
  });
  const request = { code, env: new Map(), typescript, limits: LIMITS };
  const given = stdin === undefined ? request : { ...request, stdin: encoder.encode(stdin) };
  return { ...engine.run(given, output.sink), stdout };
}

function hex(text: string): string {
  return encoder.encode(text).toHex();
}

const engines = new Map<Language, Promise<Engine>>();

function engineOf(language: Language): Promise<Engine> {
  let engine = engines.get(language);
  if (engine === undefined) engines.set(language, engine = createEngine(language));
  return engine;
}

async function createEngine(language: Language): Promise<Engine> {
  const { artifact } = await builtIsolate(language);
  const memoryBytes = MEMORY_BYTES[language];
  return await CREATORS[language]({ ...artifact, memoryBytes, stackBytes: TEST_STACK_BYTES });
}

for (const language of LANGUAGES) {
  const words = WORDS[language];
  const test = (name: string, body: (engine: Engine) => void) =>
    Deno.test(`stdin of ${language}: ${name}`, async () => body(await engineOf(language)));

  for (const { name, code, stdin, stdout } of words.cases) {
    test(name, (engine) => {
      const ran = run(engine, code, stdin, name === "TypeScript");
      assert(ran.ending.kind !== "error", JSON.stringify(ran.ending));
      assertEquals(ran.stdout, stdout);
    });
  }

  test("without it, or with an empty one, it is at its end", (engine) => {
    for (const code of [words.whole, words.lines]) {
      const [absent, empty] = [run(engine, code), run(engine, code, "")];
      assertEquals([absent.stdout, empty.stdout], ["", ""]);
      assert(absent.ending.kind !== "error", JSON.stringify(absent.ending));
    }
  });

  test("a run does not read what the one before left", (engine) => {
    run(engine, words.one, "secret");
    assertEquals(run(engine, words.whole).stdout, "");
    run(engine, words.none, "secret");
    assertEquals(run(engine, words.whole, "x").stdout, hex("x"));
  });

  test("any text, whole and by lines", (engine) => {
    const random = randomInput(printedSeed(`stdin of ${language}`));
    for (let turn = 0; turn < count(12, 200); turn++) {
      const stdin = random();
      assertEquals(run(engine, words.whole, stdin).stdout, hex(stdin), JSON.stringify(stdin));
      const lines = stdin.match(/[^\n]*\n|[^\n]+/g) ?? [];
      const expected = lines.map((line) => `${hex(line)} `).join("");
      assertEquals(run(engine, words.lines, stdin).stdout, expected, JSON.stringify(stdin));
    }
  });

  test("the longest", (engine) => {
    const stdin = "0123456789abcde\n".repeat(SHARED_LIMITS.stdinBytes / 16);
    assertEquals(run(engine, words.whole, stdin).stdout, hex(stdin));
    const { stdout } = run(engine, words.lines, stdin);
    assertEquals(stdout.length, 33 * SHARED_LIMITS.stdinBytes / 16);
  });

  test("unread input costs nothing, read input costs its bytes", (engine) => {
    const cost = (code: string, stdin?: string) => run(engine, code, stdin).fuelConsumed;
    const long = "x".repeat(60_000);
    assertEquals(cost(words.whole), cost(words.whole, ""));
    assertLess(Math.abs(cost(words.none, long) - cost(words.none)), 20_000);
    assertLess(cost(words.whole, "x") + long.length, cost(words.whole, long));
    assertEquals(cost(words.whole, long), cost(words.whole, long));
  });
}
