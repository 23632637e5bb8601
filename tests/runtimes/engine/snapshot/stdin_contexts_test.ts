/** Standard input in contexts: each run has its own, whatever earlier ones left in its buffers. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  isBundled,
  languagesWithContexts,
} from "../../../../shared/languages.ts";
import { encodeMessage } from "../../../../shared/message.ts";
import { inAnotherProcess } from "./engine_contexts.ts";
import {
  type ContextRan,
  type ContextState,
  EngineBench,
  SNAPSHOT_LANGUAGES,
} from "./engine_bench.ts";
import { INPUT_STEPS, type InputStep } from "./stdin_steps.ts";

/** Reads the first of several lines, and keeps what reads it. */
const HALF = {
  python: "import sys\nkept = iter(sys.stdin)\n_ = next(kept)",
  perl: "our $kept = \\*STDIN; my $line = <$kept>; 1",
  javascript: "var kept = require('readline').createInterface({ input: process.stdin });" +
    "await new Promise((done) => kept.question('', done))",
  ruby: "$kept = $stdin; line = $kept.gets; 1",
};
/** Reads half a line, then never ends. */
const HALF_THEN_LOOP = {
  python: "import sys\nkept = sys.stdin.readline()\nwhile True: pass",
  perl: "our $kept = <STDIN>; 1 while 1",
  javascript: "var kept = require('fs').readSync(0, Buffer.alloc(1)); for (;;);",
  ruby: "$kept = $stdin.gets; loop {}",
};
const DEFINE = {
  python: "kept = 'none'",
  perl: "our $kept = 'none'",
  javascript: "var kept = 0",
  ruby: "$kept = 0",
};
/** The rest of the input, and nothing else. */
const REST = {
  python: "import sys\nsys.stdin.read()",
  perl: "join '', <STDIN>",
  javascript: "require('fs').readFileSync(0, 'utf8')",
  ruby: "$stdin.read",
};

function given(stdin: string | undefined) {
  return stdin === undefined ? {} : { stdin };
}

function shownBy(bench: EngineBench, steps: readonly InputStep[], restores: boolean): string[] {
  let kept: ContextState | undefined;
  return steps.map(([code, stdin], index) => {
    const from = index === 0 ? undefined : restores ? kept : "resume";
    const ran: ContextRan = bench.run(code, { from, ...given(stdin) });
    assert(ran.state !== undefined, `${code}: ${ran.shown}`);
    kept = ran.state;
    return ran.shown;
  });
}

Deno.test("stdin: every language with contexts is tested", () => {
  assertEquals(
    [...SNAPSHOT_LANGUAGES].sort(),
    [...languagesWithContexts(LANGUAGES).filter(isBundled)].sort(),
  );
});

for (const language of SNAPSHOT_LANGUAGES) {
  let made: Promise<EngineBench> | undefined;
  const bench = () => made ??= EngineBench.create(language);
  const test = (name: string, body: (bench: EngineBench) => void) =>
    Deno.test(`stdin in contexts of ${language}: ${name}`, async () => body(await bench()));

  for (const [name, steps] of Object.entries(INPUT_STEPS[language])) {
    const expected = steps.map(([, , shown]) => shown);
    test(`${name}, in the same engine`, (engine) => {
      assertEquals(shownBy(engine, steps, false), expected);
    });
    test(`${name}, restored for each run`, (engine) => {
      assertEquals(shownBy(engine, steps, true), expected);
    });
  }

  test("a run that is rolled back takes its input with it", (engine) => {
    const { state } = engine.run(DEFINE[language]);
    const stopped = engine.run(HALF_THEN_LOOP[language], {
      from: state,
      stdin: "a\nb",
      limits: { fuel: 200_000_000 },
    });
    assertEquals([stopped.shown, stopped.state], ["limit: fuel", undefined]);
    assertEquals(engine.run(REST[language], { from: state }).shown.replaceAll(/['"]/g, ""), "");
    const again = engine.run(REST[language], { from: state, stdin: "new" });
    assertEquals(again.shown.replaceAll(/['"]/g, ""), "new");
  });

  Deno.test(`stdin in contexts of ${language}: half-read, then in another process`, async () => {
    const engine = await bench();
    const ran = engine.run(HALF[language], { stdin: "a\nb\nc" });
    assert(ran.state !== undefined, ran.shown);
    const { cwd, snapshot: { segments, ...snapshot } } = ran.state;
    const state = { ...snapshot, segments: segments.length, cwd, probe: REST[language] };
    const snapshots = [state, { ...state, stdin: "new" }];
    const message = encodeMessage({ snapshots }, [...segments, ...segments]);
    const values = await inAnotherProcess(language, message);
    assertEquals(String(values).replaceAll(/['"]/g, ""), ",new");
  });

  test("another context does not read what one has left", (engine) => {
    engine.run(DEFINE[language], { stdin: "secret" });
    assertEquals(engine.run(REST[language]).shown.replaceAll(/['"]/g, ""), "");
  });

  test("unread input is not in the snapshot", (engine) => {
    const canary = crypto.randomUUID();
    const { state } = engine.run(DEFINE[language], { stdin: canary });
    const segments = state?.snapshot.segments ?? [];
    assert(segments.length > 0);
    engine.run(DEFINE[language], { from: state });
    assertFalse(new TextDecoder("latin1").decode(engine.state.memory()).includes(canary));
  });
}
