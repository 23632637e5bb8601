import { assertEquals } from "@std/assert";
import { scanProgram } from "../../../../runtimes/languages/perl/host/source/scan.ts";
import { prepareProgram } from "../../../../runtimes/languages/perl/host/source/prepare.ts";

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
  ["my $r = qr\\x\\; print 'a'", "print", "$r"],
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
  ["my %s; $s{1}++; print 'x';", "print", "%s"],
  ["our %y = (1, 2); my %m; my %tr = %y; print 'x'", "print", "%m %tr"],
  ["my @u = do { my %s; grep { !$s{$_}++ } qw(a b) }; print 'x'", "print", "@u"],
  ["my %h; delete local $h{a}; say scalar keys %h; exists &s; print 'x'", "print", "%h"],
  ["my $q = $r %3 % 2; my $w = $o->n % $q; my $v = f() % 4 / 2; print 'x'", "print", "$q $w $v"],
];

Deno.test("perl scan: the last statement and the variables of the file", () => {
  for (const [code, last, names = ""] of CASES) {
    const found = scanProgram(code);
    const wanted = code.startsWith("state") ? "$s $alias $d" : names;
    assertEquals([code, found.last, found.names.join(" ")], [code, last, wanted]);
    assertEquals(found.end, code.length, code);
  }
});

/** Statements that announce a here-document, and the line that ends it. */
const ANNOUNCING: readonly (readonly [code: string, end?: string])[] = [
  ["print STDOUT <<E;"],
  ["print STDERR << 'E';"],
  ["print(STDERR <<E);"],
  ["print $fh <<E;"],
  ["print($fh <<E);"],
  ["print {$fh} <<E;"],
  ["print {*STDOUT} <<E . <<'F';", "E\nF"],
  ["printf STDERR <<E, 5;"],
  ["say STDERR <<~E;", "  E"],
  ["f <<E;"],
  ['Foo::bar <<"E", 2;'],
  ["$o->m(<<E);"],
  ["my %h = (a => <<E, b => { c => <<F });", "E\nF"],
  ["push @l, map { $_ } <<E;"],
  ["my $r = $x / 2 || <<\\E;"],
  ["return <<E if $x < 3;"],
  ["die <<E unless 1 << 3;"],
  ["print `<<E`, <<`E`;"],
  ["print <<1, 2;", "1"],
  ["print <<ñandú;", "ñandú"],
  ["print <<E . 'of two", "E\nlines';"],
  ["print <<E, qw(a", "E\nb);"],
  ['print "@{[ <<E ]}";'],
  ["s/x/<<E/e;"],
  ["if (1) { } print <<E;"],
];

const BODIES = ["__END__", "=pod", "=head1 x\n\n__DATA__", "if (x) {", "it's \"", "my $no = 1; /"];

Deno.test("perl scan: a here-document of any form is not code", () => {
  for (const [code, end = "E"] of ANNOUNCING) {
    for (const body of BODIES) {
      const program = `${code}\n${body}\n${end}\nmy $v = 5;\nscalar $v`;
      const { end: at, names, last } = scanProgram(program);
      assertEquals([program, at, names.at(-1), last], [program, program.length, "$v", "scalar"]);
    }
  }
});

Deno.test("perl scan: a shift does not announce a here-document", () => {
  const shifts = [
    "1 <<E",
    "$x <<E",
    "f(1) <<E",
    "$h{a} <<E",
    "$l[0]<<E",
    "@{$l} <<E",
    "print $x<<E",
  ];
  for (const shift of [...shifts, "print $x << E", "$o->m <<E", "print <<F", "f <<F"]) {
    const program = `${shift};\nmy $v = 5;\nE\n;scalar $v`;
    assertEquals([shift, ...scanProgram(program).names], [shift, "$v"]);
  }
});

Deno.test("perl scan: a line that begins with = is POD where a statement may begin", () => {
  const cases: readonly (readonly [code: string, names: string])[] = [
    ["my $x\n=begin();\nmy $y;", "$x $y"],
    ["$h{x}\n=item(1);\nmy $y;", "$y"],
    ["my $x;\n=begin\n\nmy $no;\n\n=cut\n\nmy $y;", "$x $y"],
    ["if (1) {\n=pod\n\nit's\n\n=cut\n\n} my $y;", "$y"],
    ["LOOP:\n=for x\n\nit's\n\n=cut\n\nmy $y;", "$y"],
    ["my $x;\n=cut\n\nmy $no;\n\n=cut\nmy $y;", "$x $y"],
  ];
  for (const [code, names] of cases) {
    const found = scanProgram(code);
    assertEquals([code, found.names.join(" "), found.end], [code, names, code.length]);
  }
});

Deno.test("perl scan: quotations end where Perl ends them", () => {
  const cases = [
    "if (1) { } /it's/ and 1;",
    "if (1) { if (2) { } /it's/ and 1 }",
    "my @w = grep { $_ } split /'/; $x{a} / 2; 1 / 2;",
    "{ s,',\\',g } y=a'=b'=; s;';x;;",
    "print qq'{'; print qx'{';",
    "$x->@* / 2; $x->$#* / 3; 1;",
    "sub s { 1 } &s(1); $h{y}{s} = { q => 1, m => 2 }; $o->y(1);",
    "do { 1 } / 2; eval { 1 } / 2; 1;",
    "for my $x (1) { } /'/; for $h{x} (1) { }",
    "my $f = sub :prototype($$) { 1 }; my ($g) = $(; $) = 1;",
    "package Foo 1.23 { } /'/;",
  ];
  for (const code of cases) {
    const found = scanProgram(`${code}\nmy $v;\n__END__\n`);
    assertEquals([code, found.names.at(-1), found.data?.package], [code, "$v", "main"]);
  }
});

Deno.test("perl scan: data begin after __END__ or __DATA__ and belong to main or to the package", () => {
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

Deno.test("perl scan: any text is read to its end, in bounded time", () => {
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
    "<<~A",
    '<<"',
    "${",
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
