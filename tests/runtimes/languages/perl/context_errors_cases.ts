import { assertEquals } from "@std/assert";
import { next, perl, told } from "./perl.ts";

Deno.test("perl context runs: lines, callers and traces show only the program", async () => {
  const engine = await perl();
  engine.reset();
  next(
    engine,
    "my $kept = 1;\nsub fails { die 'here' }\nsub where { join '/', map { $_ // '' } (caller(shift))[0 .. 3] }\n0",
  );
  const { ending } = next(engine, "\n\nfails();");
  if (ending.kind !== "error") throw new Error(ending.kind);
  assertEquals(ending.error, {
    name: "Error",
    message: "here at main.pl line 2.",
    traceback: ["at main.pl line 2, of an earlier run", "main::fails called at main.pl line 3"],
    lineNumber: 3,
  });
  assertEquals(
    told(next(engine, "where(0) . '|' . where(1)")),
    "text main/main.pl/1/main::where|",
  );
  const confessed = next(engine, "use Carp;\nsub c { confess 'x' } c()").ending;
  assertEquals(confessed.kind === "error" ? confessed.error.message.split("\n") : [], [
    "x at main.pl line 2.",
    "\tmain::c() called at main.pl line 2",
  ]);
});

/**
 * Programs that follow the first, the lines where they are reported to fail, and their messages.
 */
const FAILING: readonly (readonly [code: string, line: number, message: string])[] = [
  ["\n\ndeep()", 3, "d at main.pl line 5."],
  ["\n\n\n\ndeep();", 5, "d at main.pl line 5."],
  ["\n$later->()", 2, "l at main.pl line 6."],
  ["my @all = (\n1, map { deep() } 1)", 2, "d at main.pl line 5."],
  ["sub own { die 'own' }\nown()", 1, "own at main.pl line 1."],
  ["sub again { deep() }\nagain()", 1, "d at main.pl line 5."],
  ["\neval 'deep()';\ndie $@", 3, "d at main.pl line 5."],
  ["\nobject()", 2, '{"code":1}'],
  ["\nmy $x = (", 2, "syntax error at main.pl line 2"],
  ["\n\nuse strict; $zz = 1", 3, 'Global symbol "$zz" requires'],
  ["\nBEGIN { deep() }", 2, "d at main.pl line 5."],
  ["\nend(); END { deep() }", 2, "d at main.pl line 5."],
];

Deno.test("perl context runs: an error's line is in the submitted program", async () => {
  const engine = await perl();
  engine.reset();
  next(
    engine,
    "sub object { die { code => 1 } }\nsub end { 1 }\n\nsub deep {\n  die 'd' }\nmy $later = sub { die 'l' }; 0",
  );
  for (const [code, line, message] of FAILING) {
    const { ending } = next(engine, code);
    if (ending.kind !== "error") throw new Error(`${code}: ${ending.kind}`);
    const { error } = ending;
    assertEquals([code, error.lineNumber], [code, line]);
    assertEquals([code, error.message.slice(0, message.length)], [code, message]);
  }
  const { ending } = next(engine, "\nsub loop { deep2() } sub deep2 { 1 while 1 }\nloop()", {
    limits: { fuel: 50_000_000 },
  });
  assertEquals(ending.kind === "limit" && ending.traceback[0], "at main.pl line 2");
});

Deno.test("perl context runs: an error at the end of a file is not attributed to an earlier run", async () => {
  const engine = await perl();
  engine.reset();
  next(engine, "use strict;\n\n\n\n0");
  const { ending } = next(engine, "my $x = Foo;\n1");
  assertEquals(ending.kind === "error" && ending.error, {
    name: "Error",
    message: 'Bareword "Foo" not allowed while "strict subs" in use at main.pl line 1.\n' +
      "Execution of main.pl aborted due to compilation errors.",
    traceback: ["at main.pl line 2"],
    lineNumber: 1,
  });
});

Deno.test("perl context runs: programs do not see the mark of a run in their callers", async () => {
  const engine = await perl();
  engine.reset();
  next(engine, "sub hints { (caller(0))[10] } 0");
  assertEquals(told(next(engine, "defined hints() ? 1 : 0")), "text 0");
  assertEquals(
    told(next(engine, "use bigint; join ',', keys %{ hints() }")).includes("Belljar"),
    false,
  );
});
