#!/usr/bin/env perl
use strict;
use warnings;

my (%by_level, %by_hour, @errors, $bytes);
while (my $line = <DATA>) {
    chomp $line;
    next if $line =~ /^\s*(?:#|$)/;
    my ($date, $time, $level, $module, $message) = $line =~ /^(\S+)\s+(\S+)\s+\[(\w+)\]\s+(\w+):\s+(.*)$/
        or do { warn "cannot parse: $line\n"; next };
    $by_level{$level}++;
    my ($hour) = $time =~ /^(\d\d)/;
    push @{ $by_hour{$hour} }, $module;
    push @errors, { when => "$date $time", module => $module, message => $message } if $level eq 'ERROR';
    $bytes += $1 if $message =~ /(\d+) bytes/;
}
print "Levels:\n";
printf "  %-8s %3d %s\n", $_, $by_level{$_}, '#' x $by_level{$_} for sort { $by_level{$b} <=> $by_level{$a} || $a cmp $b } keys %by_level;
print "Hours:\n";
foreach my $h (sort keys %by_hour) { my %seen; my @m = grep { !$seen{$_}++ } @{ $by_hour{$h} }; print "  $h: ", join(', ', sort @m), "\n" }
print "Errors:\n", map { "  $_->{when} $_->{module}: $_->{message}\n" } @errors;
print "Bytes: $bytes\n";
my $csv = join "\n", 'id,name,amount', map { join ',', $_, "\"Name, $_\"", $_ * 1.5 } 1 .. 3;
for my $row (split /\n/, $csv) { my @f; push @f, defined $1 ? $1 : $2 while $row =~ /\G(?:"([^"]*)"|([^,]*))(?:,|$)/g; pop @f if @f > 3; print join('|', @f), "\n" }
(my $title = "the QUICK brown-fox's tale") =~ s/(\w[\w']*)/\u\L$1/g; print "$title\n";
my $wrapped = ''; my $len = 0; for my $w (split ' ', 'Lorem ipsum dolor sit amet consectetur adipiscing elit sed do') { if ($len + length($w) > 24) { $wrapped .= "\n"; $len = 0 } $wrapped .= "$w "; $len += 1 + length $w } print $wrapped =~ s/ +$//gmr, "\n";
my $template = 'Dear {name}, you owe {amount} {currency}. {missing}'; my %v = (name => 'Bob', amount => sprintf('%.2f', 12.5), currency => 'EUR'); $template =~ s/\{(\w+)\}/exists $v{$1} ? $v{$1} : "<$1?>"/ge; print "$template\n"; my $n = 1234567.891; 1 while $n =~ s/^(\d+)(\d{3})/$1,$2/; print "$n\n"; print join(' ', map { sprintf '%s:%d', $_, ($_ =~ tr/aeiou//) } qw(banana queue rhythm)), "\n"; my @lines = ("b 2", "a 10", "c 1"); print join(', ', map { $_->[0] } sort { $a->[2] <=> $b->[2] } map { [$_, split] } @lines), "\n";
__DATA__
# log
2024-01-01 09:15:02 [INFO] web: request 512 bytes
2024-01-01 09:45:10 [ERROR] db: connection lost
2024-01-01 10:00:00 [WARN] web: slow
2024-01-01 10:05:00 [INFO] auth: login ok

garbage here
2024-01-01 10:06:00 [ERROR] web: timeout after 30s
2024-01-01 11:00:00 [INFO] web: sent 2048 bytes
