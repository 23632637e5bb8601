#!/usr/bin/env perl
use strict;
use warnings;
use List::Util   qw(sum max min reduce first uniq shuffle any all none pairs pairmap sum0 product);
use Scalar::Util qw(looks_like_number blessed reftype weaken dualvar readonly);
use POSIX        qw(floor ceil fmod);

my $csv = do { local $/; <DATA> };

sub parse_line {
    my ($line) = @_;
    my @fields;
    while ( $line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g ) {
        my $f = defined $1 ? $1 =~ s/""/"/gr : $2;
        push @fields, $f;
        last if pos($line) >= length $line;
    }
    return @fields;
}
my ( $header, @lines ) = split /\n/, $csv;
my @cols = parse_line($header);
my @rows = map { my %r; @r{@cols} = parse_line($_); \%r } grep { /\S/ } @lines;
printf "%d rows, columns: %s\n", scalar @rows, join '/', @cols;
my %group;
for my $r (@rows) {
    unless ( looks_like_number( $r->{amount} ) ) {
        warn "skipping $r->{name}: '$r->{amount}'\n";
        next;
    }
    push @{ $group{ $r->{region} } }, $r;
}
for my $g ( sort keys %group ) {
    my @a      = map { $_->{amount} } @{ $group{$g} };
    my $mean   = sum(@a) / @a;
    my $sd     = sqrt( sum( map { ( $_ - $mean )**2 } @a ) / @a );
    my @s      = sort { $a <=> $b } @a;
    my $median = @s % 2 ? $s[ $#s / 2 ] : ( $s[ @s / 2 - 1 ] + $s[ @s / 2 ] ) / 2;
    printf "%-6s n=%d sum=%9.2f mean=%8.3f sd=%7.3f median=%.2f min=%s max=%s\n", $g, scalar @a,
      sum(@a), $mean, $sd, $median, min(@a), max(@a);
}
my $longest = reduce { length $a->{name} >= length $b->{name} ? $a : $b } @rows;
print "longest name: $longest->{name}\n";
print "first over 100: ",
  ( first { looks_like_number( $_->{amount} ) && $_->{amount} > 100 } @rows )->{name}, "\n";
print join( ',', uniq map { $_->{region} } @rows ), ' ', product( 1 .. 6 ), ' ', sum0(), ' ',
  ( any { $_->{region} eq 'West' } @rows ) ? 'any' : 'none', "\n";
print join( ' ', pairmap { "$a-$b" } ( x => 1, y => 2 ) ), ' ', floor(-3.5), ' ', ceil(3.2), ' ',
  fmod( 10, 3 ), "\n";
my @pivot = map {
    my $y = $_;
    [
        $y,
        map {
            my $g = $_;
            sum0 map { $_->{amount} } grep { $_->{year} eq $y } @{ $group{$g} }
        } sort keys %group
    ]
} sort { $a <=> $b } uniq map { $_->{year} } @rows;
printf "%s %s\n", 'year',  join ' ', map { sprintf '%10s',   $_ } sort keys %group;
printf "%s %s\n", $_->[0], join ' ', map { sprintf '%10.2f', $_ } @$_[ 1 .. $#$_ ] for @pivot;
__DATA__
name,region,year,amount
"Smith, John",East,2023,120.50
Ann,West,2023,80
"The ""Boss""",East,2024,200.25
Bob,West,2024,n/a
Cid,North,2024,-15.125
Dee,East,2023,0
