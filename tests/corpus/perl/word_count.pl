use strict; use warnings;
my %count;
while (my $line = <DATA>) {
    $count{lc $_}++ for $line =~ /\w+/g;
}
printf "%-10s %3d\n", $_, $count{$_} for sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
__DATA__
The quick brown fox jumps over the lazy dog.
The dog barks; the fox runs away. Quick, quick!
