use strict; use warnings;
my @n = (10, 9, 2, 33, 1); print "@{[sort @n]} | @{[sort { $a <=> $b } @n]} | @{[reverse sort { $a <=> $b } @n]}\n";
my @recs = map { { name => $_->[0], age => $_->[1] } } (['Bob', 25], ['Alice', 30], ['Carl', 25]);
print join(' ', map { "$_->{name}:$_->{age}" } sort { $a->{age} <=> $b->{age} or $a->{name} cmp $b->{name} } @recs), "\n";
my @st = map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [length, $_] } qw(pear fig banana kiwi); print "@st\n";
sub by_num { $a <=> $b } print join(',', sort by_num 3, 1, 2), "\n"; my $desc = sub { $b cmp $a }; print join(',', sort $desc qw(b c a)), "\n";
my %h = (x => 3, y => 1, z => 2); print join(' ', sort { $h{$a} <=> $h{$b} } keys %h), "\n"; my @uniq = do { my %s; grep { !$s{$_}++ } qw(a b a c b) }; print "@uniq\n";
