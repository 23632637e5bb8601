import { assertEquals } from "@std/assert";
import { brief, run } from "./perl.ts";

interface Case {
  readonly code: string;
  readonly name?: string;
  readonly message: string;
  readonly line?: number;
  readonly traceback?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    code: "die 'boo'",
    message: "boo at main.pl line 1.",
    line: 1,
    traceback: ["at main.pl line 1"],
  },
  { code: '\n\ndie "boo\\n"', message: "boo", line: 3 },
  { code: "die { code => 42 }", message: '{"code":42}', line: 1 },
  { code: "die [1, sub {}]", message: "ARRAY", line: 1 },
  {
    code: "package My::Error;\nsub new { my ($c, $m) = @_; bless { m => $m }, $c }\n" +
      "sub message { $_[0]{m} }\npackage main;\nsub inner { die My::Error->new('deep') }\n" +
      "sub outer { inner(1) }\nouter();",
    name: "My::Error",
    message: "deep",
    line: 5,
    traceback: [
      "at main.pl line 5",
      "main::inner called at main.pl line 6",
      "main::outer called at main.pl line 7",
    ],
  },
  {
    code: "package E; use overload '\"\"' => sub { 'text of ' . ref shift }; package main;\n" +
      "die bless {}, 'E'",
    name: "E",
    message: "text of E",
    line: 2,
  },
  { code: "die bless { message => 'field' }, 'F'", name: "F", message: "field", line: 1 },
  {
    code: "die bless [], 'Loop'; package Loop; sub message { die 'again' }",
    name: "Loop",
    message: "Loop=ARRAY",
  },
  { code: "my $x = 0;\n1 / $x;", message: "Illegal division by zero at main.pl line 2.", line: 2 },
  {
    code: "no_such(1)",
    message: "Undefined subroutine &main::no_such called at main.pl line 1.",
    line: 1,
  },
  {
    code: "use strict;\n\n$undeclared = 1;",
    message: 'Global symbol "$undeclared" requires explicit package name',
    line: 3,
  },
  { code: "my $x = 1;\nmy $y = (1 + ;\n", message: "syntax error at main.pl line 2", line: 2 },
  { code: "my $x;\nif ($x) {\n  1;\n", message: "Missing right curly", line: 3 },
  { code: "print <<EOT;\nabc\n", message: 'Can\'t find string terminator "EOT"', line: 1 },
  {
    code: "use No::Such::Module;",
    message: "Can't locate No/Such/Module.pm in @INC",
    line: 1,
  },
  {
    code: "use Carp;\npackage Lib { sub f { Carp::croak('bad use') } }\n\nLib::f();",
    message: "bad use at main.pl line 4.",
    line: 4,
  },
  {
    code: "open my $f, '<', 'none' or die \"cannot open: $!\"",
    message: "cannot open: No such file or directory at main.pl line 1.",
    line: 1,
  },
  {
    code: "\neval { die 'inner' };\ndie \"outer: $@\"",
    message: "outer: inner at main.pl line 2.",
    line: 2,
  },
  { code: "use utf8; die 'é☃'", message: "é☃ at main.pl line 1.", line: 1 },
  { code: 'die "\\xff\\n"', message: "ÿ", line: 1 },
  {
    code: "sub f { f2() } sub f2 { die 'x' }\nsort { f() } 1, 2;\nmy @s = sort { f() } 1, 2;",
    message: "x at main.pl line 1.",
    line: 1,
  },
  { code: "#line 70 \"other\"\ndie 'x'", message: "x at other line 70." },
  {
    code: "# line 50\n\ndie 'y'",
    message: "y at main.pl line 51.",
    line: 3,
    traceback: ["at main.pl line 51"],
  },
  {
    code: "1;\n# line 9 main.pl\nmy $x = (",
    message: "syntax error at main.pl line 9",
    line: 3,
    traceback: ["at main.pl line 9"],
  },
  { code: "my $t = '\n# line 9\n';\ndie 'z'", message: "z at main.pl line 4.", line: 4 },
  { code: "my Foo $x;", message: 'No such class Foo at main.pl line 1, near "my Foo"', line: 1 },
  {
    code: "CHECK { 1 } say 5",
    message: 'syntax error at main.pl line 1, near "say 5"',
    line: 1,
  },
  { code: "die bless({}, 'A' x 500)", name: "A".repeat(256), message: "" },
  {
    code: "local $SIG{__DIE__} = sub { die \"wrapped: $_[0]\" };\ndie 'x'",
    message: "wrapped: x at main.pl line 2.",
    line: 2,
    traceback: ["at main.pl line 2"],
  },
  {
    code: "local $SIG{__DIE__} = sub { 1 };\ndie 'x'",
    message: "x at main.pl line 2.",
    line: 2,
    traceback: ["at main.pl line 2"],
  },
  {
    code: "use POSIX;\nsub f { pause() }\nf()",
    message: "POSIX::pause would never end: no alarm is set at main.pl line 2.",
    line: 2,
    traceback: ["at main.pl line 2", "main::f called at main.pl line 3"],
  },
  {
    code: "open my $o, '>&', STDOUT;\nsub f { open my $f, 'zz', 'x' } f()",
    message: "Unknown open() mode 'zz' at main.pl line 2.",
    line: 2,
    traceback: ["at main.pl line 2", "main::f called at main.pl line 2"],
  },
  {
    code: "use POSIX;\nlog10(0)",
    message: "Can't take log of 0 at main.pl line 2.",
    line: 2,
    traceback: ["at main.pl line 2"],
  },
  {
    code: "$^ = 'none';\nformat STDOUT =\n@<\n1\n.\nsub f { write }\nf()",
    message: 'Undefined top format "none" called at main.pl line 4.',
    line: 4,
  },
  { code: "BEGIN { die 'early' }", message: "early at main.pl line 1.", line: 1 },
  { code: "warn 'w'; exit 3", name: "SystemExit", message: "exit status 3" },
  { code: "END { die 'in end' } 5", message: "in end at main.pl line 1.", line: 1 },
];

