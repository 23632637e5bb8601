use strict; use warnings;
use Getopt::Long;
@ARGV = qw(--name=Bob -v -v --num 5 --list a --list b --no-color --def k=v file1 file2); my ($name, $verbose, $num, @list, $color, %def) = ('', 0, 0); $color = 1; GetOptions('name=s' => \$name, 'v+' => \$verbose, 'num=i' => \$num, 'list=s' => \@list, 'color!' => \$color, 'def=s' => \%def) or die; print "$name $verbose $num @list color=$color $def{k} rest=@ARGV\n"; @ARGV = ('--bogus'); { local $SIG{__WARN__} = sub { print "warn: $_[0]" }; print GetOptions('x' => \my $x) ? 'ok' : 'failed', "\n" }
