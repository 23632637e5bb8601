use bigint; print 2 ** 64, " ", 9999999999999999 + 1, " ", 7 / 2, "\n"; my $n = 1; $n *= $_ for 1 .. 25; print "$n\n"; { no bigint; print 7 / 2, "\n" }
