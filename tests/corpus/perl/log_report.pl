#!/usr/bin/perl
# Summarizes a web server log held in DATA.
use strict;
use warnings;

my ( %hits, %bytes, %by_hour, @errors );
while ( my $line = <DATA> ) {
    chomp $line;
    next unless $line =~ m{
        ^(?<host>\S+) \s+ \S+ \s+ (?<user>\S+) \s+
        \[ (?<day>\d+)/(?<month>\w+)/(?<year>\d+) : (?<hour>\d+) : [^\]]+ \] \s+
        "(?<method>[A-Z]+) \s (?<path>[^"\s]+) [^"]*" \s+
        (?<status>\d{3}) \s+ (?<size>\d+|-)
    }x;
    my %f = %+;
    $hits{ $f{path} }++;
    $bytes{ $f{host} } += $f{size} eq '-' ? 0 : $f{size};
    $by_hour{ $f{hour} }{ $f{status} }++;
    push @errors, "$.: $f{method} $f{path} -> $f{status}" if $f{status} >= 400;
}
print "Top pages\n", '-' x 30, "\n";
printf "%-20s %9d\n", $_, $hits{$_} for sort { $hits{$b} <=> $hits{$a} || $a cmp $b } keys %hits;
print "\nTransferred\n", '-' x 30, "\n";
printf "%-20s %8.1fK\n", $_, $bytes{$_} / 1024 for sort { $bytes{$b} <=> $bytes{$a} } keys %bytes;
print "\nBy hour\n";
for my $hour ( sort keys %by_hour ) {
    print "  $hour: ",
      join( ', ', map { "$_ x $by_hour{$hour}{$_}" } sort keys %{ $by_hour{$hour} } ), "\n";
}
print "\nErrors:\n", map { "  $_\n" } @errors;
printf "%d lines read, last at input line %d\n", $., $.;
__DATA__
10.0.0.1 - alice [10/Oct/2024:13:55:36 +0000] "GET /index.html HTTP/1.1" 200 2326
10.0.0.2 - - [10/Oct/2024:13:56:01 +0000] "GET /about.html HTTP/1.1" 200 10240
10.0.0.1 - alice [10/Oct/2024:14:01:13 +0000] "POST /form HTTP/1.1" 500 -
garbage
10.0.0.3 - - [10/Oct/2024:14:02:00 +0000] "GET /missing HTTP/1.1" 404 153
10.0.0.2 - - [10/Oct/2024:15:10:10 +0000] "GET /index.html HTTP/1.1" 304 0
