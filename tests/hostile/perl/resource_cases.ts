/** Programs that take as much as they can get. */
import type { HostileCase, Outcome } from "../cases.ts";

function each(
  outcome: Outcome,
  cases: Readonly<Record<string, string>>,
  message?: RegExp,
): readonly HostileCase[] {
  return Object.entries(cases).map(([name, code]) => ({
    name,
    code,
    outcome,
    ...(message === undefined ? {} : { message }),
  }));
}

export const ENDLESS: readonly HostileCase[] = [
  ...each("limit", {
    "endless loop": "1 while 1",
    "endless redo": "{ redo }",
    "endless goto": "A: goto A",
    "endless loop in eval": "eval { 1 while 1 }; 1 while 1",
    "endless loop in eval of a string": "eval '1 while 1'; 1",
    "endless END": "END { 1 while 1 } 1",
    "endless END after exit": "END { 1 while 1 } exit 3",
    "endless BEGIN": "BEGIN { 1 while 1 }",
    "endless DESTROY": "sub DESTROY { 1 while 1 } { my $d = bless [] } 1",
    "endless DESTROY at the very end": "sub DESTROY { 1 while 1 } our $d = bless []; 1",
    "endless __DIE__": "local $SIG{__DIE__} = sub { 1 while 1 }; die 1",
    "endless __WARN__": "local $SIG{__WARN__} = sub { 1 while 1 }; warn 1",
    "alarms that are set again": "$SIG{ALRM} = sub { alarm 1 }; alarm 1; 1 while 1",
    "an alarm that is caught":
      "$SIG{ALRM} = sub { die }; while (1) { eval { alarm 1; 1 while 1 } }",
    "endless comparator": "my @s = sort { 1 while 1; 0 } 1, 2",
    "endless substitution": "my $s = 'a'; $s =~ s/a/1 while 1/e",
    "endless code in a pattern": "'a' =~ /(?{ 1 while 1 })/",
    "catastrophic pattern": "('a' x 40 . 'b') =~ /^(a|a|aa)+$/ while 1",
    "catastrophic back references": "('x' x 60) =~ /^(x+x+)+(?<!x)y\\1/ while 1",
    "endless import": "sub UNIVERSAL::import { 1 while 1 } Foo->import",
    "endless AUTOLOAD": "sub AUTOLOAD { 1 while 1 } nothing()",
    "endless eval that catches": "while (1) { eval { 1 while 1; 1 } or next }",
    "endless string evaluation": "eval '1' while 1",
    "endless list in C": "my @a = (1) x 100_000; @a = reverse @a while 1",
    "endless sprintf": "sprintf '%1000000d', 1 while 1",
    "endless tr": "my $s = 'a' x 1_000_000; $s =~ tr/a-z//cd while 1",
  }, /Fuel/),
  ...each("limit", {
    "tied hash without an end":
      "sub TIEHASH { bless {} } sub FIRSTKEY { 1 } sub NEXTKEY { 1 } sub FETCH { 1 } tie my %t, 'main'; my $n = keys %t; \\%t",
    "result that is a tied hash without an end":
      "sub TIEHASH { bless {} } sub FIRSTKEY { 1 } sub NEXTKEY { 1 } sub FETCH { 1 } tie my %t, 'main'; \\%t",
    "result whose text loops":
      "package O; use overload '\"\"' => sub { 1 while 1 }; package main; bless []",
  }).map((item) => item.name.includes("text") ? { ...item, outcome: "any" as const } : item),
  {
    name: "logs before a limit",
    code: 'print "one\\ntwo\\n"; 1 while 1',
    outcome: "limit",
    message: /Fuel/,
    stdout: ["one", "two"],
  },
];

export const MEMORY: readonly HostileCase[] = [
  ...each("limit", {
    "string of two gigabytes": "my $n = 2**31; my $x = 'a' x $n; length $x",
    "string constant of two gigabytes": '"a" x 2**31',
    "string that doubles": "my $x = 'a'; $x .= $x while 1",
    "held strings": "my @k; push @k, 'x' x 1_000_000 while 1",
    "held hash": "my %h; my $i; $h{$i++} = [] while 1",
    "memory taken again and again in eval":
      "while (1) { eval { my @k; push @k, 'x' x 1_000_000 while 1 } }",
    "bit far away": "vec(my $x, 2**31, 1) = 1",
  }),
  ...each("either", {
    "list of a billion": "my @a = (1) x 1e9",
    "array of two billion": "$#a = 2**31; push @a, 1 while 1",
    "number two billion wide": "sprintf('%2147483647d', 1)",
    "range of a billion": "my @a = 1 .. 1e9",
    "join of a lot": "my $s = join ',', ('x' x 1_000_000) x 1_000",
    "pattern of two gigabytes": "my $x = 'a' x 60_000_000; $x =~ /($x)/; my $y = $x . $x",
    "power of a big number": "use Math::BigInt; Math::BigInt->new(10) ** 10_000_000",
  }),
];

