use strict; use warnings;
my %memo;
sub fib { my $n = shift; return $memo{$n} //= $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
print join(", ", map { fib($_) } 0 .. 40), "\n";
