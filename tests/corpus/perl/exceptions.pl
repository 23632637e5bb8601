use strict;
use warnings;

package MyErr;
sub new     { my ( $c, %a ) = @_; my ( $p, $f, $l ) = caller(1); bless { %a, line => $l }, $c }
sub throw   { my $c = shift; die $c->new(@_) }
sub msg     { $_[0]{msg} }
sub rethrow { die $_[0] }

package MyErr::IO;
our @ISA = 'MyErr';

package main;

sub risky {
    my $n = shift;
    MyErr::IO->throw( msg => 'io', code => 5 ) if $n == 1;
    die { code => 42, why => [ 1, 2 ] }        if $n == 2;
    die [ 1, 2 ]                               if $n == 3;
    die "plain\n"                              if $n == 4;
    die "with line"                            if $n == 5;
    my $x = 1 / 0 if $n == 6;
    my @a = (1);
    my $u;
    my $y = $$u{x}{y} if $n == 7;
    no strict 'refs';
    undef->foo       if $n == 8;
    "Foo"->bar       if $n == 9;
    &{"nosuch"}()    if $n == 10;
    require No::Such if $n == 11;
    my $s = sqrt(-1) if $n == 12;
    $n->{x}          if $n == 13;
    return "fine $n";
}
for my $n ( 0 .. 13 ) {
    my $r = eval { risky($n) };
    if ( my $e = $@ ) {
        if ( ref $e && ref $e ne 'HASH' && ref $e ne 'ARRAY' ) {
            print "$n: object ", ref $e, ' ', $e->msg, ' ', $e->isa('MyErr') ? 1 : 0, "\n";
        }
        elsif ( ref $e eq 'HASH' ) { print "$n: hash $e->{code} @{$e->{why}}\n" }
        elsif ( ref $e )           { print "$n: array @$e\n" }
        else                       { chomp $e; $e =~ s/\((?:you|modules) .*//s; print "$n: $e\n" }
    }
    else { print "$n: ", $r // 'undef', "\n" }
}
eval {
    eval { die "inner\n" };
    print "got $@";
    die "outer: $@";
};
print "then $@";
eval { die "a\n" };
{
    local $@ = 'saved';
    eval { die "b\n" }
}
print "kept: $@";
my $ok = eval {
    local $SIG{__DIE__} = sub { print "handler: $_[0]" };
    die "handled\n";
    1;
};
print defined $ok ? 'ok' : "failed: $@";
{
    local $SIG{__WARN__} = sub { print "W: $_[0]" };
    warn "careful\n";
    warn "no newline";
    my $u;
    my $x = "a" + 1;
    $x = "v: " . undef;
    print "x$u\n";
    my @a = (1);
    $x = $a[5] . '';
    my %h;
    $x = $h{k} + 1;
    print substr( "abc", 5 ) // 'undef', "\n";
    my $q = "3 apples" * 2;
    printf "%d %s\n", "5x", 'one';
}
sub f { die "in f" }
eval { f() };
print $@;
eval { die };
print $@;
eval {
    eval { die "first\n" };
    die;
};
print $@;
$@ = '';
eval { die bless( {}, 'Obj' ) };
print ref $@, "\n";

package Obj;
sub PROPAGATE { my ( $s, $f, $l ) = @_; bless { l => $l }, 'Prop' }

package main;
eval { $@ = bless( {}, 'Obj' ); die };
print ref $@, "\n";
use Carp qw(croak carp confess cluck);
sub checked { my $v = shift; croak "negative" if $v < 0; return sqrt $v }
eval { checked(-1) };
print $@;
sub lvl { confess "deep" }
eval { lvl( 1, 'a' ) };
print $@;
my $res = do {
    local $@;
    eval { die "x\n"; 1 } || 'recovered';
};
print "$res\n";
print "line ", __LINE__, "\n";
eval "1 +* 2";
print $@ ? "syntax: " . ( split /\n/, $@ )[0] . "\n" : '';
eval "die 'in eval'";
print $@ =~ s{eval \d+}{eval N}r, "\n";
eval { warn "to stderr\n" };
END { print "end block: ", defined $? ? $? : 'u', "\n" }
die MyErr->new( msg => 'last' ) if 0;
exit 0;
