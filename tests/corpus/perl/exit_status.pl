use strict; use warnings; print "before\n"; END { print "in end: $?\n" } sub finish { my $code = shift; print "finishing\n"; exit $code } finish(3); print "never\n";
