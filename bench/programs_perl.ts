/**
 * Perl programs for measuring the engine against a native perl: each works for some tens of
 * milliseconds in another part of the interpreter.
 *
 * @module
 */

/** Name → source. The last expression is a check value. */
export const PERL_PROGRAMS: Readonly<Record<string, string>> = {
  "integer loop": "my $s = 0; for my $i (0 .. 400_000) { $s = ($s + $i * 7) & 0xffff } $s",
  "floating point":
    "my $x = 0; for my $i (1 .. 200_000) { $x += sqrt($i) / ($i + 1) } sprintf '%.6f', $x",
  "function calls": "sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) } fib(20)",
  "objects": `package Point { sub new { my ($class, %of) = @_; bless {%of}, $class }
      sub x { $_[0]{x} } sub moved { Point->new(x => $_[0]->x + 1, y => $_[0]{y}) } }
    my $p = Point->new(x => 0, y => 2); $p = $p->moved for 1 .. 30_000; $p->x`,
  "strings": `my $t = ''; $t .= chr(97 + $_ % 26) for 1 .. 100_000; my $c = 0;
    $c += length uc for split /e/, $t; $c . reverse substr $t, 0, 9`,
  "hashes": `my %m; $m{'k' . $_ % 997} += $_ for 1 .. 120_000;
    my $s = 0; $s += $m{$_} * length for sort keys %m; $s`,
  "sort": `my $r = 1; my @a = map { $r = $r * 16807 % 2147483647 } 1 .. 40_000;
    my @s = sort { $a <=> $b } @a; my @t = sort map { "n$_" } @a; $s[777] . $t[777]`,
  "sieve": `my $n = 200_000; my @p = (1) x ($n + 1); my $c = 0;
    for my $i (2 .. $n) { next unless $p[$i]; $c++;
      for (my $j = $i * $i; $j <= $n; $j += $i) { $p[$j] = 0 } } $c`,
  "regular expressions": `my $s = 'lorem ipsum 2024-05-17 dolor 1999-12-31 sit ' x 2_000;
    my $n = () = $s =~ /(\\d{4})-(\\d\\d)-(\\d\\d)/g; (my $v = $s) =~ s/[aeiou]//g;
    my %w; $w{$1}++ while $s =~ /\\b(\\w+)\\b/g; $n + length($v) + keys %w`,
  "matrix product": `my $n = 45; my @a = map { my $i = $_; [map { $i + $_ } 1 .. $n] } 1 .. $n;
    my @c; for my $i (0 .. $n - 1) { for my $j (0 .. $n - 1) { my $s = 0;
      $s += $a[$i][$_] * $a[$_][$j] for 0 .. $n - 1; $c[$i][$j] = $s } } $c[7][9]`,
};
