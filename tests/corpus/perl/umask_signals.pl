# The mask of new files is remembered; %SIG has a key for each signal there is.
use strict;
use warnings;
use POSIX ();
use sigtrap 'handler' => sub { print "trapped $_[0]\n" }, 'USR1';
use sigtrap qw(die normal-signals);
umask 022;
printf "%03o %03o %03o\n", umask(027), umask, POSIX::umask(077);
printf "%03o\n", umask;
print join(' ', map { exists $SIG{$_} ? 1 : 0 } qw(INT TERM USR1 WINCH NOPE)), "\n";
kill USR1 => $$;
eval { kill TERM => $$; 1 } or print $@ =~ /\A(.*?) at / ? "$1\n" : $@;
print defined $SIG{HUP} ? 'set' : 'unset', ' ', defined $SIG{QUIT} ? 'set' : 'unset', "\n";
