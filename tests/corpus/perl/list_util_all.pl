#!/usr/bin/perl
use strict;
use warnings;
use List::Util qw(reduce reductions first any all none notall min max minstr maxstr sum sum0 product
    shuffle uniq uniqnum uniqint uniqstr head tail zip mesh pairs unpairs pairkeys pairvalues pairmap
    pairgrep pairfirst sample);

my @n = (3, 1, 4, 1, 5, 9, 2, 6);
print "reduce: ", (reduce { $a * $b } @n), "\n";
print "reductions: ", join(',', reductions { $a + $b } @n), "\n";
print "first: ", (first { $_ > 3 } @n), "\n";
printf "any %d all %d none %d notall %d\n", (any { $_ == 9 } @n) ? 1 : 0, (all { $_ > 0 } @n) ? 1 : 0,
    (none { $_ > 9 } @n) ? 1 : 0, (notall { $_ > 1 } @n) ? 1 : 0;
print join(' ', min(@n), max(@n), minstr(qw(pear apple fig)), maxstr(qw(pear apple fig))), "\n";
print join(' ', sum(@n), sum0(), product(@n), product()), "\n";
print join(',', uniq(qw(a b a c b))), ' ', scalar(uniq(1, 1, 2)), "\n";
print join(',', uniqnum(1, '1.0', 2, '2', 3)), ' ', join(',', uniqint(1, 1.9, 2)), ' ', join(',', uniqstr('a', 'a')), "\n";
print join(',', head(3, @n)), ' ', join(',', tail(2, @n)), ' ', join(',', head(-2, @n)), "\n";
print join(' ', map { "[@$_]" } zip [1, 2, 3], ['a', 'b', 'c']), "\n";
print join(' ', mesh [1, 2], ['x', 'y']), "\n";
my %h = (one => 1, two => 2, three => 3);
my @sorted = map { $_, $h{$_} } sort keys %h;
print join(',', map { $_->key . '=' . $_->value } pairs @sorted), "\n";
print join(',', pairkeys @sorted), ' ', join(',', pairvalues @sorted), "\n";
print join(',', pairmap { "$a-$b" } @sorted), ' ', join(',', pairgrep { $b > 1 } @sorted), "\n";
print join(',', unpairs [a => 1], [b => 2]), ' ', join(',', pairfirst { $b == 2 } @sorted), "\n";
my @shuffled = shuffle @n;
print scalar(@shuffled), ' ', join(',', sort { $a <=> $b } @shuffled), "\n";

