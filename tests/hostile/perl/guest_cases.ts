/** Programs that break what the driver and the streams rely on, and odd results. */
import type { HostileCase } from "../cases.ts";

/** Logs are correct or empty, and the value is correct. */
export const HANDLES: readonly HostileCase[] = [
  "select(STDERR); $| = 1; close STDOUT; print 'x'; 7",
  "close STDOUT; close STDERR; close STDIN; print 'x'; warn 'y'; 7",
  "*STDOUT = *STDERR; print 'x'; 7",
  "undef *STDOUT; undef *STDERR; print 'x'; 7",
  "binmode STDOUT, ':crlf'; binmode STDOUT, ':utf8'; print \"\\x{ffff}\\n\"; binmode STDOUT; 7",
  "binmode STDOUT, ':encoding(UTF-16)'; print 'x'; 7",
  "open STDOUT, '>', \\my $memory; print 'x'; 7",
  "open STDOUT, '>', 'file'; open STDERR, '>&STDOUT'; print 'x'; warn 'y'; 7",
  "tie *STDOUT, 'main'; sub TIEHANDLE { bless [] } sub PRINT { die } sub UNTIE { die } 7",
  "use POSIX; POSIX::close($_) for 0 .. 300; print 'x'; 7",
  'print "\\0\\xff\\xfe\\e[31m\\x{d800}\\n"; 7',
  "$, = $\\ = $/ = $; = $\" = 'x'; print 1, 2; 7",
].map((code) => ({ name: code, code, outcome: "value", results: [{ text: "7" }] }));

function result(code: string, entry?: unknown): HostileCase {
  const results = entry === undefined ? {} : { results: [entry] };
  return { name: `result: ${code}`, code, outcome: "value", ...results };
}

export const RESULTS: readonly HostileCase[] = [
  result("my $h = {}; $h->{self} = $h; $h"),
  result("my @a; $a[0] = \\@a; \\@a"),
  result("bless { a => 1 }, 'Foo'"),
  result("bless [], '0'"),
  result("sub { 1 }"),
  result("\\*STDOUT"),
  result("*STDOUT", { text: "*main::STDOUT" }),
  result("use Scalar::Util 'dualvar'; dualvar(5, 'five')", { text: "five" }),
  result("9 ** 9 ** 9", { text: "Inf" }),
  result("[-sin 9 ** 9 ** 9, 1]"),
  result("v1.22.333 lt 'x' ? sprintf('%vd', v1.22.333) : 0", { text: "1.22.333" }),
  result('"\\x{263a}\\x{1f600}"', { text: "☺😀" }),
  result('"\\x80\\xff"', { text: "\u0080ÿ" }),
  result('["\\x{d800}", "\\x{110000}", "\\x80"]'),
  result('+{ "\\0" => "\\0" }', { json: { "\0": "\0" } }),
  result("+{ __proto__ => 1 }", JSON.parse('{"json": {"__proto__": 1}}')),
  result("qr/(?{ die })/", { text: "(?^:(?{ die }))" }),
  result("\\my $x"),
  result("my $d = []; $d = [$d] for 1 .. 5_000; $d"),
  {
    name: "result whose text dies",
    code: 'use overload \'""\' => sub { die "no text\\n" }; bless []',
    outcome: "error",
    message: /no text/,
  },
  ...[
    "die undef",
    "die bless [], 'X' x 10_000",
    "die \\my $x",
    "die sub { }",
    "die *STDOUT",
    "die {}",
  ]
    .map((code) => ({ name: code, code, outcome: "error" }) as const),
  {
    name: "exception whose message loops",
    code: "use overload '\"\"' => sub { 1 while 1 }; die bless []",
    outcome: "limit",
  },
];

/** The symbol table belongs to the program; the value is still correct, or there is an error. */
export const SYMBOL_TABLES: readonly HostileCase[] = [
  ...[
    "%main:: = ()",
    "undef %Belljar::",
    "%UNIVERSAL:: = ()",
    "undef %CORE::GLOBAL::",
    "delete $main::{$_} for grep { !/^(?:main|Belljar)::/ } keys %main::",
    "*CORE::GLOBAL::sprintf = *CORE::GLOBAL::ref = sub { die }",
    "*Scalar::Util::blessed = *overload::Method = sub { die }",
    "@INC = (); undef %INC; undef @ARGV; undef %ENV; undef $0",
    "$SIG{__DIE__} = $SIG{__WARN__} = sub { die 'again' }",
    "$_ = $@ = $! = 5; $^W = 1; $^T = 0; ${^WARNING_BITS} = undef",
  ].map((poison) => ({
    name: `poison: ${poison}`,
    code: `{ no strict; no warnings; ${poison}; } [1, 'x', { a => 1.5 }]`,
    outcome: "value",
    results: [{ json: [1, "x", { a: 1.5 }] }],
  } as const)),
  ...[
    "undef %main::; 5",
    "%main:: = (); die 'x'",
    "undef &Belljar::run; undef &Belljar::finish; undef &Belljar::describe; 5",
    "*Belljar::settle = sub { $Belljar::outcome = 'e[not json' }; die 'x'",
    "*Belljar::describe = sub { 1 while 1 }; 5",
    "delete $Belljar::{$_} for keys %Belljar::; 5",
  ].map((code) => ({ name: code, code, outcome: "any" }) as const),
];

/** Programs that break their own interpreter on purpose: only the effect on others matters. */
export const BROKEN: readonly string[] = [
  "unpack 'P', pack 'L', 4_000_000_000",
  "unpack 'P100000000', pack 'L', 8",
  "undef %main::; undef %Belljar::; *CORE::GLOBAL:: = 1; 5",
  "$Belljar::outcome = 'j]['; $Belljar::status = 'x'; exit 0",
  "*Belljar::evaluate = sub { 5 }; *Belljar::finish = sub { $Belljar::outcome = 'q' }; 5",
  "Internals::SvREFCNT(@$_, 0) for [1, 2]; Internals::SvREFCNT(%main::, 0); 5",
];
