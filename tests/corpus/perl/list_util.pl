use strict; use warnings;
use List::Util qw(sum sum0 max min first reduce shuffle any all none uniq maxstr minstr product pairs pairkeys pairvalues);
print sum(1 .. 10), " ", sum0(), " ", max(3, 9, 2), " ", min(3, 9, 2), " ", product(1 .. 5), "\n";
print first { $_ > 3 } (1, 5, 2, 8); print "\n", reduce { $a * $b } 1 .. 6; print "\n"; print((any { $_ == 2 } 1, 2, 3) ? "any" : "none", "\n");
print((all { $_ > 0 } 1, 2) ? "all\n" : "not all\n"); print join(',', uniq(1, 1, 2, 3, 3)), " ", maxstr('a', 'c', 'b'), "\n";
print join(';', map { "$_->[0]=$_->[1]" } pairs(a => 1, b => 2)), " ", join(',', pairkeys(a => 1, b => 2)), "\n"; my @s = shuffle(1 .. 10); print scalar(@s), " ", sum(@s), "\n";
