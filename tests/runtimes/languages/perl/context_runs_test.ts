/** Runs that continue from one another in the same interpreter, as in a context. */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { Snapshotter } from "../../../../runtimes/engine/snapshot/snapshotter.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { newEngine, next, perl, told } from "./perl.ts";

type Step = readonly [code: string, told: string];

const UNINITIALIZED = "none | 1\n | Use of uninitialized value $u in string at main.pl line 1.\n";
const CONCATENATED =
  "text fourth | Use of uninitialized value in concatenation (.) or string at main.pl line 1.\n";
const SYNTAX_ERROR =
  "Error: syntax error at main.pl line 1, at EOF\nExecution of main.pl aborted due to compilation errors.";
const UNDECLARED =
  'Error: Global symbol "$undeclared" requires explicit package name (did you forget to declare "my $undeclared"?) at main.pl line 1.\nExecution of main.pl aborted due to compilation errors.';

/** Programs in order, and the outcome of each. */
const SEQUENCES: Readonly<Record<string, readonly Step[]>> = {
  "lexical variables of every type": [
    ["my $x = 5; my @a = (1, 2); my %h = (a => 1); 0", "text 0"],
    ["$x++; push @a, 3; $h{b} = 2; 0", "text 0"],
    ['"$x @a " . join \',\', map { "$_$h{$_}" } sort keys %h', "text 6 1 2 3 a1,b2"],
    ["use strict; use warnings; my $sum = $x; $sum += $_ for @a; $sum", "text 12"],
    ["use strict; [$sum, scalar @a, $#a, $a[1], $h{a}, @a[0, 1]]", "json [12,3,2,2,1,1,2]"],
  ],
  "closures share the very same variable": [
    ["my $n = 1; sub up { $n++ } my $get = sub { $n }; my $ref = \\$n; 0", "text 0"],
    ["up(); $n *= 10; $$ref += 1; $get->()", "text 21"],
    ["up(); \\$n == $ref ? $n : 'another'", "text 22"],
    ["sub down { $n-- } down(); up(); down(); $get->() . $$ref . $n", "text 212121"],
  ],
  "a name declared again is a new variable": [
    ["my $x = 1; sub old { $x } my @l = (1); 0", "text 0"],
    ["my $x = 2; my @l = (2, 3); old() . $x . @l", "text 122"],
    ["use warnings; my $x = 'three'; my $y = old(); \"$x$y\"", "text three1"],
    ["my ($x, $y, @l) = (7, 8, 9); 0", "text 0"],
    ['"$x $y @l " . old()', "text 7 8 9 1"],
  ],
  "variables that are declared behind a here-document": [
    ["print STDERR <<E;\nif (x) {\nE\nmy $v = 5; 1", "text 1 | if (x) {\n"],
    ["my $fh = *STDOUT; print $fh <<E;\n{ ' \"\nE\nmy $w = 6; 1", "text 1 | { ' \"\n"],
    ["print {$fh} <<E;\n=pod\nE\nmy $x = 7; 1", "text 1 | =pod\n"],
    ["printf STDERR <<E, 1;\n{%d\nE\nmy $y = 8; 1", "text 1 | {1\n"],
    ["sub f { 1 } f <<E;\n{\nE\nmy $z = 9; 1", "text 1"],
    ["join ',', $v, $w, $x, $y, $z", "text 5,6,7,8,9"],
  ],
  "package variables, with and without our": [
    ["our $p = 1; our @q = (1); $main::r = 3; $Foo::s = 4; 0", "text 0"],
    ['use strict; "$p @q $main::r $Foo::s"', "text 1 1 3 4"],
    ["use strict; local $p = 5; my $f = sub { $main::p }; $f->()", "text 5"],
    ["use strict; $p", "text 1"],
    ["package Bar; our $p = 'bar'; our %t = (k => 'v'); 0", "text 0"],
    ['use strict; "$p $t{k} $main::p $Bar::p"', "text bar v 1 bar"],
    ["use strict; my $p = 'mine'; 0", "text 0"],
    ['use strict; "$p $main::p"', "text mine 1"],
    ["use strict; our $p; $p", "text 1"],
    ["use strict; $p", "text 1"],
  ],
  "what is in a block stays there": [
    [
      "{ my $in = 1; our $io = 2 } for my $i (1 .. 2) { my $j = $i } sub f { my $k = 1 } 0",
      "text 0",
    ],
    [
      "use strict; $in = 1",
      'Error: Global symbol "$in" requires explicit package name (did you forget to declare "my $in"?) at main.pl line 1.\nExecution of main.pl aborted due to compilation errors.',
    ],
    ["use strict; eval '$k; 1' ? 'seen' : 'hidden'", "text hidden"],
    [
      "my $t = 'my $fake = 1; our $fake2'; # my $fake3\nuse strict; eval '$fake; 1' ? 1 : 0",
      "text 0",
    ],
  ],
  "subroutines, prototypes, packages, constants and imports": [
    [
      "use List::Util qw(sum max); use constant { PI => 3, E => 2 }; sub apply(&@) { my $c = shift; map { $c->($_) } @_ } package Dog { sub new { bless { n => $_[1] }, $_[0] } sub n { $_[0]{n} } } my $d = Dog->new('Rex'); 0",
      "text 0",
    ],
    ["sum(1, 2) + max(3, 4) + PI + E", "text 12"],
    ["join ',', apply { $_[0] * 2 } 1, 2", "text 2,4"],
    ["package Puppy { our @ISA = 'Dog' } $d->n . Puppy->new('Bo')->n . ref $d", "text RexBoDog"],
    ["sub Dog::n { 'new ' . $_[0]{n} } $d->n", "text new Rex"],
  ],
  "lexical and state subroutines and variables": [
    [
      "use feature 'state'; my $base = 10; my sub add { $_[0] + $base } state $s = 4; add(1)",
      "text 11",
    ],
    ["$base = 20; add(1) + $s", "text 25"],
    ["my sub add { 'other' } add(1)", "text other"],
    ["add(2)", "text other"],
    ["sub count { use feature 'state'; state $n = 0; ++$n } count(); count()", "text 2"],
    ["count()", "text 3"],
  ],
  "pragmas hold until another takes their place": [
    ["use strict; use warnings; use utf8; use feature 'say'; say length 'é'", "none | 1\n"],
    ["my $u; say \"$u\" . length 'é'", UNINITIALIZED],
    ["$undeclared = 1", UNDECLARED],
    ["no strict; no warnings; no utf8; $undeclared = 1; my $u; \"$u\" . length 'é'", "text 2"],
    ["$undeclared++; my $u; say \"$u$undeclared\" . length 'é'", "none | 22\n"],
    ["{ use integer; use strict; } BEGIN { { use strict } } $undeclared = 7 / 2", "text 3.5"],
    ["use integer; 7 / 2", "text 3"],
    ["eval '7 / 2'", "text 3"],
    ["package Other; no integer; 7 / 2", "text 3.5"],
  ],
  "features hold from one run to the next": [
    ["use v5.36; sub twice($v) { $v * 2 } my $w = twice(4); say $w", "none | 8\n"],
    ["sub thrice($v) { $v * 3 } say thrice($w)", "none | 24\n"],
    ["$undeclared = 1", UNDECLARED],
    ["state $n = 5; no feature 'signatures'; sub max2($$) { 2 } max2(1, 2)", "text 2"],
    ["sub min2($$) { $_[0] + $n } min2(1, 2)", "text 6"],
    ["use bigint; 2 ** 70", "text 1180591620717411303424"],
    ["my $big = 2 ** 71; $big", "text 2361183241434822606848"],
    ["{ no bigint; ref 1 }", "text "],
  ],
  "a subroutine with another body is no reason for a warning": [
    ["use strict; use warnings; my $x = 1; sub f { $x } f()", "text 1"],
    ["my $x = 2; sub f { $x + 1 } f()", "text 3"],
    ["use warnings; use constant P => 3; sub f { 'two' } sub inl() { 5 } inl + P", "text 8"],
    ["use warnings; use constant P => 4; sub f { 'two' } sub inl() { 6 } inl + P", "text 10"],
    ['BEGIN { warn "early\\n" } defined $SIG{__WARN__} ? 1 : 0', "text 0 | early\n"],
    ["BEGIN { $SIG{__WARN__} = sub { print 'W' } } warn 'x'; 0", "text 0 | W"],
    ["delete $SIG{__WARN__}; my $y = (", SYNTAX_ERROR],
    ["defined $SIG{__WARN__} ? 1 : 0", "text 1"],
    ["undef $SIG{__WARN__}; 0", "text 0"],
    ["sub f { 'third' } my $x = f(); our @list = (1); $x", "text third"],
    ["our @list; my $x = 'fourth'; sub f { $x . undef } f()", CONCATENATED],
  ],
  "a run that does not compile leaves the pragmas as they were": [
    ["use integer; 7 / 2", "text 3"],
    [
      "no integer; my $x = (",
      "Error: syntax error at main.pl line 1, at EOF\nExecution of main.pl aborted due to compilation errors.",
    ],
    ["7 / 2", "text 3"],
    [
      "no integer; BEGIN { die 'early' }",
      "Error: early at main.pl line 1.\nBEGIN failed--compilation aborted at main.pl line 1.",
    ],
    ["7 / 2", "text 3"],
    ["no integer; use strict; print 7 / 2; $undeclared = 1", UNDECLARED],
    ["$undeclared = 7 / 2", "text 3"],
    ['no integer; die "late\\n"', "Error: late"],
    ["7 / 2", "text 3.5"],
  ],
  "what dies keeps what was done": [
    [
      "my $x = 1; my @done; for my $i (1 .. 5) { push @done, $i; die 'three' if $i == 3 } my $z = 1;",
      "Error: three at main.pl line 1.",
    ],
    ['"$x @done " . defined $z', "text 1 1 2 3 "],
    [
      "my $x = 2; my $y = (;",
      'Error: syntax error at main.pl line 1, near "(;"\nExecution of main.pl aborted due to compilation errors.',
    ],
    ["$x", "text 1"],
    ["my $lost = 5; exit 3", "SystemExit: exit status 3"],
    ["$lost", "text 5"],
    [
      "my @kept = (1); { local $_ = 1; our $g = 1; local $g = 2; my @s = sort { exit } 1, 2 }",
      "none",
    ],
    ['"@kept $main::g" . defined $_', "text 1 1"],
  ],
  "END, DATA, DESTROY": [
    ["END { print 'end' } my $v = 'first'; print <DATA>;\n__END__\nd1", "none | d1end"],
    ["print 'second'; defined fileno(DATA) ? 'open' : 'closed'", "text closed | second"],
    ["print <DATA>;\n__DATA__\nd2", "none | d2"],
    [
      "sub Obj::DESTROY { print \"gone $_[0][0]\" } my $o = bless ['a'], 'Obj'; my $o2 = bless ['b'], 'Obj'; 0",
      "text 0",
    ],
    ["print 'still '; undef $o; 0", "text 0 | still gone a"],
    ["my $o2 = 1; 0", "text 0 | gone b"],
  ],
  "special variables": [
    [
      "$@ = 'x'; $! = 2; $? = 5; $, = '-'; @ARGV = (1); $0 = 'other'; $_ = 'topic'; $^W = 1; 0",
      "text 0",
    ],
    ["print 1, 2; join '|', $@, $! + 0, $?, @ARGV, $0, $_, $^W", "text |0|0|main.pl|topic|0 | 1-2"],
    ["eval { die { code => 1 } }; 0", "text 0"],
    ["defined $@ && !length $@ ? 'clean' : 'left'", "text clean"],
    ["$SIG{__WARN__} = sub { print \"W:@_\" }; $SIG{__DIE__} = sub { print 'D' }; 0", "text 0"],
    ["warn \"x\\n\"; eval { die 'y' }; 0", "text 0 | W:x\nD"],
    ["'abc' =~ /b/; srand 42; 0", "text 0"],
    ["eval 'die 1'; $@", "text 1 at (eval 1) line 1.\n | D"],
  ],
  "standard streams are whole again": [
    ["close STDOUT; close STDERR; close STDIN; 0", "text 0"],
    ["print 'out'; warn \"err\\n\"; defined <STDIN> ? 1 : 0", "text 0 | out | err\n"],
    ["*STDOUT = *STDERR; open STDERR, '>', 'file'; select STDERR; print 'x'; 0", "text 0"],
    ["print 'out'; print STDERR 'err'; -s 'file'", "text 1 | out | err"],
    [
      "tie *STDOUT, 'T'; sub T::TIEHANDLE { bless [], 'T' } sub T::PRINT { 1 } print 'x'; 0",
      "text 0",
    ],
    ["print 'out'; 0", "text 0 | out"],
    ["open STDOUT, '>', \\my $memory; print 'x'; $memory", "text x"],
    ["undef *STDOUT; 0", "text 0"],
    ["print 'out'; $memory", "text x | out"],
    ["binmode STDOUT, ':utf8'; 0", "text 0"],
    ["use utf8; print 'é'; 0", "text 0 | é"],
  ],
  "open files are written and closed": [
    [
      "open my $f, '>', 'f'; print $f 'held back'; open G, '>', 'g'; print G 'glob'; my %o = (h => IO::File->new('h', 'w')); $o{h}->print('deep'); opendir my $d, '.'; 0",
      "text 0",
    ],
    ["join ',', map { -s } qw(f g h)", "text 9,4,4"],
    [
      "open my $n, '>', 'n'; print $n 'new'; print $f 'old'; print {$o{h}} 'old'; close $f; close $n; join ',', map { -s } qw(f h n)",
      "text 9,4,3",
    ],
    ["defined fileno $f ? 'open' : 'closed'", "text closed"],
    ["join ',', map { my $x = $_; defined $x ? 1 : 0 } readdir $d", "text "],
    [
      "my @many = map { open my $x, '>', \"m$_\" or die $!; $x } 1 .. 40; fileno $many[0]",
      "text 32",
    ],
    [
      "my @more = map { open my $x, '<', \"m$_\" or die $!; $x } 1 .. 40; fileno $more[0]",
      "text 32",
    ],
    ["open my $memory, '<', \\\"l1\\nl2\\n\"; <$memory>", "text l1\n"],
    ["<$memory>", "text l2\n"],
  ],
  "alarms end with their run, handlers stay": [
    ["$SIG{ALRM} = sub { print 'ring' }; alarm 3; 0", "text 0"],
    ["sleep 5", "text 5"],
    ["alarm 3; sleep 5", "text 3 | ring"],
  ],
  "the working directory": [
    ["mkdir 'sub'; chdir 'sub'; open my $f, '>', 'in'; close $f; 0", "text 0"],
    ["use Cwd; getcwd() . (-e 'in' ? 1 : 0)", "text /workspace/sub1"],
  ],
  "modules of the workspace": [
    [
      "open my $f, '>', 'Mod.pm'; print $f 'package Mod; sub v { 1 } our $loads = ++$main::loads; 1'; close $f; 0",
      "text 0",
    ],
    ["use Mod; Mod::v() . $loads", "text 11"],
    ["use Mod; Mod::v() . $Mod::loads", "text 11"],
    [
      "open my $f, '>', '/workspace/Mod.pm'; print $f 'package Mod; sub v { 22 } our $loads = ++$main::loads; 1'; close $f; 0",
      "text 0",
    ],
    ["Mod::v()", "text 1"],
    ["use Mod; Mod::v() . $Mod::loads", "text 222"],
    ["unlink 'Mod.pm'; 0", "text 0"],
    ["require Mod", /Can't locate Mod.pm in @INC/.source],
  ],
  "names beyond ASCII": [
    ["use utf8; my $naïve = 1; our @größe = (2); my %日本 = (k => 3); 0", "text 0"],
    ['use utf8; use strict; "$naïve @größe $日本{k}"', "text 1 2 3"],
  ],
  "aliases, classes, generated code": [
    [
      "use feature 'class'; no warnings; class Point { field $x :param = 0; method x { $x } } my $p = Point->new(x => 4); 0",
      "text 0",
    ],
    ["$p->x", "text 4"],
    [
      "eval 'my $inner = 5; sub made { $p->x + $inner }'; my ($u, undef, $w) = (1, 2, 3); 0",
      "text 0",
    ],
    ["made() . $w", "text 93"],
    ["our @src = (1); my $name = 'src'; eval \"\\$$name\\[0]\"", "text 1"],
  ],
};

for (const [name, steps] of Object.entries(SEQUENCES)) {
  Deno.test(`perl context runs: ${name}`, async () => {
    const engine = await perl();
    engine.reset();
    for (const [code, wanted] of steps) {
      const ran = next(engine, code);
      const got = told(ran);
      if (wanted.startsWith("Can't")) assertEquals(got.includes("Can't locate Mod.pm"), true, got);
      else assertEquals([code, got], [code, wanted]);
      assertEquals(ran.intact, true);
    }
  });
}

Deno.test("perl context runs: the environment and the seed are those of each run", async () => {
  const engine = await perl();
  engine.reset();
  const env = (text: string) => ({ env: new Map([["A", text]]) });
  assertEquals(told(next(engine, "$ENV{B} = 2; my $v = $ENV{A}", env("1"))), "text 1");
  assertEquals(told(next(engine, "$ENV{A} . join ',', keys %ENV", env("2"))), "text 2A");
  assertEquals(told(next(engine, "tie %ENV, 'T'; sub T::TIEHASH { bless {}, 'T' } 0")), "text 0");
  assertEquals(told(next(engine, "$ENV{A}", env("3"))), "text 3");
  const numbers = new Set([1, 2, 3].map(() => told(next(engine, "rand"))));
  assertEquals(numbers.size, 3);
});

Deno.test("perl context runs: a run begins and ends in its working directory", async () => {
  const engine = await perl();
  engine.reset();
  next(engine, "mkdir 'a'; mkdir 'a/ü'; 0");
  assertEquals(engine.state.workingDirectory(), "/workspace");
  assertEquals(
    told(next(engine, "use Cwd; getcwd()", { cwd: "/workspace/a" })),
    "text /workspace/a",
  );
  assertEquals(engine.state.workingDirectory(), "/workspace/a");
  next(engine, "chdir '/workspace/a/ü'; 0", { cwd: "/workspace" });
  assertEquals(engine.state.workingDirectory(), "/workspace/a/ü");
  next(engine, "chdir '/tmp'; 0", { cwd: "/workspace/a/ü" });
  assertEquals(engine.state.workingDirectory(), "/tmp");
  assertEquals(told(next(engine, "getcwd()", { cwd: "/workspace" })), "text /workspace");
});

Deno.test("perl context runs: a limit leaves no state to continue from", async () => {
  const engine = await perl();
  for (const code of ["1 while 1", "sleep 1e9", "print 'x' x 1e6 while 1", "'x' x 2**31"]) {
    engine.reset();
    next(engine, "my $x = 1; 0");
    const ran = next(engine, code, { limits: { fuel: 50_000_000 } });
    assertEquals([code, ran.ending.kind, ran.intact], [code, "limit", false]);
  }
  engine.reset();
  next(engine, "my $x = 1; 0");
  const long = next(engine, "$x = 2; 'x' x 300_000");
  assertEquals([told(long), long.intact], ["limit result", true]);
  assertEquals(told(next(engine, "$x")), "text 2");
});

Deno.test("perl context runs: code hidden in the surroundings of a run is metered", async () => {
  const engine = await perl();
  const traps = [
    "package T; sub TIEHASH { bless {} } sub UNTIE { 1 while 1 } sub CLEAR { 1 while 1 } package main; tie %ENV, 'T'; 0",
    "package T; sub TIESCALAR { bless [] } sub STORE { 1 while 1 } sub FETCH { 1 } package main; tie $Belljar::code, 'T'; 0",
    "package T; sub TIEHANDLE { bless [] } sub UNTIE { 1 while 1 } package main; tie *STDOUT, 'T'; 0",
  ];
  for (const trap of traps) {
    engine.reset();
    const limits = { fuel: 50_000_000 };
    let { ending } = next(engine, trap, { limits });
    // the run that sets the trap may trigger it itself
    if (ending.kind === "text") ending = next(engine, "1", { limits }).ending;
    assertEquals([trap, ending.kind === "text" || ending.kind === "limit"], [trap, true]);
  }
  for (const lost of ["undef %Belljar::; 1", "undef &Belljar::finish; 1"]) {
    engine.reset();
    assertEquals([lost, next(engine, lost).ending.kind], [lost, "crash"]);
  }
});

Deno.test("perl context runs: a thousand runs take no more memory and fuel than a few", async () => {
  const engine = await newEngine();
  next(engine, "my $n = 0; my @l = (1 .. 10); sub step { $n++ } 0");
  const code =
    "my $again = step(); my %h = map { $_ => 1 } @l; open my $f, '>', 'f'; print $f $n; eval { die 'x' }; END { $n += 0 } $n";
  const few = Array.from({ length: 20 }, () => next(engine, code)).at(-1);
  const many = Array.from({ length: 1_000 }, () => next(engine, code)).at(-1);
  if (few === undefined || many === undefined) throw new Error("no runs");
  assertEquals(told(many), "text 1020");
  assertEquals(many.memoryBytes, few.memoryBytes);
  assertLess(many.fuelConsumed, few.fuelConsumed * 1.2);
  assertGreater(many.fuelConsumed, 0);
});

Deno.test("perl context runs: a captured state continues in another engine", async () => {
  const random = (target: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(target);
  const parts = { memoryBytes: MEMORY_BYTES.perl, random };
  const [one, other] = [await perl(), await newEngine()];
  one.reset();
  const from = new Snapshotter(one.state, parts);
  from.forget();
  next(
    one,
    "my $n = 1; my @big = map { 'x' x 10_000 } 1 .. 1_000; sub up { $n++ } our $p = 'our'; 0",
  );
  const first = from.capture(32 << 20);
  next(
    one,
    "use Math::BigInt; my $b = Math::BigInt->new(2) ** 70; up(); sub two { up() for 1 .. 2; $n } 0",
  );
  const second = from.capture(32 << 20);
  if (first === undefined || second === undefined) throw new Error("no capture");
  const segments = [first.segment].slice(0, second.reusedSegments).concat(second.segment);
  other.reset();
  new Snapshotter(other.state, parts).restore({ ...second, segments });
  const code = "use strict; join ',', two(), $n, \"$b\", $p, scalar(@big), length $big[999]";
  assertEquals(told(next(other, code)), "text 4,4,1180591620717411303424,our,1000,10000");
  assertEquals(told(next(one, code)), "text 4,4,1180591620717411303424,our,1000,10000");
  other.reset();
  assertEquals(told(next(other, "defined $main::p ? 'left' : 'gone'")), "text gone");
});
