use strict;
use warnings;
use Time::HiRes qw(alarm);

# A program that computes is interrupted where its alarm rings.
my $r = eval { local $SIG{ALRM} = sub { die "timeout\n" }; alarm 0.02; my $n = 0; while (1) { $n++ } 1 };
print "1 $@";
my $count = 0;
{
    local $SIG{ALRM} = sub { $count++; alarm 0.02 if $count < 3 };
    alarm 0.02;
    1 while $count < 3;
    print "2 $count\n";
}
eval {
    local $SIG{ALRM} = sub { die { code => 7 } };
    alarm 0.02;
    eval { 1 while 1 };
    print "3 inner $@->{code}\n";
};
sub deep { my $n = shift; return $n ? 1 + deep($n - 1) : do { 1 while 1 } }
eval { local $SIG{ALRM} = sub { die "deep $_[0]\n" }; alarm 0.02; deep(50) };
print "4 $@";
eval { local $SIG{ALRM} = sub { die "sorted\n" }; alarm 0.02; my @s = sort { 1 while 1; $a <=> $b } 3, 2, 1; };
print "5 $@";
{
    local $@ = "kept\n";
    my $rang;
    local $SIG{ALRM} = sub { eval { die "x\n" }; eval 'die "y"'; $rang = 1 };
    alarm 0.02;
    1 until $rang;
    print "6 $@";
}
{
    my $rang;
    local $SIG{ALRM} = sub { $rang++ };
    alarm 0.02;
    select undef, undef, undef, 0.05;
    1 until $rang;
    print "7 $rang\n";
}
{
    local $SIG{ALRM} = 'IGNORE';
    alarm 0.02;
    my $n = 0;
    $n++ while $n < 100_000;
    alarm 0;
    print "8 $n\n";
}
{
    my $from = Time::HiRes::time();
    local $SIG{ALRM} = sub { die "late\n" };
    eval { alarm 1.02; sleep 1; 1 while 1 };
    my $took = Time::HiRes::time() - $from;
    print "9 $@", $took >= 1 ? "on time\n" : "$took\n";
}
eval {
    local $SIG{ALRM} = sub { die "regex\n" };
    alarm 0.02;
    for my $i (1 .. 1e9) { my $s = "abc$i"; $s =~ /b(c\d+)/ }
};
print "10 $@";
eval {
    local $SIG{ALRM} = sub { my @c = caller(0); die "map\n" };
    alarm 0.02;
    while (1) { my @held = map { my $x = $_; map { $x * $_ } 1 .. 10 } 1 .. 10 }
};
print "11 $@";
{
    my $from = Time::HiRes::time();
    my $done = 0;
    local $SIG{ALRM} = sub { $done = 1 };
    alarm 0.03;
    until ($done) { my @x = map { $_ * 2 } 1 .. 100 }
    print "12 ", Time::HiRes::time() - $from >= 0.03 ? "the time has come\n" : "early\n";
}
print "13 ", alarm(0), "\n";
{
    package Guard;
    sub new { return bless {}, shift }
    sub DESTROY { print "guard gone\n" }
}
eval { my $guard = Guard->new; local $SIG{ALRM} = sub { die "guarded\n" }; alarm 0.02; 1 while 1 };
print "14 $@";
$SIG{ALRM} = sub { print "15 bye\n"; exit 3 };
END { print "the end\n" }
alarm 0.02;
1 while 1;
