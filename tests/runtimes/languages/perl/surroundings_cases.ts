import { assertEquals, assertMatch } from "@std/assert";
import { brief, run } from "./perl.ts";

/** Programs and their output. */
const OUTPUT: readonly (readonly [code: string, out: string, err?: string])[] = [
  ["print 'é', \"\\n\"; print length 'é'", "é\n2"],
  ["use utf8; binmode STDOUT, ':utf8'; print 'é', length 'é'", "é1"],
  ["use utf8; print '☃'", "☃", "Wide character in print at main.pl line 1.\n"],
  ["use open qw(:std :utf8); use utf8; print 'é☃'", "é☃"],
  ["print STDERR 'e'; print 'o'; warn \"w\\n\"", "o", "ew\n"],
  [
    'use warnings; my $u; print "v$u"',
    "v",
    "Use of uninitialized value $u in concatenation (.) or string at main.pl line 1.\n",
  ],
  [
    "#!/usr/bin/perl -w\nmy $u; print 1 + $u",
    "1",
    "Use of uninitialized value $u in addition (+) at main.pl line 2.\n",
  ],
  ["print <DATA>;\n__END__\nd1\nd2", "d1\nd2"],
  ['package Foo; while (<DATA>) { print "[$_]" }\n__DATA__\nx\né', "[x\n][é]"],
  ["use utf8; binmode STDOUT, ':utf8'; print length(<DATA>)\n__DATA__\né", "1"],
  ["my $t = <<'E';\n__END__\nE\nprint $t", "__END__\n"],
  ["print defined(<STDIN>) ? 'line' : 'end'", "end"],
  ["print \"@ARGV|$0|\", scalar(@ARGV), '|', __FILE__, '|', __LINE__", "|main.pl|0|main.pl|1"],
  ["use Cwd; print getcwd(); print -t STDOUT ? 'tty' : ''; print -d '/workspace'", "/workspace1"],
  [
    "print scalar(localtime 0), '|', scalar gmtime 86400 * 365",
    "Thu Jan  1 00:00:00 1970|Fri Jan  1 00:00:00 1971",
  ],
  [
    "my $t = time; sleep 5; print time - $t >= 5; select undef, undef, undef, 1.5; print time - $t >= 6",
    "11",
  ],
  ["use Time::HiRes qw(sleep time); my $t = time; sleep 0.25; printf '%.2f', time - $t", "0.25"],
  [
    "use Time::HiRes qw(clock_gettime clock_getres clock CLOCK_MONOTONIC CLOCK_REALTIME ualarm); my $t = clock_gettime(CLOCK_MONOTONIC); Time::HiRes::sleep(0.25); my $d = clock_gettime(CLOCK_MONOTONIC) - $t; print $d >= 0.25, ' ', abs(clock_gettime(CLOCK_REALTIME) - time) < 2, ' ', clock_getres(0) < 1e-3, ' ', clock() >= 0.2, ' ', clock_gettime(99)",
    "1 1 1 1 -1",
  ],
  ["print 'main' unless caller; sub f { scalar(() = caller 1) } print f(), f(1)", "main00"],
  [
    "eval 'die 1'; print $@; eval 'die 2'; print $@",
    "1 at (eval 1) line 1.\n2 at (eval 2) line 1.\n",
  ],
  [
    "END { print 'e1' } END { print 'e2' } my $o = bless []; sub DESTROY { print 'd' } print 'm'",
    "me2e1d",
  ],
  ["our $g = bless []; sub DESTROY { print 'd', ${^GLOBAL_PHASE} } print 'm'", "mdDESTRUCT"],
  ["$| = 0; print 'buffered'; print STDERR 'e'", "buffered", "e"],
  ["printf '%s', join ',', sort { $a <=> $b } (10, 9, 8)", "8,9,10"],
  ['print for reverse 1 .. 3; print "\\n"', "321\n"],
];

Deno.test("perl surroundings: output goes to the right stream, complete and in order", async () => {
  for (const [code, out, err = ""] of OUTPUT) {
    const ran = await run(code);
    assertEquals([code, ran.out, ran.err], [code, out, err]);
  }
});