Deno.test("perl errors: name, message, line and traceback", async () => {
  for (const { code, name = "Error", message, line, traceback } of CASES) {
    const { ending } = await run(code);
    if (ending.kind !== "error") throw new Error(`${code}: ${ending.kind}`);
    const { error } = ending;
    assertEquals([code, error.name], [code, name]);
    assertEquals([code, error.message.slice(0, message.length)], [code, message]);
    if (line !== undefined) assertEquals([code, error.lineNumber], [code, line]);
    if (traceback !== undefined) assertEquals(error.traceback, traceback);
    assertEquals(JSON.stringify(error).includes("belljar"), false);
    assertEquals(JSON.stringify(error).includes("Belljar"), false);
  }
});

Deno.test("perl errors: a confession shows the program's frames and no others", async () => {
  const { ending } = await run(
    "use Carp;\nsub a1 { confess 'trouble' }\nsub b1 { a1(1, 'two') }\nb1();",
  );
  assertEquals(ending.kind === "error" ? ending.error.message.split("\n") : [], [
    "trouble at main.pl line 2.",
    '\tmain::a1(1, "two") called at main.pl line 3',
    "\tmain::b1() called at main.pl line 4",
  ]);
});

Deno.test("perl errors: an error message of any length is reported with its line", async () => {
  const thrown = [
    "'x' x 300_000",
    "('x' x 300_000) . \"\\n\"",
    "{ text => 'x' x 300_000 }",
    "bless { message => 'x' x 300_000 }, 'Long'",
    "'é' x 200_000",
    '"\\x{2603}" x 100_000',
    '"\\0" x 300_000',
    "bless [], 'X' x 300_000",
  ];
  for (const code of thrown) {
    const { ending } = await run(`\n\ndie ${code}`);
    if (ending.kind !== "error") throw new Error(`${code}: ${ending.kind}`);
    const bytes = new TextEncoder().encode(ending.error.message).length;
    assertEquals([code, ending.error.lineNumber], [code, 3]);
    assertEquals([code, bytes > 65_000 && bytes <= 65_536], [code, true]);
    assertEquals(ending.error.message.includes("\ufffd"), false);
  }
});

Deno.test("perl errors: a trace of long names is cut like any other", async () => {
  const { ending } = await run(
    "my $name = 'f' x 60_000; no strict 'refs';\n" +
      "*$name = sub { $_[0] ? &$name($_[0] - 1) : die 'deep' }; &$name(90)",
  );
  assertEquals(ending.kind === "error" && ending.error.lineNumber, 2);
});

Deno.test("perl errors: the compiler quotes the program's own text", async () => {
  for (const code of ["say 5", "\nsay 5", "CHECK { }\nsay 5", "'a' 'b'", "1 2"]) {
    const { ending, err } = await run(code);
    const { message = "" } = ending.kind === "error" ? ending.error : {};
    const quoted = `near "${code.split("\n").at(-1)}"`;
    assertEquals([code, message.includes(quoted), err.includes(quoted)], [code, true, true]);
    assertEquals(`${message}${err}`.includes("#line"), false);
  }
  const printed = 'x, near "y" #line 1 "main.pl"\n';
  assertEquals((await run(`print STDERR '${printed}'`)).err, printed);
  const long = await run(`print STDERR ', near "#line 1 "main.pl"\n', "\\xa0\\xff" x 200_000`);
  assertEquals([brief(long), long.err.length], ["none", 400_008]);
});

