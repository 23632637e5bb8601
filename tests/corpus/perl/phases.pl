use strict;
use warnings;
print "main start\n";
BEGIN { print "begin 1\n" }
CHECK { print "check 1\n" }
INIT { print "init 1\n" }
UNITCHECK { print "unitcheck 1\n" }
CHECK { print "check 2\n" }
INIT { print "init 2\n" }
BEGIN { print "begin 2\n" }
END { print "end 1\n" }
END { print "end 2\n" }
UNITCHECK { print "unitcheck 2\n" }
print "phase ${^GLOBAL_PHASE}\n";
my $config; INIT { $config = 'set by init' } print "$config\n";