/** Programs that close, reopen and duplicate the standard streams. */
const STREAMS: readonly (readonly [code: string, out: string, err?: string])[] = [
  ["close STDOUT; print 'lost'; print STDERR 'kept'", "", "kept"],
  ["open STDOUT, '>', 'o' or die; print 'file'; close STDOUT; print STDERR -s 'o'", "", "4"],
  ["close STDERR; open STDERR, '>', 'e' or die; warn 'x'; close STDERR; print -s 'e'", "21"],
  ["open STDERR, '>&STDOUT' or die; print STDERR 'e'; print 'o'", "eo"],
  ["open STDERR, '>&', \\*STDOUT or die; print STDERR 'e'; print 'o'", "eo"],
  [
    "open my $old, '>&', \\*STDOUT or die; open STDOUT, '>', 'o' or die; print 'file';\n" +
    "close STDOUT; open STDOUT, '>&', $old or die; print 'back'; print -s 'o'",
    "back4",
  ],
  [
    "open(my $old, '>&STDOUT') or die; close STDOUT; open(STDOUT, '>', \\my $in) or die;\n" +
    "print 'memory'; close STDOUT; open(STDOUT, '>&', $old) or die; print \"got $in\"",
    "got memory",
  ],
  [
    "{ local *STDOUT; open STDOUT, '>', \\my $in or die; print 'x'; $main::got = $in } print 'y'",
    "y",
  ],
  ["*STDOUT = *STDERR; print 'to err'", "", "to err"],
  [
    "open F, '>', 'f' or die; open G, '>>&F' or die; print F 1; print G 2; close F; close G;\n" +
    "open F, 'f'; print <F>",
    "12",
  ],
  ["open my $f, '<&=', 0 or die; print eof($f) ? 'end' : 'more'", "end"],
  [
    "my $out = ''; open my $f, '>', \\$out; my $old = select $f; print 'x'; select $old; print \"[$out]\"",
    "[x]",
  ],
  [
    "open my $f, '>', 'f'; print $f 'abc'; close $f; open $f, '+<', 'f'; seek $f, 1, 0; print $f 'X';\n" +
    "seek $f, 0, 0; print <$f>; print -s 'f'",
    "aXc3",
  ],
];

Deno.test("perl surroundings: standard streams can be closed, reopened and duplicated", async () => {
  for (const [code, out, err = ""] of STREAMS) {
    const ran = await run(code);
    assertEquals([code, ran.out, ran.err], [code, out, err]);
  }
});

Deno.test("perl surroundings: the environment is only the request's", async () => {
  const env = new Map([["PATH", "/x"], ["__proto__", "p"], ["Ü", "é=1\n2"], ["EMPTY", ""]]);
  const code = "print join '|', map { \"$_=$ENV{$_}\" } sort keys %ENV";
  assertEquals((await run(code, { env })).out, "EMPTY=|PATH=/x|__proto__=p|Ü=é=1\n2");
  assertEquals((await run(code)).out, "");
});