/** Programs with a syntax error, and the text after "syntax error", as in a native perl. */
const SYNTAX: readonly (readonly [code: string, where: string])[] = [
  ["my $x = ;\n1", 'at main.pl line 1, near "= ;"'],
  ["1;\nmy @a = (1, 2;\nprint 5;", 'at main.pl line 2, near "2;"'],
  ['my $s = "abc" . ;', 'at main.pl line 1, near ". ;"'],
  ['print "a" if ;', 'at main.pl line 1, near "if ;"'],
  ["for my $i (1..3 { print $i }", 'at main.pl line 1, near "3 { "'],
  ['print "a";\nmy @a = (1, 2\n', "at main.pl line 2, at EOF"],
  ["my $q = 5 +", "at main.pl line 1, at EOF"],
  ['foo("abc"', "at main.pl line 1, at EOF"],
  ["print 5 +\n\n", "at main.pl line 2, at EOF"],
];

Deno.test("perl errors: a syntax error is reported at its position", async () => {
  for (const [code, where] of SYNTAX) {
    const said = `Error: syntax error ${where}\n` +
      "Execution of main.pl aborted due to compilation errors.";
    assertEquals([code, brief(await run(code))], [code, said]);
  }
  const evaluated = brief(await run("eval 'my $x = (1;'; $@"));
  assertEquals(evaluated.split("\n")[0], 'text syntax error at (eval 1) line 1, near "1;"');
});

Deno.test("perl errors: an error at the end of a file is reported as in Perl", async () => {
  const aborted = "Execution of main.pl aborted due to compilation errors.";
  const cases: readonly (readonly [code: string, said: string])[] = [
    [
      "use strict;\nmy $x = Foo;\nprint 1;",
      'Bareword "Foo" not allowed while "strict subs" in use',
    ],
    ["use constant X => 1;\nX = 2;\nprint 1;", "Can't modify constant item in scalar assignment"],
  ];
  for (const [code, said] of cases) {
    const { ending } = await run(code);
    if (ending.kind !== "error") throw new Error(ending.kind);
    const { message, lineNumber } = ending.error;
    const [first = "", last] = message.split("\n");
    assertEquals([first.startsWith(`${said} at main.pl line 2`), last], [true, aborted]);
    assertEquals(lineNumber, 2);
  }
  const evaluated = brief(await run("eval 'use strict; my $x = Foo; 1'; $@"));
  assertEquals(evaluated.includes("aborted"), false);
  const handled = brief(await run('eval { die "x\\n" }; die $@'));
  assertEquals(handled, "Error: x");
});

Deno.test("perl errors: warnings do not name lines of the driver's modules", async () => {
  const code =
    "use warnings; use POSIX; my $u; my @x = (floor($u), fmod('a', 2), strftime('%Y', $u, $u))";
  assertEquals((await run(code)).err.includes("/belljar/"), false);
});

Deno.test("perl errors: exit ends the program everywhere", async () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["print 'a'; exit; print 'b'", "none", "a"],
    ["eval { exit 0 }; print 'no'", "none", ""],
    ["my @s = sort { exit 4 } 1, 2; print 'no'", "SystemExit: exit status 4", ""],
    [
      "{ package D; sub DESTROY { exit 5 } } { my $d = bless [], 'D' } print 'no'",
      "SystemExit: exit status 5",
      "",
    ],
    ["sub f { map { exit 6 } 1 } f(); print 'no'", "SystemExit: exit status 6", ""],
    [
      "local $SIG{__WARN__} = sub { exit 7 }; warn 'x'; print 'no'",
      "SystemExit: exit status 7",
      "",
    ],
    ["BEGIN { exit 8 } print 'no'", "SystemExit: exit status 8", ""],
    ['END { print "end $?" } exit 9', "SystemExit: exit status 9", "end 9"],
    ["END { $? = 0 } exit 9", "none", ""],
    ["END { $? = 10 } 1", "SystemExit: exit status 10", ""],
    ["END { exit 11 } END { print 'first' } 1", "SystemExit: exit status 11", "first"],
    ["eval 'exit 12'", "SystemExit: exit status 12", ""],
    ["exit 256", "none", ""],
    ["exit -1", "SystemExit: exit status 255", ""],
    ["exit 259", "SystemExit: exit status 3", ""],
    ["END { print $? } exit 256", "none", "256"],
    ["END { print $? } exit -1", "SystemExit: exit status 255", "-1"],
    ["END { $? = 512 } exit 3", "none", ""],
    ["END { $? = -2 } 1", "SystemExit: exit status 254", ""],
    [
      "tie my $t, 'T'; sub T::TIESCALAR { bless [], 'T' } sub T::FETCH { exit 13 } my $x = $t;",
      "SystemExit: exit status 13",
      "",
    ],
  ];
  for (const [code, ending, out] of cases) {
    const ran = await run(code);
    assertEquals([code, brief(ran), ran.out], [code, ending, out]);
  }
});
