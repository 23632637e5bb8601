/** How Perl programs read standard input; the outcomes are those of the native interpreter. */
import type { InputCase } from "./input_case.ts";

/** The programs. */
export const PERL_CASES: readonly InputCase[] = [
  {
    name: "the whole",
    code: 'local $/; my $x = <STDIN>; $x =~ s/\\r/R/g; print "[$x]"',
    stdin: "a\nb\r\nc\rd",
    stdout: "[a\nbR\ncRd]",
  },
  {
    name: "by line, chomped",
    code: 'while (my $l = <STDIN>) { chomp $l; print "$.:$l;" }',
    stdin: "one\ntwo\nthree",
    stdout: "1:one;2:two;3:three;",
  },
  {
    name: "list of lines",
    code: 'my @l = <STDIN>; print scalar(@l), "[@l]"',
    stdin: "one\ntwo\nthree",
    stdout: "3[one\n two\n three]",
  },
  {
    name: "line, then the end",
    code:
      "my $a = <STDIN>; my $b = <STDIN>; print $a, defined $b ? 'more' : 'end', defined <STDIN> ? 1 : 0",
    stdin: "x",
    stdout: "xend0",
  },
  {
    name: "the diamond",
    code: 'while (<>) { chomp; print "$.$_,$ARGV;" }',
    stdin: "one\ntwo\nthree",
    stdout: "1one,-;2two,-;3three,-;",
  },
  {
    name: "the double diamond",
    code: "while (<<>>) { print uc }",
    stdin: "one\ntwo\nthree",
    stdout: "ONE\nTWO\nTHREE",
  },
  {
    name: "the diamond, twice",
    code: "my $first = <>; my @rest = <>; print $first, '|', @rest, '|', scalar(@ARGV)",
    stdin: "one\ntwo\nthree",
    stdout: "one\n|two\nthree|0",
  },
  {
    name: "chomp(my $x = <STDIN>)",
    code:
      "print 'name? '; chomp(my $n = <STDIN>); chomp(my $m = <STDIN> // 'none'); print \"[$n][$m]\\n\"",
    stdin: "Ada\n",
    stdout: "name? [Ada][none]\n",
  },
  {
    name: "getc",
    code:
      "my $s = ''; while (defined(my $c = getc STDIN)) { $s .= ord($c) . ' ' } print $s, defined(getc) ? 1 : 0",
    stdin: "a\u00e9\n\u0000",
    stdout: "97 195 169 10 0 0",
  },
  {
    name: "getc without a handle",
    code: "print getc, getc, ' ', <STDIN>",
    stdin: "abc",
    stdout: "ab c",
  },
  {
    name: "read and sysread",
    code:
      'my ($a, $b); my $n = sysread STDIN, $a, 3; my $m = sysread STDIN, $b, 100; my $e = sysread STDIN, my $c, 10; print "$n$a $m$b $e"',
    stdin: "abcdef",
    stdout: "3abc 3def 0",
  },
  {
    name: "read with an offset",
    code:
      "my $b = 'xy'; my $n = read STDIN, $b, 3, 2; my $m = read STDIN, $b, 100; my $z = read STDIN, $b, 10; print \"$n $m $z [$b]\"",
    stdin: "abcdef",
    stdout: "3 3 0 []",
  },
  {
    name: "eof",
    code:
      "print eof(STDIN) ? 1 : 0; my @l; until (eof STDIN) { push @l, scalar <STDIN> } print scalar(@l), eof(STDIN) ? 1 : 0, eof() ? 1 : 0",
    stdin: "one\ntwo\nthree",
    stdout: "0311",
  },
  {
    name: "eof with the diamond",
    code: "while (<>) { print $_; print 'last' if eof() }",
    stdin: "one\ntwo\nthree",
    stdout: "one\ntwo\nthreelast",
  },
  {
    name: "layers",
    code:
      "binmode STDIN, ':encoding(UTF-8)'; binmode STDOUT, ':utf8'; my $x = <STDIN>; print length($x), $x",
    stdin: "\u00e9\ud834\udd1e\n",
    stdout: "3\u00e9\ud834\udd1e\n",
  },
  {
    name: "use open",
    code: "use open qw(:std :utf8); my $x = <STDIN>; print length($x), $x",
    stdin: "\u00e9\ud834\udd1e\n",
    stdout: "3\u00e9\ud834\udd1e\n",
  },
  {
    name: "bytes without a layer",
    code: "my $x = <STDIN>; print length $x",
    stdin: "\u00e9\ud834\udd1e",
    stdout: "6",
  },
  {
    name: ":crlf",
    code: "binmode STDIN, ':crlf'; print join '|', map { s/\\r/R/r } <STDIN>",
    stdin: "a\r\nb\r\n",
    stdout: "a\n|b\n",
  },
  {
    name: "binmode",
    code: "binmode STDIN; print join '|', map { s/\\r/R/r } <STDIN>",
    stdin: "a\r\nb\r\n",
    stdout: "aR\n|bR\n",
  },
  {
    name: "records",
    code: "local $/ = \\2; print join '|', <STDIN>",
    stdin: "abcde",
    stdout: "ab|cd|e",
  },
  {
    name: "paragraphs",
    code: "local $/ = ''; print join '|', <STDIN>",
    stdin: "a\nb\n\n\nc\n",
    stdout: "a\nb\n\n|c\n",
  },
  {
    name: "another separator",
    code: "local $/ = ';'; my @x = <STDIN>; chomp @x; print \"@x\"",
    stdin: "a;b;c",
    stdout: "a b c",
  },
  {
    name: "the device",
    code:
      "open my $f, '<', '/dev/stdin' or die; print <$f>; close $f; print defined(<STDIN>) ? 1 : 0",
    stdin: "a\nb",
    stdout: "a\nb0",
  },
  {
    name: "a dash",
    code: "open my $f, '-' or die; print <$f>",
    stdin: "a\nb",
    stdout: "a\nb",
  },
  {
    name: "a duplicate",
    code: "open my $f, '<&', \\*STDIN or die; print <$f>",
    stdin: "a\nb",
    stdout: "a\nb",
  },
  {
    name: "an alias",
    code: "open my $f, '<&=', 0 or die; print <$f>",
    stdin: "a\nb",
    stdout: "a\nb",
  },
  {
    name: "methods",
    code:
      "use IO::Handle; print STDIN->getline, '|', STDIN->getc, '|', STDIN->getlines, '|', STDIN->eof ? 1 : 0, STDIN->opened ? 1 : 0, STDIN->fileno",
    stdin: "one\ntwo\nthree",
    stdout: "one\n|t|wo\nthree|110",
  },
  {
    name: "what it is",
    code:
      "print -t STDIN ? 1 : 0, -e STDIN ? 1 : 0, fileno(STDIN), join ',', PerlIO::get_layers(STDIN)",
    stdin: "x",
    stdout: "010unix,perlio",
  },
  {
    name: "it does not seek",
    code: "print seek(STDIN, 0, 0) ? 1 : 0, $! + 0",
    stdin: "x",
    stdout: "029",
  },
  {
    name: "select",
    code: "my $r = ''; vec($r, 0, 1) = 1; print scalar(select $r, undef, undef, 5), vec($r, 0, 1)",
    stdin: "x",
    stdout: "11",
  },
  {
    name: "IO::Select",
    code:
      "use IO::Select; my $s = IO::Select->new(\\*STDIN); print scalar($s->can_read(1)) ? 'r' : 'n'; print <STDIN>",
    stdin: "x",
    stdout: "rx",
  },
  {
    name: "reopened",
    code: "close STDIN; open STDIN, '<', \\\"mine\\n\" or die; print <STDIN>",
    stdin: "given",
    stdout: "mine\n",
  },
  {
    name: "numbers, as contests read them",
    code:
      "chomp(my $n = <STDIN>); my $s = 0; for (1 .. $n) { my @f = split ' ', <STDIN>; $s += $_ for @f } print $s",
    stdin: "2\n1 2\n3 4\n",
    stdout: "10",
  },
  {
    name: "readline",
    code: "print readline(STDIN); print readline(*STDIN) // 'end'",
    stdin: "x\n",
    stdout: "x\nend",
  },
  {
    name: "warnings tell the line",
    code:
      "local $SIG{__WARN__} = sub { print $_[0] =~ /(<STDIN> line \\d+)/ }; my $x = <STDIN>; warn 'here'",
    stdin: "x\ny\n",
    stdout: "<STDIN> line 1",
  },
  {
    name: "END blocks read what is left",
    code: "print scalar <STDIN>; END { print 'end:', <STDIN> }",
    stdin: "a\nb\n",
    stdout: "a\nend:b\n",
  },
  {
    name: "BOM, NUL and astral text",
    code: "local $/; print join ' ', map { ord } split //, <STDIN>",
    stdin: "\ufeffa\u0000\ud83d\ude00",
    stdout: "239 187 191 97 0 240 159 152 128",
  },
];
