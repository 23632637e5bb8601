use strict; use warnings;
my %staff = (alice => { age => 30, langs => [qw(perl c)] }, bob => { age => 25, langs => ['java'] });
$staff{carol}{age} = 41; push @{ $staff{carol}{langs} }, 'go', 'rust';
for my $name (sort keys %staff) {
    printf "%s (%d): %s\n", ucfirst $name, $staff{$name}{age}, join '/', @{ $staff{$name}{langs} };
}
delete $staff{bob}; print exists $staff{bob} ? "there" : "gone", "\n";
print "no autoviv\n" unless exists $staff{zed};
my @old = grep { $staff{$_}{age} > 30 } keys %staff; print "@old\n";
