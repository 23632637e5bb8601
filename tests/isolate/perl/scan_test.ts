import { assertEquals } from "@std/assert";
import { scanProgram } from "../../../runtimes/isolate/perl/source/scan.ts";
import { prepareProgram } from "../../../runtimes/isolate/perl/source/prepare.ts";

/** Programs, what their last statement begins with, and the file's variables. */
const CASES: readonly (readonly [code: string, last: string, names?: string])[] = [
  ['print "a"', "print"],
  ["my $x = 5;\n$x * 2;\nsub f { print }\n", "$", "$x"],
  ["my ($a, undef, @b, %c) = (1); if ($a) { my $in } else { 5 }", "if", "$a @b %c"],
  ["for my $i (1 .. 3) { my $z } while (my $l = 1) { }", "while"],
  ["my $h = {s => 1, y => 2, q => 3}; $h->{s} / 2; # print\n", "$", "$h"],
  ["my $t = <<\"A\" . <<'B';\nprint ;\nA\n__END__\nB\nlength $t", "length", "$t"],
  ["my $t = <<~E;\n  print;\n  E\nprint $t", "print", "$t"],
  ["=pod\n\nmy $q;\n\n=cut\n\nsay 'x';", "say"],
  [
    "use constant {A => 1};\nmy $r = A / 2; my @l = split /;/, 'a;b';\nscalar @l",
    "scalar",
    "$r @l",
  ],
  ["do { 1 } while ($i++ < 3); @a", "@"],
  ["sub p($$;@) { } sub q2($x, $y = 1) { } p(1, 2)", "p"],
  ["my %h = (a => 1); $h{q} = ';'; $h{y}++; print map { \"$_;\" } keys %h;", "print", "%h"],
  ["LOOP: for (1) { last LOOP }\nprint 'x'", "print"],
  ["format STDOUT =\n@<<< it's;\n$a\n.\nwrite; 5", "5"],
  ["print 'x' if $#{$a} > 1; $#a", "$"],
  ["BEGIN { print 1 } 5; END { print 2 }", "5"],
  ["my $s = q{a;{b};}; $s =~ tr/a-z;//cd; $s =~ m#x;y#; $s =~ s{;}{';'}ge; $s", "$", "$s"],
  ["my $x = sub { print; }; $x->();", "$", "$x"],
  ["print(<<~EOT);\n  a;\n  EOT\nexit 0;", "exit"],
  ["$x{'a'}{b}[1] / 3; '/'; 5", "5"],
  ["my $n = $x / 2; # it's\nmy $m = $y / 3;\nprint 1", "print", "$n $m"],
  ["state $s = 1; our $o; my \\$alias = \\$s; my Dog $d;", "my", "$s $d"],
  ["package Foo { sub x { } } class Bar { } Foo::x()", "Foo::x"],
  ["if (1) { } # else\nelsif (2) { } else { } 4", "4"],
  ["my $re = qr/[;}]/; my @w = grep { !/;/ } @x; print 'x'", "print", "$re @w"],
  ["use feature 'say'; say for 1 .. 3;", "say"],
  ["my $s = shift // 'n/a'; my $t = $_ // 1; my $u = undef // '/'; say 1", "say", "$s $t $u"],
  ["my $s //= 2; $s /= 2; my $b = 1 << 3; my $c = $b ** 2 / 4; print 1", "print", "$s $b $c"],
  ["my $x = 1 if $a && $b || !/x/ .. /;/; my @l = (1) x 3; $x->{y} // 7; 5", "5", "$x @l"],
  ["my $häß = 1; $häß", "$", "$häß"],
];

Deno.test("perl scan: the last statement and the variables of the file", () => {
  for (const [code, last, names = ""] of CASES) {
    const found = scanProgram(code);
    const wanted = code.startsWith("state") ? "$s $alias $d" : names;
    assertEquals([code, found.last, found.names.join(" ")], [code, last, wanted]);
    assertEquals(found.end, code.length, code);
  }
});

Deno.test("perl scan: where the data of a program begin, and who reads them", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["print 1;\n__END__\nabc\n", "print 1;\n", "abc\n", "main"],
    ["package Foo;\n1;\n__DATA__\nabc", "package Foo;\n1;\n", "abc", "Foo"],
    ["package Foo;\n1;\n__END__\nabc", "package Foo;\n1;\n", "abc", "main"],
    ["package Foo { }\n__DATA__\nx", "package Foo { }\n", "x", "main"],
    ["my $t = '\n__END__\n'; 1", "my $t = '\n__END__\n'; 1", "", ""],
    ["=pod\n\n__END__\n\n=cut\n1", "=pod\n\n__END__\n\n=cut\n1", "", ""],
    ["1;\n__END__", "1;\n", "", "main"],
  ];
  for (const [code, body, data, reader] of cases) {
    const { end } = scanProgram(code);
    const program = prepareProgram(code);
    assertEquals([code.slice(0, end), program.data, program.dataPackage], [body, data, reader]);
  }
});

Deno.test("perl scan: anything at all is read to its end, in time", () => {
  const pieces = [
    "{",
    "}",
    "'",
    '"',
    "/",
    "<<A",
    "\n",
    "q(",
    "s{",
    "=pod",
    "$",
    "#",
    "__END__",
    "(",
    ";",
    "my (",
  ];
  let seed = 12_345;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  for (let i = 0; i < 2_000; i++) {
    const code = Array.from({ length: 12 }, () => pieces[Math.floor(random() * pieces.length)])
      .join("");
    const { end } = scanProgram(code);
    assertEquals(end >= 0 && end <= code.length, true, `seed 12345, case ${i}`);
  }
  for (const piece of pieces) scanProgram(piece.repeat(60_000 / piece.length));
});
