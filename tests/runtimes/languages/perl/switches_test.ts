/** Switches on the first line of a program, as `perl FILE` obeys them. */
import { assertEquals } from "@std/assert";
import { brief, newEngine, next, run } from "./perl.ts";

const INPUT = "a cat b\nno pet c\n\nlast:one:two\n";

/** First lines, programs, and what they print. */
const PRINTS: readonly (readonly [switches: string, code: string, out: string])[] = [
  ["/usr/bin/perl -l", 'use strict; print "one"; print "two", 3;', "one\ntwo3\n"],
  ["/usr/bin/perl -n", 's/cat/dog/; print "$.: $_" if $. < 3;', "1: a dog b\n2: no pet c\n"],
  [
    "/usr/bin/perl -ln",
    'print "<$_>" if /t/; END { print "end $." }',
    "<a cat b>\n<no pet c>\n<last:one:two>\nend 4\n",
  ],
  ["perl -p", "s/a/A/g;", "A cAt b\nno pet c\n\nlAst:one:two\n"],
  ["perl -p", '}{ $_ = "$.\\n"', "4\n"],
  ["perl -lp", '$_ .= "!";\n\n=pod\n\ntext\n', "a cat b!\nno pet c!\n!\nlast:one:two!\n"],
  ["/usr/bin/env perl -lan", 'print join "|", @F;', "a|cat|b\nno|pet|c\n\nlast:one:two\n"],
  ["perl -F:", 'print $F[1], "\\n" if @F > 1', "one\n"],
  ["perl -w -F/[:\\s]/ -l", "use strict; our @F; print scalar @F;", "3\n3\n0\n3\n"],
  ["perl -F, -a", "print scalar @F", "1111"],
  ["perl -0777 -n", "print length;", "31"],
  ["perl -gn", "print length;", "31"],
  ["perl -00n", 'print "P:$_";', "P:a cat b\nno pet c\n\nP:last:one:two\n"],
  ["perl -l -0040 -n", 'print "[$_]";', "[a]\n[cat]\n[b\nno]\n[pet]\n[c\n\nlast:one:two\n]\n"],
  ["perl -0x6f -n", "print '.' if /t/", "..."],
  ["perl -l041", 'print 1; print "$/";', "1!\n!"],
  ["perl -n", "next LINE if /cat/; print; __END__\njunk", "no pet c\n\nlast:one:two\n"],
  ["perl -n", "my $x = 5; $n += $x; END { print $n }", "20"],
  ["perl -nl", "BEGIN { print 'first' } last if /pet/; print", "first\na cat b\n"],
  ["perl -i.bak -n", "print if $. == 1", "a cat b\n"],
  ["perl -Ilib -s", "print $INC[0], scalar @ARGV", "lib0"],
  ["perl -W", "print $^W", "1"],
  ["perl -T", "print 'runs'", "runs"],
  ["perl - -n", "print 1", "1111"],
  ["perl", "print 'none'", "none"],
];

/** First lines that no program can have, and the message. */
const REFUSED: readonly (readonly [switches: string, message: string])[] = [
  ["-e", "Can't emulate -e on #! line at main.pl line 1."],
  ["-lne", "Can't emulate -e on #! line at main.pl line 1."],
  ["-Mstrict -w", 'Too late for "-Mstrict" option at main.pl line 1.'],
  ["-w -CS", 'Too late for "-CS" option at main.pl line 1.'],
  ["-z", "Unrecognized switch: -z  (-h will show valid options) at main.pl line 1."],
  ["-d", "-d on the first line has no meaning here: there is no debugger at main.pl line 1."],
  [
    "-c",
    "-c on the first line has no meaning here: a program cannot be checked without running it at main.pl line 1.",
  ],
  ['-M"$x@{[exit]}', 'Too late for "-M"$x@{[exit]}" option at main.pl line 1.'],
];

Deno.test("perl switches: the first line changes the output as in `perl FILE`", async () => {
  for (const [switches, code, out] of PRINTS) {
    const ran = await run(`#!${switches}\n${code}`, { stdin: INPUT });
    assertEquals(
      [ran.out, ran.ending.kind === "error"],
      [out, false],
      `${switches}: ${brief(ran)}`,
    );
  }
});

Deno.test("perl switches: an unsupported switch is an error before the program runs", async () => {
  for (const [switches, message] of REFUSED) {
    const ran = await run(`#!perl ${switches}\nBEGIN { print 1 } print 2`, { stdin: INPUT });
    assertEquals([ran.out, brief(ran)], ["", `Error: ${message}`], switches);
  }
});

Deno.test("perl switches: errors name the program's own lines", async () => {
  const ran = await run('#!perl -nl\n\ndie "bad" if $. == 2; print', { stdin: INPUT });
  assertEquals(
    [ran.out, brief(ran)],
    ["a cat b\n", "Error: bad at main.pl line 3, <> line 2."],
  );
  assertEquals(ran.ending.kind === "error" && ran.ending.error.lineNumber, 3);
  assertEquals(
    brief(await run("#!perl -wl\nuse strict;\nprint $x;")).split("\n")[0],
    'Error: Global symbol "$x" requires explicit package name (did you forget to declare "my $x"?) at main.pl line 3.',
  );
});

Deno.test("perl switches: in a context they last for their program", async () => {
  const engine = await newEngine();
  assertEquals(next(engine, "#!perl -l\nprint 1; our $kept = 2;").out, "1\n");
  assertEquals(next(engine, "print $kept, 3;").out, "23");
  assertEquals(
    next(engine, '#!perl -ln\nprint "<$_>"; $kept++', { stdin: "a\nb\n" }).out,
    "<a>\n<b>\n",
  );
  assertEquals(next(engine, "print $kept, defined $\\ ? 1 : 0;").out, "40");
});