Deno.test("perl surroundings: processes and sockets fail immediately", async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["system('ls') . \"$? $!\"", /^text -1-1 Function not implemented$/],
    ["defined(`ls`) ? 'yes' : \"$? $!\"", /^text -1 Function not implemented$/],
    ["my @lines = qx{ls}; @lines", /^text 0$/],
    ["exec('ls') or \"$!\"", /^text Function not implemented$/],
    ["fork", /fork function is unimplemented/],
    ["pipe my $r, my $w", /pipe function is unimplemented/],
    ["use Socket", /Can't locate Socket\.pm in @INC \(there is no network\) \(@INC/],
    ["use IO::Socket::INET", /Can't locate Socket\.pm in @INC \(there is no network\)/],
    ["eval { require HTTP::Tiny }; $@", /text Can't locate HTTP\/Tiny\.pm .*there is no network/],
    ["use IPC::Open3", /Can't locate IPC\/Open3\.pm in @INC \(there are no processes\)/],
    ["use LWP", /Can't locate LWP\.pm in @INC \(there is no network\)/],
    [
      "use JSON; print encode_json([1])",
      /@INC \(modules cannot be installed here; JSON::PP is available\) \(/,
    ],
    ["require Cpanel::JSON::XS", /here; JSON::PP is available\)/],
    ["use DateTime::Format::Strptime", /here; Time::Piece is available\)/],
    ["use Text::CSV", /here; Text::ParseWords is available\)/],
    ["use Moo; has x => (is => 'ro')", /here; feature "class" is available\)/],
    ["use YAML", /@INC \(modules cannot be installed here\) \(@INC/],
    ["use JSONic", /@INC \(modules cannot be installed here\) \(@INC/],
    ["eval { require DBI; 1 } or print 'rescued'; $@", /modules cannot be installed here/],
    ["socket my $s, 2, 1, 0", /[Uu]nsupported|unimplemented/],
    ["use threads", /Can't locate threads\.pm in @INC \(there are no threads\)/],
    ["open my $p, '-|', 'ls' or die \"no pipe: $!\"", /no pipe: Function not implemented/],
    ["open my $p, 'ls |' or die \"no pipe: $!\"", /no pipe: Function not implemented/],
    ["open P, '|cat' or die \"no pipe: $!\"", /no pipe: Function not implemented/],
  ];
  for (const [code, pattern] of cases) assertMatch(brief(await run(code)), pattern, code);
});

Deno.test("perl surroundings: a program's replacement of a builtin is called", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['BEGIN { *CORE::GLOBAL::sleep = sub { "mine @_" } } sleep(5)', "text mine 5"],
    ["BEGIN { *CORE::GLOBAL::localtime = sub { 'then' } } localtime", "text then"],
    ["BEGIN { *CORE::GLOBAL::time = sub { 42 } } time", "text 42"],
    ["sub sleep { 1 } use subs 'kill'; sub kill { \"k@_\" } kill(1)", "text k1"],
    ["system { 'ls' } 'ls', '-l'", "text -1"],
    ["exec { 'ls' } 'ls'; 'on'", "text on"],
  ];
  for (const [code, ending] of cases) {
    const ran = await run(code);
    assertEquals([code, brief(ran), ran.err], [code, ending, ""]);
  }
});

Deno.test("perl surroundings: there is nothing of the host to see", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["-e '/etc/passwd' ? 1 : 0", "text 0"],
    ["open my $f, '<', '/etc/passwd' or die \"$!\\n\"", "Error: No such file or directory"],
    ["-e '/proc' ? 1 : 0", "text 0"],
    ["join ',', glob '/*'", "text /dev,/tmp,/workspace"],
    ["opendir my $d, '/' or die; join ',', sort readdir $d", "text .,..,dev,tmp,workspace"],
    ["open my $f, '>', '/x' or die \"$!\\n\"", "Error: Read-only file system"],
    ["open my $f, '<', '../../etc/passwd' or die \"$!\\n\"", "Error: No such file or directory"],
    ["require '/etc/hosts'", "Error: Can't locate /etc/hosts at main.pl line 1."],
  ];
  for (const [code, ending] of cases) assertEquals([code, brief(await run(code))], [code, ending]);
});

Deno.test("perl surroundings: the library is read from files, which no listing of the root shows", async () => {
  const code = `open my $f, '<', $INC{'Text/Wrap.pm'} or die $!; local $/; my $text = <$f>;
    join ' ', $INC{'Text/Wrap.pm'}, $text =~ /^package Text::Wrap/m ? 1 : 0, -e '/zeroperl/lib/none' ? 1 : 0`;
  assertEquals(
    brief(await run(`use Text::Wrap; ${code}`)),
    "text /zeroperl/lib/5.42.0/Text/Wrap.pm 1 0",
  );
});

Deno.test("perl surroundings: rand is seeded anew for each run, hash order is not", async () => {
  const numbers = new Set<string>();
  const orders = new Set<string>();
  for (let i = 0; i < 5; i++) {
    numbers.add(brief(await run("join ',', map { int rand 1e9 } 1 .. 4")));
    orders.add(brief(await run("my %h = map { $_ => 1 } 'a' .. 'z'; join '', keys %h")));
  }
  assertEquals([numbers.size, orders.size], [5, 1]);
  assertEquals(brief(await run("srand 42; int rand 1000")), "text 744");
});
