import { createPerlEngine } from "../../runtimes/languages/perl/create.ts";
import { builtIsolate } from "../support/built.ts";
import { testEngine } from "./conformance.ts";

testEngine({
  language: "perl",
  makeEngine: async () => {
    const { artifact } = await builtIsolate("perl");
    return await createPerlEngine(artifact);
  },
  programs: {
    bothStreams: 'print "out\\n"; print STDERR "err\\n";',
    noNewline: 'print "no newline";',
    endlessOutput: 'print "first\\n"; print "x\\n" while 1;',
    number: "6 * 7",
    container: '+{ a => 1, b => [1, "x"] }',
    nothing: "undef",
    longText: '"x" x 5000',
    exception: { code: "\n\ndie 'bad thing'", name: "Error" },
    syntaxError: { code: "my $x = 1;\nmy $y = = 2;\n", name: "Error" },
    endlessLoop: "1 while 1",
    endlessCatch: "while (1) { eval { 1 while 1; 1 } or next; }",
    memoryHog: "my @held; push @held, 'x' x 1_000_000 while 1;",
    deepRecursion: "no warnings; sub f { my $n = shift; return f($n + 1) + 1 } f(0)",
    sleep: "sleep 5; 1",
    longSleep: "sleep 3600; 1",
    random: "rand()",
    environment: 'print $ENV{BELLJAR_TEST} // "none", "\\n";',
    define: "our $kept = 1; 0",
    isUndefined: "no strict; defined $main::kept ? 0 : 1",
    exitZero: 'exit 0; print "after\\n";',
    exitThree: "exit 3",
    work: "my %o; $o{$_} = [$_] for 1 .. 500; join ',', sort keys %o",
  },
});
