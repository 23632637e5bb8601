#!/usr/bin/perl
use strict;
use warnings;
use feature qw(say state);

# inventory system with text report, as one asks a model for
my %inventory = (
    widget => { price => 9.99,  stock => 100, tags => [qw(small blue)] },
    gadget => { price => 24.5,  stock => 15,  tags => [qw(large)] },
    doohickey => { price => 4.25, stock => 0, tags => [] },
);
sub total_value { my $total = 0; $total += $_->{price} * $_->{stock} for values %inventory; return $total }
printf "%-12s %8s %6s  %s\n", qw(Item Price Stock Tags);
say '-' x 40;
for my $item (sort { $inventory{$b}{price} <=> $inventory{$a}{price} } keys %inventory) {
    my $i = $inventory{$item};
    printf "%-12s %8.2f %6d  %s\n", $item, @{$i}{qw(price stock)}, join(', ', @{ $i->{tags} }) || '(none)';
}
printf "Total: %.2f\n", total_value();
my @low = grep { $inventory{$_}{stock} < 20 } sort keys %inventory;
say "Low stock: @low";
delete $inventory{doohickey} unless $inventory{doohickey}{stock};
say join ', ', sort keys %inventory;
sub next_id { state $id = 100; return $id++ } say join ' ', map { next_id() } 1 .. 3;
my @matrix = ([1, 2, 3], [4, 5, 6]);
my @t; for my $r (0 .. $#matrix) { $t[$_][$r] = $matrix[$r][$_] for 0 .. $#{ $matrix[$r] } }
say join ' ', @$_ for @t;
my ($first, @rest) = (1, 2, 3); say "$first|@rest"; my ($p, $q) = @{ { p => 1, q => 2 } }{qw(p q)}; say $p + $q;
my %merged = (%{ { a => 1, b => 2 } }, b => 3); say join ',', map { "$_=$merged{$_}" } sort keys %merged;
my %inverse = reverse %merged; say $inverse{3}; my @uniq = sort keys %{ { map { $_ => 1 } qw(b a b) } }; say "@uniq";
say join ' ', map { $_ % 15 ? $_ % 5 ? $_ % 3 ? $_ : 'Fizz' : 'Buzz' : 'FizzBuzz' } 1 .. 15;
my $i = 0; { $i++; redo if $i < 3 } say $i; OUTER: for my $x (1 .. 3) { for my $y (1 .. 3) { next OUTER if $y == 2; last OUTER if $x == 3; print "$x$y " } } print "\n";
do { $i-- } while ($i > 0); say $i; until ($i >= 2) { $i++ } continue { print "c$i " } print "\n"; say for grep { !($_ & 1) } 1 .. 6; my @copy = @matrix[1, 0]; say $copy[0][0]; say "exists" if exists $matrix[1] && !exists $matrix[5]; say scalar(@matrix), $#matrix; my @spl = (1 .. 10); my @cut = splice @spl, 2, 3, 'a', 'b'; say "@cut | @spl"; say join ',', (1) x 3, ('a', 'b') x 2; my ($min, $max) = (sort { $a <=> $b } 5, 2, 8)[0, -1]; say "$min $max"; my @e = each @{ ['x'] }; say "@e"; say "@{[ %merged{'a'} ]}"; my %only = (only => 1); while (my ($k, $v) = each %only) { say "$k=$v" } local ($,, $\) = ('-', "!\n"); print 1, 2, 3;
