use strict;
use warnings;
# A program can read itself: its text is found by its name.
open(my $self, '<', $0) or die "no \$0: $!";
my @lines = <$self>;
close $self;
print scalar(@lines), ' ', $lines[0];
open(SELF, __FILE__) or die;
while (<SELF>) { print "$.: $_" if /first of all/ } # first of all
close SELF;
open(my $utf8, '<:encoding(UTF-8)', __FILE__) or die;
my ($found) = grep { /^# n\x{e9}e/ } <$utf8>;
print length $found, "\n";
# née
my $regex = qr\x\;
print 'axb' =~ $regex ? "found\n" : "none\n";
print open(my $none, '<', "no_$0") ? "there\n" : "not there\n";
print scalar <DATA>;
__END__
the data
