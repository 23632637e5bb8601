use strict; use warnings;
my $max = 200; my @composite;
for my $i (2 .. $max) {
    next if $composite[$i];
    print "$i ";
    for (my $j = $i * $i; $j <= $max; $j += $i) { $composite[$j] = 1 }
}
print "\n";
