/** Hostile runs in a context of Perl. */
import type { ContextCase, ContextWords } from "./case.ts";

const write = (path: string, text: string) =>
  `{ open my $w, '>', ${path} or die "$!\\n"; print {$w} ${text} or die "$!\\n"; close $w or die "$!\\n" }`;

const LIMITS: readonly ContextCase[] = [
  {
    name: "endless loop after changes",
    runs: [`$canary = 1; ${write("'safe.txt'", "'x'")} 1 while 1`],
    outcome: "rolled back",
    message: /Fuel limit/,
  },
  {
    name: "sleeping past the wall clock",
    runs: ["$canary = 1; sleep 1000000"],
    outcome: "rolled back",
    message: /Wall clock limit/,
  },
  {
    name: "writing without end",
    runs: ["$canary = 1; print 'x' x 1000, \"\\n\" while 1"],
    outcome: "rolled back",
    message: /Output limit/,
  },
  {
    name: "memory without end",
    runs: ["my @hoard; push @hoard, 'x' x (1 << 20) while 1"],
    outcome: "rolled back",
  },
  {
    name: "recursion without end",
    runs: ["no warnings; my $f; $f = sub { 1 + $f->() }; $f->()"],
    outcome: "rolled back",
  },
  {
    name: "40 MiB of noise",
    runs: ["my $noise = ''; $noise .= pack 'N', int rand 4294967296 for 1 .. 10 << 20; 1"],
    outcome: "rolled back",
  },
  {
    name: "60 MiB of one byte",
    runs: ["my $same = 'x' x (60 << 20); 1", "undef $same; 1"],
    outcome: "kept",
  },
];

const FILES: readonly ContextCase[] = [
  {
    name: "more files than there can be",
    runs: [`for my $i (0 .. 5000) ${write('"f$i"', "'x'")}`],
    outcome: "failed",
  },
  {
    name: "as many files as there can be, then none",
    runs: [
      `for my $i (1 .. 4095) ${write('"f$i"', "$i")} 1`,
      'unlink map { "f$_" } 1 .. 4095; 1',
    ],
    outcome: "kept",
  },
  {
    name: "directories as deep as they go, and the working directory in them",
    runs: [
      "for (1 .. 600) { mkdir 'd' or die; chdir 'd' or die }",
      "use Cwd; my $l = length getcwd(); chdir '/workspace'; $l",
    ],
    outcome: "kept",
  },
  {
    name: "16 MiB of files, and one byte more",
    runs: [
      `for my $i (1 .. 3) ${write('"big$i"', "'x' x (4 << 20)")} ${
        write("'big4'", "'x' x ((4 << 20) - 4)")
      } 1`,
      write("'more'", "'xx'"),
    ],
    outcome: "failed",
  },
  {
    name: "names of every kind",
    runs: [
      "for my $n (\"a\\nb\", \"\\x01\", '__proto__', 'constructor', \"\\xef\\xbb\\xbf\", \"\\xc3\\xa9\", \"e\\xcc\\x81\", '\\\\', '\"', ' ', '...') { mkdir $n or die; open my $w, '>', \"$n/$n\" or die; print {$w} $n } 1",
    ],
    outcome: "kept",
  },
  {
    name: "names that are no UTF-8",
    runs: ["open my $w, '>', \"\\xff\\xfe\"; print {$w} 'x' if $w; 1"],
    outcome: "any",
  },
  {
    name: "files become directories and back",
    runs: [
      `${write("'t'", "'x'")} mkdir 'u'; 1`,
      `unlink 't'; mkdir 't'; mkdir 't/in'; rmdir 'u'; ${write("'u'", "'x'")} 1`,
      `rmdir 't/in'; rmdir 't'; ${write("'t'", "'y'")} 1`,
    ],
    outcome: "kept",
  },
  {
    name: "modes, and the time of the last day",
    runs: [
      `${write("'m'", "'x'")} chmod 0, 'm'; utime 8e15, 8e15, 'm'; 1`,
      "open my $r, '<', 'm'; <$r>",
    ],
    outcome: "any",
  },
  {
    name: "handles in globals",
    runs: [
      "our @handles; for my $i (1 .. 100) { open $handles[$i], '>', \"h$i\" } print { $handles[1] } 'x'; 1",
      "no warnings; my $failed = 0; for my $h (@handles) { print {$h} 'y' or $failed++ if $h } $failed",
    ],
    outcome: "kept",
  },
];

const POISON: readonly ContextCase[] = [
  {
    name: "the symbol table wiped",
    runs: ["%main:: = (); 1"],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "the symbol table undefined",
    runs: ["undef %::; 1"],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "every sub of every package taken away",
    runs: [
      'no strict \'refs\'; for my $p (qw(UNIVERSAL utf8 builtin Internals re version mro Carp Exporter)) { undef &{"${p}::$_"} for grep { defined &{"${p}::$_"} } keys %{"${p}::"} } 1',
    ],
    outcome: "any",
  },
  {
    name: "core functions overridden",
    runs: [
      "BEGIN { no strict 'refs'; no warnings; for my $n (qw(die warn exit open close print require do sleep time rand chdir)) { *{\"CORE::GLOBAL::$n\"} = sub { 1 while 1 } } } 1",
    ],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "handlers that never end",
    runs: ["$SIG{__WARN__} = $SIG{__DIE__} = sub { 1 while 1 }; 1"],
    outcome: "any",
  },
  {
    name: "an END block that never ends",
    runs: ["$canary = 1; END { 1 while 1 }"],
    outcome: "rolled back",
  },
  {
    name: "an object that is freed in a later run and never ends",
    runs: ["sub Bad::DESTROY { 1 while 1 } my $bad = bless [], 'Bad'; 1", "undef $bad; 1"],
    outcome: "rolled back",
  },
  {
    name: "streams closed, tied and moved",
    runs: [
      "close STDIN; close STDERR; *STDOUT = *STDERR; select STDERR; $| = 1; $, = $\\ = 'x'; $; = 1; 1",
    ],
    outcome: "any",
  },
  {
    name: "a tied variable that never answers",
    runs: [
      "sub Slow::TIESCALAR { bless [] } sub Slow::FETCH { 1 while 1 } tie my $slow, 'Slow'; 1",
    ],
    outcome: "any",
  },
  {
    name: "@INC and %INC full of code",
    runs: ["unshift @INC, sub { 1 while 1 }; %INC = (); 1"],
    outcome: "any",
  },
  {
    name: "its own lexical declared a thousand times",
    runs: [
      Array.from({ length: 1000 }, (_, n) => `my $l${n} = ${n};`).join(" ") + " 1",
      "$l0 + $l999",
    ],
    outcome: "kept",
  },
];

export const PERL_CONTEXT: ContextWords = {
  make: `my $canary = 41; ${write("'safe.txt'", "'safe'")} $canary`,
  show: "[$canary, do { open my $r, '<', '/workspace/safe.txt'; join '', <$r> }]",
  alive: "1",
  count: "our $runs; $runs++; $runs",
  cases: [...LIMITS, ...FILES, ...POISON],
};