export const RECURSION: readonly HostileCase[] = [
  ...each("either", {
    "deep function": "sub f { f() } f()",
    "deep function with arguments": "no warnings; sub f { my @a = @_; f(@a, 1) + 1 } f(0)",
    "deep comparator": "sub r { my @x = sort { r() } 1, 2 } r()",
    "deep overloading": 'use overload \'""\' => sub { "$_[0]" }; my $o = bless []; "$o"',
    "deep string evaluation": "sub e { eval 'e()' } e()",
    "deep DESTROY": "sub DESTROY { my $x = bless [] } { my $d = bless [] }",
    "deep die handler": "$SIG{__DIE__} = sub { die @_ }; die 'x'",
    "deep warn handler": "$SIG{__WARN__} = sub { f() }; sub f { f() } warn 'x'",
    "deep code in a pattern": "sub g { 'a' =~ /(?{ g() })/ } g()",
    "deep map": "sub m1 { map { m1() } 1 } m1()",
    "deep require":
      "BEGIN { open my $f, '>', 'R.pl'; print $f 'do q(./R.pl)' } do './R.pl' while 1",
  }),
  ...each("any", {
    "deep tie": "sub TIESCALAR { bless [] } sub FETCH { my $x = $main::t } tie our $t, 'main'; $t",
    "deep pattern": "my $re = '(' x 20_000 . ')' x 20_000; 'a' =~ /$re/",
    "deep pattern recursion": "('(' x 50_000) =~ /^(\\((?1)*\\))*$/; 1",
    "deep data let go": "my $r; $r = [$r] for 1 .. 200_000; undef $r; 1",
    "deep data as the result": "my $r; $r = [$r] for 1 .. 200_000; $r",
    "die in a comparator": 'my @y = eval { sort { die "in sort\\n" } 1, 2 }; $@',
  }),
];

export const OUTPUT: readonly HostileCase[] = [
  ...each("limit", {
    "long lines": "print 'x' x 100_000 while 1",
    "empty lines": 'print "\\n" while 1',
    "warnings": "warn 'x' while 1",
    "held back output": "$| = 0; print 'y' while 1",
    "output in eval": "while (1) { eval { print 'x' x 10_000 while 1 } }",
    "output in END": "END { print 'x' x 10_000 while 1 }",
  }, /Output/),
  {
    name: "result over the limit",
    code: 'print "first\\n"; "x" x 2**20',
    outcome: "limit",
    message: /Result/,
    stdout: ["first"],
  },
  { name: "container over the limit", code: "[('long enough') x 2**18]", outcome: "limit" },
];

export const WAITING: readonly HostileCase[] = [
  ...each("limit", {
    "long sleep": "sleep 1e9",
    "many sleeps": "sleep 4 while 1",
    "select as a sleep": "select undef, undef, undef, 100",
    "precise sleep": "use Time::HiRes 'sleep'; sleep 0.5 while 1",
  }, /Wall clock/),
  ...each("value", {
    "standard input is at its end": "my $l = <STDIN>; my @l = <STDIN>; defined $l ? 'line' : 'end'",
    "no line by getc": "getc",
  }),
];

export const FILES: readonly HostileCase[] = each("error", {
  "large file":
    "open my $f, '>', 'f' or die; my $s = 'x' x 1_000_000; for (1 .. 30) { print $f $s or die \"$!\\n\" } close $f or die $!",
  "many bytes":
    "for my $i (1 .. 10) { open my $f, '>', \"f$i\" or die; print $f 'x' x 4_000_000; close $f or die $! }",
  "many files": "for my $i (1 .. 5_000) { open my $f, '>', \"f$i\" or die $! }",
  "many descriptors":
    "my @h; for my $i (1 .. 500) { open my $f, '>', \"f$i\" or die $!; push @h, $f }",
  "deep directories": "for (1 .. 5_000) { mkdir 'd' or die $!; chdir 'd' or die $! }",
  "hole in a file": "open my $f, '>', 'f' or die; truncate $f, 2**40 or die $!",
  "far away in a file":
    "open my $f, '>', 'f' or die; seek $f, 2**40, 0; print $f 'x' or die $!; close $f or die $!",
});
