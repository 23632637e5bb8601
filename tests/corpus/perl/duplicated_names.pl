# Streams duplicated by bare names under strictures, and handles that nobody closes.
use strict;
use warnings;
use constant PLACE => 'kept.txt';
$| = 1;
open(my $saved, '>&', STDOUT) or die "no duplicate: $!";
close STDOUT;
open(STDOUT, '>', PLACE) or die "no file: $!";
print "into the file\n";
close STDOUT;
open(STDOUT, '>&', $saved) or die "not back: $!";
print "back\n";
open(my $file, '<', PLACE) or die;
print <$file>;
sub place { return 'kept.txt' }
open($file, '<', place) or die;
print scalar <$file>;
open(my $nameless, '+>', undef) or die "no file without a name: $!";
print $nameless "nameless\n";
seek $nameless, 0, 0;
print <$nameless>;
open(COPY, '>&STDOUT') or die;
print COPY "never closed\n";
print "before it\n";
