use strict; use warnings; print "output before\n"; sub risky { my $n = shift; die "negative: $n\n" if $n < 0; sqrt $n } print risky(9), "\n"; print risky(-1), "\n"; print "never\n";
