use strict;
use warnings;
$SIG{INT} = sub { print "got $_[0]\n" };
kill INT => $$;
kill 'SIGINT', $$;
kill 2,        $$;
print kill( 0, $$ ), kill( 0, 99999 ), " $!\n";
my $r = eval {
    local $SIG{ALRM} = sub { die "timeout\n" };
    alarm 2;
    sleep 10;
    alarm 0;
    1;
};
print $@;
$r = eval {
    local $SIG{ALRM} = sub { die "timeout\n" };
    alarm 5;
    my $x = 0;
    $x += $_ for 1 .. 1000;
    my $left = alarm 0;
    print "left $left\n";
    $x;
};
print "$r\n";
my $t = time;
print sleep(2), ' ', time - $t, "\n";
{
    local $SIG{ALRM} = sub { print "ring\n" };
    alarm 1;
    my $s = sleep 5;
    print "slept $s\n";
}
sub handler { print "named $_[0]\n" }
$SIG{USR1} = 'handler';
kill USR1 => $$;
$SIG{USR1} = 'main::handler';
kill 'USR1', $$;
$SIG{TERM} = 'IGNORE';
print kill( 'TERM', $$ ), "\n";
$SIG{HUP} = \&handler;
kill HUP => $$;
eval { kill 'FOO', $$ };
print $@;
{ local $SIG{INT} = 'DEFAULT'; }
kill CHLD => $$;
print join( ',', grep { /^(?:INT|TERM)$/ } sort keys %SIG ), "\n";
$SIG{__WARN__} = sub { print "W $_[0]" };
warn "x\n";
print "end\n";
END { print "ending\n" }
use Time::HiRes qw(usleep tv_interval gettimeofday);
{
    my $t0 = [gettimeofday];
    Time::HiRes::sleep(0.25);
    usleep(250_000);
    printf "%.1f\n", tv_interval($t0);
    local $SIG{ALRM} = sub { print "fine\n" };
    Time::HiRes::alarm(0.5);
    Time::HiRes::sleep(2);
    printf "%.1f\n", tv_interval($t0);
    Time::HiRes::alarm(0.5);
    usleep(100);
    print Time::HiRes::alarm(0) > 0.4 ? "left\n" : "none\n";
    alarm 3;
    print alarm(0), "\n";
}
